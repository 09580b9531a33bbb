//! Files that appear whole or not at all, and names that stay within their folder.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file that is written beside its destination and takes its place when complete. Dropped before that, it is removed and
/// what stood there stays.
pub struct NewFile {
    out: BufWriter<File>,
    partial: PathBuf,
    destination: PathBuf,
    placed: bool,
}

impl NewFile {
    pub fn create(destination: &Path) -> io::Result<Self> {
        if destination.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "a folder of that name exists"));
        }
        let name = destination
            .file_name()
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "no file name"))?;
        let mut partial_name = std::ffi::OsString::from(".");
        partial_name.push(name);
        partial_name.push(format!(".{}.part", std::process::id()));
        let partial = destination.with_file_name(partial_name);
        let out = BufWriter::with_capacity(
            1 << 16,
            OpenOptions::new().write(true).create(true).truncate(true).open(&partial)?,
        );
        Ok(Self { out, partial, destination: destination.to_owned(), placed: false })
    }

    /// Puts the file in its place.
    pub fn place(mut self) -> io::Result<()> {
        self.out.flush()?;
        self.out.get_ref().sync_all()?;
        std::fs::rename(&self.partial, &self.destination)?;
        self.placed = true;
        Ok(())
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if !self.placed {
            // Nothing more can be done about a leftover than to try.
            let _ = std::fs::remove_file(&self.partial);
        }
    }
}

/// A file name made of text from elsewhere: no separators, no control characters, nothing that Windows reserves, at most
/// 100 characters, never empty.
pub fn file_name(text: &str) -> String {
    const RESERVED: [&str; 22] = [
        "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9",
        "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
    ];
    let clean: String = text
        .chars()
        .take(100)
        .map(|c| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' })
        .collect();
    let clean = clean.trim_matches(['.', '-']);
    let stem = clean.split('.').next().unwrap_or_default().to_ascii_lowercase();
    match clean {
        "" => "site".to_owned(),
        name if RESERVED.contains(&stem.as_str()) => format!("site-{name}"),
        name => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_their_folder() {
        let check = |text: &str, expect: &str| assert_eq!(file_name(text), expect);
        check("www.example.com", "www.example.com");
        check("../../etc/passwd", "etc-passwd");
        check("C:\\x\u{0}\n", "C--x");
        check("..", "site");
        check("", "site");
        check("NUL", "site-NUL");
        check("con.example", "site-con.example");
        check("[::1]", "1");
        assert_eq!(file_name(&"x".repeat(5000)).len(), 100);
    }

    #[test]
    fn a_file_appears_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.csv");
        std::fs::write(&path, "old").unwrap();
        let mut file = NewFile::create(&path).unwrap();
        file.write_all(b"half").unwrap();
        drop(file);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
        let mut file = NewFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        file.place().unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
        assert!(NewFile::create(folder.path()).is_err());
    }
}
