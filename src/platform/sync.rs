//! A mutex and a condition variable without poisoning.
//!
//! A thread that panics while it holds a lock poisons the mutex of the standard library, and every later `lock` must
//! decide what to do about it. No lock of this program guards data that such a panic could leave half changed, and a
//! panic ends the thread's work with a message of its own, so all of them would decide alike: go on.

use std::sync::{self, PoisonError};
use std::time::Duration;

pub use std::sync::MutexGuard;

/// A mutex whose lock cannot fail.
#[derive(Debug, Default)]
pub struct Mutex<T>(sync::Mutex<T>);

impl<T> Mutex<T> {
    /// An unlocked mutex.
    pub const fn new(value: T) -> Self {
        Self(sync::Mutex::new(value))
    }

    /// Waits until no other thread holds the lock, and takes it.
    pub fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The value; no lock is needed, since nobody else can have a reference.
    pub fn get_mut(&mut self) -> &mut T {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// The value, without the mutex.
    pub fn into_inner(self) -> T {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A condition variable for [`Mutex`].
#[derive(Debug, Default)]
pub struct Condvar(sync::Condvar);

impl Condvar {
    /// A condition variable that nobody waits for.
    pub const fn new() -> Self {
        Self(sync::Condvar::new())
    }

    /// Releases the lock, waits for a notification and takes the lock again. It may also return without one, so the
    /// caller checks its condition in a loop.
    pub fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
        self.0.wait(guard).unwrap_or_else(PoisonError::into_inner)
    }

    /// The same, for some time at most.
    pub fn wait_timeout<'a, T>(&self, guard: MutexGuard<'a, T>, timeout: Duration) -> MutexGuard<'a, T> {
        self.0.wait_timeout(guard, timeout).unwrap_or_else(PoisonError::into_inner).0
    }

    /// Wakes all threads that wait.
    pub fn notify_all(&self) {
        self.0.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_under_the_lock_leaves_the_mutex_usable() {
        let mut mutex = Mutex::new(1);
        std::thread::scope(|scope| {
            let panics = scope.spawn(|| {
                let mut guard = mutex.lock();
                *guard = 2;
                std::panic::resume_unwind(Box::new(()));
            });
            assert!(panics.join().is_err());
        });
        *mutex.lock() += 1;
        *mutex.get_mut() += 1;
        assert_eq!(mutex.into_inner(), 4);
    }

    #[test]
    fn waiting_threads_are_woken() {
        let (ready, changed) = (Mutex::new(false), Condvar::new());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut guard = ready.lock();
                while !*guard {
                    guard = changed.wait(guard);
                }
            });
            *ready.lock() = true;
            changed.notify_all();
        });
    }
}
