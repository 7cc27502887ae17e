//! Output files: made before the long run, given their name at its end.
//!
//! What is written goes to `NAME.partial` beside the file; only a complete one takes the name. So a run that is killed
//! leaves no half file that looks whole, and a path that can't be written is known before the work. What is no regular
//! file (a pipe, `/dev/null`) is written to directly.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::failure::Failure;

/// An output file in the making; dropped before its end it leaves nothing behind.
#[derive(Debug)]
pub struct Output {
    path: PathBuf,
    partial: Option<PathBuf>,
    writer: BufWriter<File>,
}

impl Output {
    /// Makes the file beside its final place.
    ///
    /// # Errors
    /// It can't be made there.
    pub fn create(path: &Path) -> Result<Output, Failure> {
        Output::open(path).map_err(|source| Failure::Output { path: path.to_owned(), source })
    }

    fn open(path: &Path) -> io::Result<Output> {
        // Through a symbolic link to the file itself, so that the link stays one.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let special = match fs::metadata(&path) {
            Ok(found) if found.is_dir() => return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder")),
            Ok(found) => !found.is_file(),
            Err(_) => false,
        };
        if special {
            let file = fs::OpenOptions::new().write(true).open(&path)?;
            return Ok(Output { path, partial: None, writer: BufWriter::new(file) });
        }
        let name = path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "it names no file"))?;
        let mut partial: OsString = name.to_owned();
        partial.push(".partial");
        let partial = path.with_file_name(partial);
        let file = File::create(&partial)?;
        Ok(Output { path, partial: Some(partial), writer: BufWriter::with_capacity(1 << 16, file) })
    }

    /// Writes to it.
    ///
    /// # Errors
    /// It can't be written.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.writer.write_all(bytes).map_err(|source| self.failed(source))
    }

    /// Writes to it as `render` does.
    ///
    /// # Errors
    /// It can't be written.
    pub fn write_with(&mut self, render: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
        render(&mut self.writer).map_err(|source| self.failed(source))
    }

    /// Completes the file under its name.
    ///
    /// # Errors
    /// It can't be completed.
    pub fn finish(mut self) -> Result<(), Failure> {
        let partial = self.partial.clone();
        let done = self.writer.flush().and_then(|()| match &partial {
            Some(partial) => fs::rename(partial, &self.path),
            None => Ok(()),
        });
        done.map_err(|source| self.failed(source))?;
        self.partial = None;
        Ok(())
    }

    /// Leaves what was written beside the file's place, which isn't touched; says where it is.
    ///
    /// # Errors
    /// It can't be completed.
    pub fn leave(mut self) -> Result<PathBuf, Failure> {
        self.writer.flush().map_err(|source| self.failed(source))?;
        Ok(self.partial.take().unwrap_or_else(|| self.path.clone()))
    }

    fn failed(&self, source: io::Error) -> Failure {
        Failure::Output { path: self.path.clone(), source }
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Some(partial) = &self.partial {
            let _ = fs::remove_file(partial);
        }
    }
}

/// Refuses outputs that would overwrite each other or the input.
///
/// # Errors
/// Two of them are the same file.
pub fn apart(inputs: &[PathBuf], outputs: &[&Path]) -> Result<(), Failure> {
    let same = |a: &Path, b: &Path| a == b || matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b);
    for (index, output) in outputs.iter().enumerate() {
        let special = fs::metadata(output).is_ok_and(|found| !found.is_file() && !found.is_dir());
        if special {
            continue;
        }
        if outputs.iter().skip(index + 1).any(|other| same(output, other)) {
            return Err(Failure::Usage(format!("`{}` is asked for as two outputs", output.display())));
        }
        if inputs.iter().any(|input| same(output, input)) {
            return Err(Failure::Usage(format!(
                "`{}` is input and output at once: it would be overwritten",
                output.display()
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_takes_its_name_when_it_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.jsonl");
        let partial = folder.path().join("out.jsonl.partial");
        let mut output = Output::create(&path).unwrap();
        output.write(b"one\n").unwrap();
        assert!(partial.exists() && !path.exists());
        output.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one\n");
        assert!(!partial.exists());
    }

    #[test]
    fn a_run_that_failed_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.csv");
        fs::write(&path, "old").unwrap();
        let mut output = Output::create(&path).unwrap();
        output.write(b"new").unwrap();
        drop(output);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn an_interrupted_run_leaves_what_it_has_beside() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.csv");
        let mut output = Output::create(&path).unwrap();
        output.write(b"begin").unwrap();
        let left = output.leave().unwrap();
        assert_eq!(fs::read(left).unwrap(), b"begin");
        assert!(!path.exists());
    }

    #[test]
    fn outputs_stay_apart() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data.jsonl");
        fs::write(&data, "").unwrap();
        let other = folder.path().join("other");
        assert!(apart(std::slice::from_ref(&data), &[&other]).is_ok());
        assert!(apart(std::slice::from_ref(&data), &[&data]).is_err());
        assert!(apart(&[], &[&other, &other]).is_err());
    }

    #[test]
    fn a_missing_folder_is_known_at_once() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Output::create(&folder.path().join("none/out.csv")).is_err());
        assert!(Output::create(folder.path()).is_err());
    }
}
