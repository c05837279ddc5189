//! Jobs: sets of processes that end together.

use std::io;
use std::os::windows::io::{AsRawHandle, HandleOrNull, OwnedHandle, RawHandle};
use std::os::windows::process::CommandExt;
use std::process::{Child, Command};
use std::ptr::null;
use std::sync::Once;

use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation, SetInformationJobObject,
    TerminateJobObject,
};
use windows_sys::Win32::System::Threading::{CREATE_NEW_PROCESS_GROUP, CREATE_NO_WINDOW, GetCurrentProcess};

/// The job of a child; `None` where the system has refused one.
#[derive(Debug)]
pub(super) struct Family(Option<OwnedHandle>);

pub(super) fn spawn(mut command: Command) -> io::Result<(Child, Family)> {
    join_own_job();
    // Without a console of ours and in a group of its own, neither Ctrl-C nor the closing of the window reaches it.
    command.creation_flags(CREATE_NEW_PROCESS_GROUP | CREATE_NO_WINDOW);
    let child = command.spawn()?;
    // What the child starts before it is in its job is in this process's, and dies with this process at the latest.
    let job = new_job().filter(|job| assign(job, child.as_raw_handle()));
    Ok((child, Family(job)))
}

pub(super) fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

pub(super) fn kill(child: &mut Child, family: &Family) {
    if let Some(job) = &family.0 {
        // SAFETY: the handle is that of a job and open.
        unsafe { TerminateJobObject(job.as_raw_handle(), 1) };
    }
    // One that has ended cannot be killed.
    let _ = child.kill();
}

/// Puts this process into a job that ends with it: its children are in that job from their first moment on.
fn join_own_job() {
    static JOINED: Once = Once::new();
    JOINED.call_once(|| {
        if let Some(job) = new_job() {
            // SAFETY: the pseudo handle of the calling process is always valid.
            let this = unsafe { GetCurrentProcess() };
            assign(&job, this);
            // The last handle to it is closed by the system when this process is gone, and not before.
            std::mem::forget(job);
        }
    });
}

/// A job that kills its processes when its last handle is closed.
fn new_job() -> Option<OwnedHandle> {
    // SAFETY: both arguments may be null; the handle belongs to the caller.
    let job = unsafe { HandleOrNull::from_raw_handle(CreateJobObjectW(null(), null())) };
    let job = OwnedHandle::try_from(job).ok()?;
    let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    let size = size_of_val(&limits) as u32;
    // SAFETY: the structure is the one that this kind of information wants, and of the size that is told.
    let set = unsafe {
        SetInformationJobObject(
            job.as_raw_handle(),
            JobObjectExtendedLimitInformation,
            (&raw const limits).cast(),
            size,
        )
    };
    (set != 0).then_some(job)
}

fn assign(job: &OwnedHandle, process: RawHandle) -> bool {
    // SAFETY: both handles are open.
    unsafe { AssignProcessToJobObject(job.as_raw_handle(), process) != 0 }
}
