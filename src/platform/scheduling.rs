//! Threads: how many run at once, and a shorter time slice for those that answer or timestamp, so that they do not wait
//! behind searching ones.

/// How many threads run at once.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Asks the system to run the calling thread as soon as it wakes. If the system refuses, it only answers later.
///
/// Linux (from 6.12) gives every thread a slice of some milliseconds, and whoever wakes on a busy machine waits until
/// the running one has used its own, unless it asks for a shorter slice itself (`sched_setattr(2)`; the idea:
/// P. Zijlstra, "sched/eevdf: Allow shorter slices to wakeup-preempt").
pub fn prefer_promptness() {
    #[cfg(all(target_os = "linux", not(miri)))]
    linux::shorten_slice();
    #[cfg(windows)]
    // SAFETY: the pseudo handle of the calling thread is always valid.
    unsafe {
        use windows_sys::Win32::System::Threading::{
            GetCurrentThread, SetThreadPriority, THREAD_PRIORITY_ABOVE_NORMAL,
        };
        SetThreadPriority(GetCurrentThread(), THREAD_PRIORITY_ABOVE_NORMAL);
    }
    #[cfg(target_vendor = "apple")]
    // SAFETY: it concerns the calling thread alone.
    unsafe {
        libc::pthread_set_qos_class_self_np(libc::qos_class_t::QOS_CLASS_USER_INTERACTIVE, 0);
    }
}

#[cfg(all(target_os = "linux", not(miri)))]
mod linux {
    use std::mem;

    /// The shortest slice that Linux grants, in nanoseconds.
    const SLICE: u64 = 100_000;

    pub(super) fn shorten_slice() {
        // SAFETY: a structure of integers, for which all-zero is a valid value.
        let mut attributes: libc::sched_attr = unsafe { mem::zeroed() };
        let size = mem::size_of::<libc::sched_attr>() as u32;
        // SAFETY: the kernel writes at most `size` bytes into a structure of that size; thread 0 is the calling one.
        let read = unsafe { libc::syscall(libc::SYS_sched_getattr, 0, &raw mut attributes, size, 0) };
        // Another policy or a raised priority was chosen by the user.
        if read != 0 || attributes.sched_policy != libc::SCHED_OTHER as u32 || attributes.sched_nice < 0 {
            return;
        }
        attributes.size = size;
        attributes.sched_runtime = SLICE;
        // Threads started from this one get the default slice.
        attributes.sched_flags = libc::SCHED_FLAG_RESET_ON_FORK as u64;
        // SAFETY: the kernel reads `size` bytes of a structure that is filled in.
        unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0) };
    }
}
