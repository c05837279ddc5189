//! The engine's input: writes that neither an engine that does not read nor a full pipe can block for ever.

use std::process::ChildStdin;
use std::time::Duration;

use super::Interrupt;

/// Why a line was not written.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum WriteError {
    /// The engine has closed its input.
    Closed,
    /// It has not read its input for too long.
    Deaf,
    /// The interrupt fired first.
    Interrupted,
}

#[cfg(unix)]
pub(super) use polled::Input;
#[cfg(windows)]
pub(super) type Input = threaded::Input<ChildStdin>;

/// Pipes that do not block.
#[cfg(unix)]
mod polled {
    use std::io::{self, ErrorKind, Write};
    use std::thread;
    use std::time::Instant;

    use super::{ChildStdin, Duration, Interrupt, WriteError};

    /// The writing end of the pipe.
    pub(crate) struct Input {
        pipe: ChildStdin,
        patience: Duration,
    }

    impl Input {
        /// Takes the pipe; `patience` is how long a write waits for a full one.
        pub(crate) fn new(pipe: ChildStdin, patience: Duration) -> io::Result<Self> {
            rustix::io::ioctl_fionbio(&pipe, true)?;
            Ok(Self { pipe, patience })
        }

        /// Writes all of `text`.
        pub(crate) fn write(&mut self, text: &str, interrupt: &Interrupt) -> Result<(), WriteError> {
            let mut rest = text.as_bytes();
            let mut blocked_since = None;
            while !rest.is_empty() {
                match self.pipe.write(rest) {
                    Ok(0) => return Err(WriteError::Closed),
                    Ok(written) => rest = &rest[written..],
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Err(error) if error.kind() == ErrorKind::WouldBlock => {
                        if interrupt.has_fired() {
                            return Err(WriteError::Interrupted);
                        }
                        if blocked_since.get_or_insert_with(Instant::now).elapsed() > self.patience {
                            return Err(WriteError::Deaf);
                        }
                        thread::sleep(Duration::from_millis(1));
                    }
                    Err(_) => return Err(WriteError::Closed),
                }
            }
            Ok(())
        }
    }
}

/// A thread that writes, for Windows, whose pipes of this kind cannot be asked whether they are full.
#[cfg(any(windows, test))]
mod threaded {
    use std::io::{self, Write};
    use std::thread;

    use crossbeam_channel::{Receiver, Sender, after, bounded, select};

    use super::{Duration, Interrupt, WriteError};
    use crate::platform::scheduling;

    /// The thread's orders and its answers, one for each order.
    pub(crate) struct Input<W> {
        orders: Sender<String>,
        done: Receiver<io::Result<()>>,
        /// Whether an answer is still to come.
        busy: bool,
        patience: Duration,
        // The pipe belongs to the thread.
        _pipe: std::marker::PhantomData<fn(W)>,
    }

    impl<W: Write + Send + 'static> Input<W> {
        /// Takes the pipe and starts the thread, which ends with this value once its write has ended; `patience` is how
        /// long a write waits for a full pipe.
        pub(crate) fn new(mut pipe: W, patience: Duration) -> io::Result<Self> {
            let (orders, inbox) = bounded::<String>(1);
            let (answers, done) = bounded(1);
            thread::Builder::new().name("engine-in".into()).stack_size(256 << 10).spawn(move || {
                scheduling::prefer_promptness();
                for text in inbox {
                    let result = pipe.write_all(text.as_bytes()).and_then(|()| pipe.flush());
                    if answers.send(result).is_err() {
                        break;
                    }
                }
            })?;
            Ok(Self { orders, done, busy: false, patience, _pipe: std::marker::PhantomData })
        }

        /// Writes all of `text`.
        pub(crate) fn write(&mut self, text: &str, interrupt: &Interrupt) -> Result<(), WriteError> {
            if self.busy {
                // An interrupt has left a write behind.
                self.wait(interrupt)?;
            }
            self.orders.send(text.to_owned()).map_err(|_| WriteError::Closed)?;
            self.busy = true;
            self.wait(interrupt)
        }

        fn wait(&mut self, interrupt: &Interrupt) -> Result<(), WriteError> {
            // A write that is done counts, whatever has fired meanwhile.
            let answer = match self.done.recv_timeout(Duration::from_millis(1)) {
                Ok(answer) => answer,
                Err(_) => select! {
                    recv(self.done) -> answer => answer.unwrap_or_else(|error| Err(io::Error::other(error))),
                    recv(interrupt.channel()) -> _ => return Err(WriteError::Interrupted),
                    recv(after(self.patience)) -> _ => return Err(WriteError::Deaf),
                },
            };
            self.busy = false;
            answer.map_err(|_| WriteError::Closed)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};

    use crossbeam_channel::{Sender, bounded};

    use super::*;

    /// A pipe with room for one write.
    struct Pipe(Sender<Vec<u8>>);

    impl Write for Pipe {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.send(bytes.to_vec()).map_err(|_| io::ErrorKind::BrokenPipe)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_deaf_reader_blocks_nobody_for_ever() {
        let (sender, read) = bounded(1);
        let never = Interrupt::never();
        let mut input = threaded::Input::new(Pipe(sender), Duration::from_millis(50)).unwrap();
        assert_eq!(input.write("one\n", &never), Ok(()));
        assert_eq!(input.write("two\n", &never), Err(WriteError::Deaf));
        let (trigger, interrupt) = Interrupt::new();
        drop(trigger);
        assert_eq!(input.write("three\n", &interrupt), Err(WriteError::Interrupted));
        // It reads again: the write that was left behind is done first, and nothing comes twice or out of order.
        assert_eq!(read.recv().unwrap(), b"one\n");
        assert_eq!(read.recv().unwrap(), b"two\n");
        assert_eq!(input.write("four\n", &never), Ok(()));
        assert_eq!(read.recv().unwrap(), b"four\n");
        drop(read);
        assert_eq!(input.write("five\n", &never), Err(WriteError::Closed));
    }
}
