//! The list of input files: paths, folders and globs become names, sizes and hashes.
//!
//! A folder stands for its files that end in a known way, at any depth. A path that exists is
//! taken literally, else `*`, `?`, `[..]` and `**` make it a glob over the folder in front of
//! them; `*` does not cross a `/`. A file that was named, or matched by a glob, is listed whatever
//! its ending and size, so that admission can say why it is not used.
//!
//! Cost: each file is read once, streamed, for its BLAKE3.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;

use futures::{FutureExt, StreamExt, TryStreamExt, stream};
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt};
use tokio::runtime::Handle;

use super::source;
use crate::error::{Error, Result};

/// Endings that a folder is searched for, compared without case.
const ENDINGS: [(&str, Format); 7] = [
    (".parquet", Format::Parquet),
    (".jsonl", Format::Lines(Packing::None)),
    (".ndjson", Format::Lines(Packing::None)),
    (".jsonl.gz", Format::Lines(Packing::Gzip)),
    (".ndjson.gz", Format::Lines(Packing::Gzip)),
    (".jsonl.zst", Format::Lines(Packing::Zstd)),
    (".ndjson.zst", Format::Lines(Packing::Zstd)),
];

/// Files that are hashed at a time.
const HASHED_AT_ONCE: usize = 4;

/// What the ending of a name promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// `.parquet`
    Parquet,
    /// `.jsonl`, `.ndjson`
    Lines(Packing),
}

/// How JSON Lines are compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Packing {
    /// Not at all.
    None,
    /// `.gz`, one member or many.
    Gzip,
    /// `.zst`, one frame or many.
    Zstd,
}

impl Format {
    /// What the ending of `name` promises; `None` for an ending that is not known.
    pub(super) fn of(name: &str) -> Option<Format> {
        let name = name.to_ascii_lowercase();
        ENDINGS.iter().find(|(ending, _)| name.ends_with(ending)).map(|(_, format)| *format)
    }
}

/// Where a file is.
#[derive(Debug, Clone)]
pub struct Location {
    pub(super) store: Arc<dyn ObjectStore>,
    pub(super) path: Path,
}

/// A file as it was listed.
#[derive(Debug, Clone)]
pub struct InputFile {
    /// As shown to people, without credentials: a named file as it was given; a file of a folder
    /// or glob by its path below that folder, with the folder in front where names would collide.
    pub name: String,
    /// Where it is.
    pub location: Location,
    /// Bytes.
    pub size: u64,
    /// BLAKE3 of all bytes, in hex.
    pub blake3: String,
}

impl InputFile {
    /// A file that is held in memory, for tests.
    #[doc(hidden)]
    pub fn of_bytes(name: &str, bytes: Vec<u8>) -> Result<InputFile> {
        let store = object_store::memory::InMemory::new();
        let path = Path::from("file");
        let size = source::wide(bytes.len());
        let blake3 = blake3::hash(&bytes).to_hex().to_string();
        match store.put(&path, bytes.into()).now_or_never() {
            Some(Ok(_)) => {
                let location = Location { store: Arc::new(store), path };
                Ok(InputFile { name: name.to_owned(), location, size, blake3 })
            }
            _ => Err(Error::store("memory did not take a file")),
        }
    }
}

/// A file before it is hashed.
struct Found {
    short: String,
    long: String,
    location: Location,
    key: String,
}

/// Lists the files of `patterns`, sorted by name, each once.
///
/// Fails where a pattern matches nothing (a job error that names it) and where a file cannot be
/// listed or read (a store error).
pub async fn list(patterns: &[String]) -> Result<Vec<InputFile>> {
    let mut found = BTreeMap::new();
    for pattern in patterns {
        let files = expand(pattern).await?;
        if files.is_empty() {
            return Err(nothing(pattern));
        }
        for file in files {
            found.entry(file.key.clone()).or_insert(file);
        }
    }
    let mut shared: BTreeMap<String, usize> = BTreeMap::new();
    for file in found.values() {
        *shared.entry(file.short.clone()).or_default() += 1;
    }
    let named = found.into_values().map(|file| {
        let collides = shared.get(&file.short).is_some_and(|files| *files > 1);
        (if collides { file.long } else { file.short }, file.location)
    });
    let hashed = stream::iter(named).map(|(name, location)| hash(name, location));
    let mut files: Vec<InputFile> = hashed.buffer_unordered(HASHED_AT_ONCE).try_collect().await?;
    files.sort_by(|left, right| {
        (&left.name, &left.location.path).cmp(&(&right.name, &right.location.path))
    });
    Ok(files)
}

/// Reads the file once, for its size and hash.
async fn hash(name: String, location: Location) -> Result<InputFile> {
    let runtime = Handle::current();
    let task = tokio::task::spawn_blocking(move || {
        let mut hasher = blake3::Hasher::new();
        let size = source::open(&location, &runtime)
            .and_then(|mut reader| {
                let mut buffer = vec![0; 256 << 10];
                let mut size = 0;
                loop {
                    let read = match reader.read(&mut buffer) {
                        Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                        read => read?,
                    };
                    if read == 0 {
                        return Ok(size);
                    }
                    hasher.update(&buffer[..read]);
                    size += source::wide(read);
                }
            })
            .map_err(|error| source::unread(&name, error))?;
        let blake3 = hasher.finalize().to_hex().to_string();
        Ok(InputFile { name, location, size, blake3 })
    });
    task.await.unwrap_or_else(|error| Err(Error::store("hashing a file stopped").because(error)))
}

/// The files of one pattern; none where it matches nothing.
async fn expand(pattern: &str) -> Result<Vec<Found>> {
    if pattern.contains("://") {
        return expand_url(pattern).await;
    }
    let given = FilePath::new(pattern);
    if let Ok(about) = tokio::fs::metadata(given).await {
        let base = canonical(given, pattern).await?;
        if about.is_dir() {
            return below(local(&base, pattern)?, pattern, pattern, "", None).await;
        }
        return Ok(vec![single(local(&base, pattern)?, pattern, "")]);
    }
    let Some((folder, rest)) = split_glob(pattern) else { return Err(nothing(pattern)) };
    let glob = compile(&rest, pattern)?;
    let folder_path = if folder.is_empty() { PathBuf::from(".") } else { PathBuf::from(&folder) };
    if !tokio::fs::metadata(&folder_path).await.is_ok_and(|about| about.is_dir()) {
        return Err(nothing(pattern));
    }
    let base = canonical(&folder_path, pattern).await?;
    below(local(&base, pattern)?, &folder, pattern, "", Some(&glob)).await
}

/// As [`expand`], for `scheme://` addresses of stores that this build knows.
async fn expand_url(pattern: &str) -> Result<Vec<Found>> {
    let (folder, glob) = match split_glob(pattern) {
        Some((folder, rest)) => (folder, Some(compile(&rest, pattern)?)),
        None => (pattern.to_owned(), None),
    };
    let unknown = || format!("input {}: not an address of a known store", shown(pattern));
    let url = url::Url::parse(&folder).map_err(|error| Error::job(unknown()).because(error))?;
    // Endpoint, region and keys, where the build knows a store that wants them.
    let settings = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    let (store, path) = object_store::parse_url_opts(&url, settings)
        // The cause would show the whole address.
        .map_err(|_| Error::job(unknown()))?;
    let location = Location { store: Arc::from(store), path };
    let label = redacted(&folder);
    let space = label.split('/').take(3).collect::<Vec<_>>().join("/");
    let space = if space.starts_with("file:") { String::new() } else { space };
    if glob.is_none() && location.store.head(&location.path).await.is_ok() {
        return Ok(vec![single(location, &label, &space)]);
    }
    below(location, &label, pattern, &space, glob.as_ref()).await
}

/// A file that was named itself.
fn single(location: Location, name: &str, space: &str) -> Found {
    let key = format!("{space}/{}", location.path);
    Found { short: name.to_owned(), long: name.to_owned(), location, key }
}

/// Whether a part of a path is passed over when a folder is read: `_stage` of a generation, `.git`.
fn is_hidden(part: &str) -> bool {
    part.starts_with(['_', '.'])
}

/// The files below a folder: those that `glob` matches, else those with a known ending.
async fn below(
    folder: Location,
    label: &str,
    pattern: &str,
    space: &str,
    glob: Option<&glob::Pattern>,
) -> Result<Vec<Found>> {
    let prefix = (!folder.path.as_ref().is_empty()).then_some(&folder.path);
    let mut objects = folder.store.list(prefix);
    let mut files = Vec::new();
    while let Some(object) = objects.next().await {
        let object = object.map_err(|error| {
            Error::store(format!("input {}: cannot be listed", shown(pattern))).because(error)
        })?;
        let Some(parts) = object.location.prefix_match(&folder.path) else { continue };
        let parts: Vec<_> = parts.map(|part| part.as_ref().to_owned()).collect();
        let short = parts.join("/");
        let wanted = match glob {
            Some(glob) => glob.matches_with(&short, GLOB),
            None => Format::of(&short).is_some() && !parts.iter().any(|part| is_hidden(part)),
        };
        if wanted {
            let slash = if label.is_empty() || label.ends_with('/') { "" } else { "/" };
            let long = format!("{label}{slash}{short}");
            let key = format!("{space}/{}", object.location);
            let location = Location { store: Arc::clone(&folder.store), path: object.location };
            files.push(Found { short, long, location, key });
        }
    }
    Ok(files)
}

/// `*` stays within a folder, case counts.
const GLOB: glob::MatchOptions = glob::MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: false,
};

fn compile(rest: &str, pattern: &str) -> Result<glob::Pattern> {
    glob::Pattern::new(rest)
        .map_err(|error| Error::job(format!("input {}: not a glob", shown(pattern))).because(error))
}

/// The folder before the first wildcard, and the rest; `None` without a wildcard.
fn split_glob(pattern: &str) -> Option<(String, String)> {
    let wildcard = pattern.find(['*', '?', '['])?;
    match pattern[..wildcard].rfind('/') {
        Some(0) => Some(("/".to_owned(), pattern[1..].to_owned())),
        Some(slash) => Some((pattern[..slash].to_owned(), pattern[slash + 1..].to_owned())),
        None => Some((String::new(), pattern.to_owned())),
    }
}

async fn canonical(path: &FilePath, pattern: &str) -> Result<PathBuf> {
    tokio::fs::canonicalize(path).await.map_err(|error| {
        Error::store(format!("input {}: cannot be opened", shown(pattern))).because(error)
    })
}

fn local(path: &FilePath, pattern: &str) -> Result<Location> {
    let path = Path::from_absolute_path(path).map_err(|error| {
        Error::job(format!("input {}: not a usable path", shown(pattern))).because(error)
    })?;
    Ok(Location { store: Arc::new(LocalFileSystem::new()), path })
}

fn nothing(pattern: &str) -> Error {
    Error::job(format!("input {} matches no file", shown(pattern)))
}

/// `pattern` for people, control characters escaped.
fn shown(pattern: &str) -> String {
    super::row::clean(&redacted(pattern))
}

/// An address without user, query and fragment, which is where credentials are.
fn redacted(pattern: &str) -> String {
    let Some((scheme, rest)) = pattern.split_once("://") else { return pattern.to_owned() };
    let rest = rest.split('#').next().unwrap_or_default();
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let host = host.rsplit('@').next().unwrap_or_default();
    // A `?` may also be a wildcard; a query has a `=`.
    let path = match path.split_once('?') {
        Some((path, query)) if query.contains('=') => path,
        _ => path,
    };
    format!("{scheme}://{host}/{path}")
}
