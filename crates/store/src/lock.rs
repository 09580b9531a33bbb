//! The exclusive right to write one project file.

use crate::error::StoreError;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Held by the one writer of a file; the operating system takes it back when the process ends, however it ends.
#[derive(Debug)]
pub(crate) struct Lock {
    file: File,
    path: PathBuf,
}

/// Times that a lock file may vanish between opening and locking it: each is the end of another writer.
const ATTEMPTS: usize = 100;

/// Refusals after which the lock counts as held by a writer.
const PATIENCE: usize = 10;

/// Tells the locks that this process took apart.
static TAKEN: AtomicU64 = AtomicU64::new(0);

impl Lock {
    /// Takes the lock on `project`, or says who holds it.
    pub(crate) fn take(project: &Path, program: &str) -> Result<Self, StoreError> {
        let path = beside(&real(project), "-lock");
        let unwritable =
            |error: std::io::Error| StoreError::ReadOnly { path: project.to_owned(), why: error.to_string() };
        let mut refused = 0;
        for _ in 0..ATTEMPTS {
            let mut file = OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(&path)
                .map_err(unwritable)?;
            match file.try_lock() {
                Ok(()) => {}
                // Somebody who only asks who writes (`holder`) is gone in a moment.
                Err(TryLockError::WouldBlock) if refused < PATIENCE => {
                    refused += 1;
                    std::thread::yield_now();
                    continue;
                }
                Err(TryLockError::WouldBlock) => {
                    let holder = holder_in(&mut file);
                    return Err(StoreError::Held { path: project.to_owned(), holder });
                }
                Err(TryLockError::Error(error)) => return Err(unwritable(error)),
            }
            let number = TAKEN.fetch_add(1, Ordering::Relaxed);
            let holder = format!("{program}, process {}", std::process::id());
            file.set_len(0)?;
            file.rewind()?;
            write!(file, "{holder}\n{number}\n")?;
            file.flush()?;
            // The last holder may have removed the file after it was opened here and before it was locked: then the
            // lock is on a file that no name leads to any more, and somebody else may lock the next one.
            if is_behind(&path, &format!("{holder}\n{number}\n")) {
                return Ok(Self { file, path });
            }
        }
        Err(StoreError::Held { path: project.to_owned(), holder: "several programs".to_owned() })
    }
}

/// Whether the file of that name is the one that was just written. Where a lock keeps other handles from reading
/// (Windows), a locked file cannot have been removed either.
fn is_behind(path: &Path, written: &str) -> bool {
    match std::fs::read_to_string(path) {
        Ok(text) => text == written,
        Err(error) => error.kind() != std::io::ErrorKind::NotFound,
    }
}

/// Who writes to the project file at this moment, such as `gossamer 1.2.3, process 4711`; `None` where nobody does.
pub fn holder(project: &Path) -> Option<String> {
    let mut file = File::open(beside(&real(project), "-lock")).ok()?;
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => Some(holder_in(&mut file)),
        // What a writer left that was killed.
        Ok(()) => {
            let _ = file.unlock();
            None
        }
        Err(TryLockError::Error(_)) => None,
    }
}

fn holder_in(file: &mut File) -> String {
    let mut text = String::new();
    // Who holds it is a courtesy; that somebody does is known without it.
    let _ = file.take(4096).read_to_string(&mut text);
    let holder = text.lines().next().map(str::trim).filter(|line| !line.is_empty());
    holder.unwrap_or("another program").to_owned()
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Removed while it is still held: whoever opens the path afterwards makes a new file.
        let _ = std::fs::remove_file(&self.path);
        let _ = self.file.unlock();
    }
}

/// The path without symbolic links, so that two names of one file share one lock.
pub(crate) fn real(project: &Path) -> PathBuf {
    if let Ok(path) = project.canonicalize() {
        return path;
    }
    let folder = project.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (folder.canonicalize(), project.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => project.to_owned(),
    }
}

/// `x.gossamer` → `x.gossamer-lock`.
pub(crate) fn beside(project: &Path, suffix: &str) -> PathBuf {
    let mut name = project.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn nobody_holds_a_lock_that_another_holds_however_often_it_changes_hands() {
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().join("site.gossamer");
        let (inside, taken) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..1_500 {
                        let Ok(lock) = Lock::take(&project, "test") else { continue };
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0, "two hold it at once");
                        taken.fetch_add(1, Ordering::SeqCst);
                        std::thread::yield_now();
                        inside.fetch_sub(1, Ordering::SeqCst);
                        drop(lock);
                    }
                });
            }
        });
        assert!(taken.into_inner() > 100);
        assert!(!beside(&project, "-lock").exists());
    }

    #[test]
    fn who_writes_is_told_and_a_leftover_is_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().join("site.gossamer");
        assert_eq!(holder(&project), None);
        let lock = Lock::take(&project, "test").unwrap();
        let me = format!("test, process {}", std::process::id());
        assert_eq!(holder(&project).as_deref(), Some(me.as_str()));
        let refusal = Lock::take(&project, "second").unwrap_err().to_string();
        assert!(refusal.contains(&me) && refusal.contains("wait for it or stop it"), "{refusal}");
        drop(lock);
        std::fs::write(beside(&project, "-lock"), "killed, process 1\n0\n").unwrap();
        assert_eq!(holder(&project), None);
        Lock::take(&project, "test").unwrap();
    }

    #[test]
    fn a_path_has_one_name_without_links_whether_or_not_it_exists() {
        let folder = tempfile::tempdir().unwrap();
        let real_folder = folder.path().canonicalize().unwrap();
        let check = |path: &Path, expect: &Path| assert_eq!(real(path), expect);
        check(&folder.path().join(".").join("x"), &real_folder.join("x"));
        check(
            Path::new("not-there.gossamer"),
            &std::env::current_dir().unwrap().canonicalize().unwrap().join("not-there.gossamer"),
        );
        check(Path::new("/not/there/x"), Path::new("/not/there/x"));
        assert_eq!(beside(Path::new("a/x.gossamer"), "-lock"), Path::new("a/x.gossamer-lock"));
    }
}
