//! The bytes of a file, decompressed; what is compressed is known by its first bytes, not by its name.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::bufread::MultiGzDecoder;

/// How much is read of a compressed file at once, in bytes.
const COMPRESSED_CHUNK: usize = 128 << 10;

const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// Decompressed bytes.
pub(super) type Source = Box<dyn Read + Send>;

/// Opens a file, or standard input. What is read of it as stored is counted.
pub(super) fn open(path: Option<&Path>, read: &Arc<AtomicU64>) -> io::Result<Source> {
    match path {
        Some(path) => decompressed(Counted { inner: File::open(path)?, read: Arc::clone(read) }),
        None => decompressed(Counted { inner: io::stdin(), read: Arc::clone(read) }),
    }
}

fn decompressed(mut stored: impl Read + Send + 'static) -> io::Result<Source> {
    let mut first = Vec::with_capacity(4);
    stored.by_ref().take(4).read_to_end(&mut first)?;
    let (gzip, zstd) = (first.starts_with(GZIP), first.starts_with(ZSTD));
    let all = Cursor::new(first).chain(stored);
    Ok(if gzip {
        Box::new(MultiGzDecoder::new(BufReader::with_capacity(COMPRESSED_CHUNK, all)))
    } else if zstd {
        Box::new(zstd::stream::read::Decoder::with_buffer(BufReader::with_capacity(COMPRESSED_CHUNK, all))?)
    } else {
        Box::new(all)
    })
}

/// Counts what is read through it.
struct Counted<R> {
    inner: R,
    read: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}
