//! Files that are replaced whole, and files that only grow.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
#[cfg(not(windows))]
use std::{
    thread,
    time::{Duration, Instant},
};

/// How long a fork may hold a file that this process has closed.
#[cfg(not(windows))]
const FORK: Duration = Duration::from_millis(250);

/// Writes a temporary file in the same folder and renames it: readers see the old file or the new one, also after a
/// crash. The permissions of a file that is replaced are kept.
///
/// # Errors
/// Those of the file system, and on Windows a file that is read-only; the old file is then untouched.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // The file that a link points to is the one to replace.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut file = tempfile::Builder::new().prefix(".hagane-").tempfile_in(folder)?;
    file.write_all(bytes)?;
    let permissions = match fs::metadata(&path) {
        // There it is all the permission that a file has, and a rename may pass over it.
        Ok(old) if cfg!(windows) && old.permissions().readonly() => {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
        }
        Ok(old) => old.permissions(),
        // What a plain creation would give: temporary files are private.
        Err(_) => new_file_permissions(folder)?,
    };
    file.as_file().set_permissions(permissions)?;
    file.as_file().sync_all()?;
    file.persist(&path)?;
    Ok(())
}

/// The permissions of a file newly made in a folder, under the umask of the process.
fn new_file_permissions(folder: &Path) -> io::Result<Permissions> {
    let probe = tempfile::Builder::new().prefix(".hagane-").make_in(folder, |path| File::create_new(path))?;
    Ok(probe.as_file().metadata()?.permissions())
}

/// A file that only grows. A kill may leave half an entry at its end, which is cut off when it is opened next; what
/// stands before it never changes.
#[derive(Debug)]
pub struct AppendFile(File);

impl AppendFile {
    /// Opens a file, or makes an empty one.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn open(path: &Path) -> io::Result<Self> {
        options().open(path).map(Self)
    }

    /// Opens a file, or makes an empty one, that no other process may open in this way until it is closed; `None` where
    /// another one has it. Everybody may read it meanwhile. A system that has no locks on files refuses nobody.
    ///
    /// # Errors
    /// Those of the file system.
    #[cfg(windows)]
    pub fn open_exclusive(path: &Path) -> io::Result<Option<Self>> {
        use std::os::windows::fs::OpenOptionsExt;
        use windows_sys::Win32::Foundation::ERROR_SHARING_VIOLATION;
        use windows_sys::Win32::Storage::FileSystem::FILE_SHARE_READ;
        // A lock would keep readers out, too: locks are mandatory here.
        match options().share_mode(FILE_SHARE_READ).open(path) {
            Ok(file) => Ok(Some(Self(file))),
            Err(error) if error.raw_os_error() == Some(ERROR_SHARING_VIOLATION as i32) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Opens a file, or makes an empty one, that no other process may open in this way until it is closed; `None` where
    /// another one has it. Everybody may read it meanwhile. A system that has no locks on files refuses nobody.
    ///
    /// # Errors
    /// Those of the file system.
    #[cfg(not(windows))]
    pub fn open_exclusive(path: &Path) -> io::Result<Option<Self>> {
        let file = Self::open(path)?;
        let is_in_use = || matches!(file.0.try_lock(), Err(fs::TryLockError::WouldBlock));
        // A child that has been forked and is not its own program yet holds, for that moment, what has been closed here.
        let until = Instant::now() + FORK;
        let mut in_use = is_in_use();
        while in_use && Instant::now() < until {
            thread::sleep(FORK / 50);
            in_use = is_in_use();
        }
        Ok((!in_use).then_some(file))
    }

    /// Everything that it holds.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn read(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.0.rewind()?;
        self.0.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Its length in bytes.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn length(&self) -> io::Result<u64> {
        Ok(self.0.metadata()?.len())
    }

    /// Whether it ends with some bytes.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn ends_with(&mut self, end: &[u8]) -> io::Result<bool> {
        if self.length()? < end.len() as u64 {
            return Ok(false);
        }
        let mut last = vec![0; end.len()];
        self.0.seek(SeekFrom::End(-(end.len() as i64)))?;
        self.0.read_exact(&mut last)?;
        Ok(last == end)
    }

    /// Cuts off what stands after the first `length` bytes.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn cut(&mut self, length: u64) -> io::Result<()> {
        self.0.set_len(length)
    }

    /// Writes an entry at the end, with one call.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn append(&mut self, entry: &[u8]) -> io::Result<()> {
        self.0.seek(SeekFrom::End(0))?;
        self.0.write_all(entry)
    }
}

/// Not `append`: on Windows such a file cannot be cut.
fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_keeps_its_permissions() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        write_whole(&path, b"old").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions.clone()).unwrap();
        if cfg!(windows) {
            assert_eq!(write_whole(&path, b"new").unwrap_err().to_string(), "the file is read-only");
            assert_eq!(fs::read(&path).unwrap(), b"old");
        } else {
            write_whole(&path, b"new").unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"new");
        }
        assert_eq!(fs::metadata(&path).unwrap().permissions(), permissions);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
        assert!(write_whole(&folder.path().join("no/such/file"), b"").is_err());
        #[expect(clippy::permissions_set_readonly_false, reason = "Windows removes no folder with a read-only file")]
        permissions.set_readonly(false);
        fs::set_permissions(&path, permissions).unwrap();
    }

    #[test]
    fn entries_are_appended_after_a_cut() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut file = AppendFile::open_exclusive(&path).unwrap().unwrap();
        file.append(b"one two").unwrap();
        assert!(AppendFile::open_exclusive(&path).unwrap().is_none());
        assert_eq!(fs::read(&path).unwrap(), b"one two", "others may read it meanwhile");
        drop(file);
        let mut file = AppendFile::open_exclusive(&path).unwrap().unwrap();
        assert_eq!(file.read().unwrap(), b"one two");
        file.cut(4).unwrap();
        file.append(b"three").unwrap();
        assert_eq!((file.read().unwrap(), file.length().unwrap()), (b"one three".to_vec(), 9));
        assert!(file.ends_with(b"three").unwrap() && !file.ends_with(b"two").unwrap());
        assert!(!file.ends_with(b"longer than the file").unwrap());
    }
}
