//! Process groups, and on Linux the death of the parent as a signal.

use std::process::{Child, Command};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

/// A process group has the number of its first process: nothing more to keep.
#[derive(Debug)]
pub(super) struct Family;

/// Whether the process has ended, without reaping it: while it is a zombie its pid and group id cannot be reused, so
/// that the group can be killed safely.
pub(super) fn has_ended(child: &mut Child) -> bool {
    // An error means that the child is gone.
    Pid::from_raw(child.id() as i32).is_none_or(|pid| !matches!(waitid(WaitId::Pid(pid), LOOK), Ok(None)))
}

const LOOK: WaitIdOptions = WaitIdOptions::EXITED.union(WaitIdOptions::NOWAIT).union(WaitIdOptions::NOHANG);

pub(super) fn kill(child: &mut Child, _: &Family) {
    let Some(pid) = Pid::from_raw(child.id() as i32) else {
        return;
    };
    // Once it has been reaped, and cannot be waited for, the pid may belong to another process.
    if waitid(WaitId::Pid(pid), LOOK).is_ok() {
        let _ = kill_process_group(pid, Signal::KILL);
        let _ = child.kill();
    }
}

#[cfg(target_os = "linux")]
pub(super) use linux::spawn;

#[cfg(not(target_os = "linux"))]
pub(super) fn spawn(mut command: Command) -> std::io::Result<(Child, Family)> {
    own_group(&mut command);
    Ok((command.spawn()?, Family))
}

/// A terminal's Ctrl-C reaches only this process's group, and a kill all of the child's.
fn own_group(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

#[cfg(target_os = "linux")]
mod linux {
    use std::io;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command};
    use std::sync::OnceLock;
    use std::thread;

    use crossbeam_channel::{Sender, bounded, unbounded};
    use rustix::process::{Signal, getppid, set_parent_process_death_signal};

    use super::{Family, own_group};

    /// A command to spawn and the channel for its result.
    type Order = (Command, Sender<io::Result<Child>>);

    /// Spawns from a thread that lives as long as this process: the parent-death signal comes when the spawning
    /// *thread* ends, so that a child started on a short-lived thread would die with it.
    pub(crate) fn spawn(command: Command) -> io::Result<(Child, Family)> {
        static SPAWNER: OnceLock<Option<Sender<Order>>> = OnceLock::new();
        let spawner = SPAWNER.get_or_init(|| {
            let (sender, orders) = unbounded::<Order>();
            let serve = move || {
                for (mut command, reply) in orders {
                    own_group(&mut command);
                    die_with_parent(&mut command);
                    let _ = reply.send(command.spawn());
                }
            };
            thread::Builder::new().name("spawner".into()).spawn(serve).is_ok().then_some(sender)
        });
        let gone = || io::Error::other("the spawning thread is gone");
        let (reply, result) = bounded(1);
        spawner.as_ref().ok_or_else(gone)?.send((command, reply)).map_err(|_| gone())?;
        Ok((result.recv().map_err(|_| gone())??, Family))
    }

    /// Has the child killed when this process dies, however it dies.
    fn die_with_parent(command: &mut Command) {
        let parent = std::process::id();
        let ask_for_signal = move || {
            set_parent_process_death_signal(Some(Signal::KILL))?;
            // The parent may have died between the fork and the call above.
            match getppid() {
                Some(pid) if pid.as_raw_nonzero().get() as u32 == parent => Ok(()),
                _ => Err(io::ErrorKind::NotConnected.into()),
            }
        };
        // SAFETY: between fork and exec the closure makes two plain system calls, allocates nothing and takes no lock
        // (`ErrorKind::into` holds the kind in place).
        unsafe {
            command.pre_exec(ask_for_signal);
        }
    }
}
