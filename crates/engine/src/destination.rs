//! Where results are written to: which files may be replaced, and why one cannot be written, in words.

use crate::error::EngineError;
use report::NewFile;
use std::io::{Error, ErrorKind};
use std::path::Path;

/// A file of results that appears whole or not at all. A project file is never replaced by one.
pub(crate) fn create(path: &Path) -> Result<NewFile, EngineError> {
    refuse_project(path)?;
    NewFile::create(path).map_err(|why| EngineError::Unwritable { path: path.to_owned(), why })
}

fn refuse_project(path: &Path) -> Result<(), EngineError> {
    if store::is_project(path) {
        return Err(EngineError::Usage(format!(
            "{} is a Gossamer project; results are not written over it: choose another file",
            path.display()
        )));
    }
    Ok(())
}

/// Why the file cannot be written, without the numbers of the operating system.
pub(crate) fn reason(path: &Path, why: &Error) -> String {
    let folder = match path.parent() {
        Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
        Some(folder) => folder,
        None => path,
    };
    let shown = folder.display();
    match why.kind() {
        ErrorKind::NotFound if !folder.exists() => format!("the folder {shown} does not exist"),
        ErrorKind::NotADirectory => format!("{shown} is not a folder"),
        ErrorKind::PermissionDenied => format!("no permission to write in {shown}"),
        ErrorKind::ReadOnlyFilesystem => format!("the disk that holds {shown} is read-only"),
        ErrorKind::StorageFull => format!("the disk that holds {shown} is full"),
        _ => {
            let text = why.to_string();
            text.split_once(" (os error").map_or(text.as_str(), |(words, _)| words).to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_the_way_is_told_in_words() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "x").unwrap();
        let check = |path: &Path, expect: &str| {
            let error = create(path).err().unwrap().to_string();
            assert_eq!(error, format!("{} cannot be written: {expect}", path.display()));
        };
        let absent = folder.path().join("absent");
        check(&absent.join("x.csv"), &format!("the folder {} does not exist", absent.display()));
        check(&file.join("x.csv"), &format!("{} is not a folder", file.display()));
        check(folder.path(), "a folder of that name exists");
        let denied = Error::from(ErrorKind::PermissionDenied);
        assert_eq!(reason(Path::new("/x/y.csv"), &denied), "no permission to write in /x");
        #[cfg(target_os = "linux")]
        assert_eq!(reason(&file, &Error::from_raw_os_error(24)), "Too many open files");
    }
}
