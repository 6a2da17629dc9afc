//! Generations on an object store: stage files under their key, a manifest written last.
//!
//! ```text
//! ROOT/_stage/<table>-<key>/part-....parquet   files of one stage, immutable
//! ROOT/_stage/<table>-<key>/done.json          what was written, from what
//! ROOT/_manifest/000042.json                   publishes a generation; created, never replaced
//! ROOT/_run/000042.json                        clocks and figures of the run that made it
//! ```
//!
//! The current generation is the highest manifest. A file is named in a manifest with its size and
//! BLAKE3, or it does not exist for a reader. Two publishers race on one number and the store lets
//! one create it; an answer that was lost on the way is recognised by reading back.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use futures::TryStreamExt;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt, PutMode, PutOptions, PutPayload};
use serde::{Deserialize, Serialize};
use url::Url;

use crate::error::{Error, Kind, Result};

/// A file of a table, relative to the folder of its stage.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct DataFile {
    /// Name within the folder of the stage.
    pub name: String,
    /// Rows in it.
    pub rows: u64,
    /// Its size.
    pub bytes: u64,
    /// BLAKE3 of the whole file, hex.
    pub blake3: String,
}

/// What decided the output of a stage; the stage key is the hash of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipe {
    /// BLAKE3 of the SQL text, or the name of a built-in step with its version.
    pub code: String,
    /// Versions of the methods that the plan uses.
    pub methods: Vec<String>,
    /// Parameters by name.
    pub params: BTreeMap<String, String>,
    /// Keys of the tables it reads, by logical name; of input files, by BLAKE3 and count.
    pub inputs: BTreeMap<String, String>,
    /// BLAKE3 of the columns it writes, and of how they are laid out.
    pub layout: String,
}

impl Recipe {
    /// The stage key: 32 hex digits.
    pub fn key(&self) -> String {
        let text = serde_json::to_string(self).unwrap_or_default();
        let mut key = blake3::hash(text.as_bytes()).to_hex().to_string();
        key.truncate(32);
        key
    }
}

/// Done marker of a stage, and its entry in a manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Done {
    /// Table it wrote.
    pub table: String,
    /// Stage key.
    pub key: String,
    /// What decided it.
    pub recipe: Recipe,
    /// Rows written.
    pub rows: u64,
    /// Files written.
    pub files: Vec<DataFile>,
}

impl Done {
    /// Folder of the stage below the root.
    pub fn folder(&self) -> String {
        folder(&self.table, &self.key)
    }
}

/// Folder of a stage below the root.
pub fn folder(table: &str, key: &str) -> String {
    format!("_stage/{table}-{}", key.get(..16).unwrap_or(key))
}

/// A generation: every table with its files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of this format.
    pub format: u32,
    /// Number of the generation, from 1.
    pub generation: u64,
    /// Generation it follows, if any.
    pub parent: Option<u64>,
    /// Unique to the run that wrote it.
    pub attempt: String,
    /// Name of the job.
    pub job: String,
    /// Pinned methods.
    pub methods: Vec<String>,
    /// Input rows, set-aside ones included.
    pub rows: u64,
    /// Input rows that were set aside.
    pub quarantined: u64,
    /// Tables by name, in the order in which they were made.
    pub tables: Vec<Done>,
}

impl Manifest {
    /// The table called `name`.
    pub fn table(&self, name: &str) -> Option<&Done> {
        self.tables.iter().find(|done| done.table == name)
    }
}

/// The folder of the generations.
#[derive(Debug, Clone)]
pub struct Store {
    store: Arc<dyn ObjectStore>,
    local: PathBuf,
    base: Path,
}

fn fault(what: &str, cause: object_store::Error) -> Error {
    let is_full = cause.to_string().contains("No space left");
    let kind = if is_full { Kind::Resources } else { Kind::Store };
    Error::new(kind, what.to_owned()).because(cause)
}

/// The folder that `root`, a path or a `file:` URL, names.
fn local_path(root: &str) -> Result<PathBuf> {
    match root.split_once("://") {
        None => Ok(PathBuf::from(root)),
        Some(("file", _)) => Url::parse(root)
            .ok()
            .and_then(|url| url.to_file_path().ok())
            .ok_or_else(|| Error::job(format!("output.root {root} is not a file URL"))),
        Some((scheme, _)) => {
            Err(Error::job(format!("output.root has scheme {scheme}, wanted a folder or file:")))
        }
    }
}

impl Store {
    /// Opens `root`, a folder or a `file:` URL; it is made when it is missing.
    ///
    /// # Errors
    ///
    /// A store error when it cannot be made; a job error for a scheme that is not supported.
    pub fn open(root: &str) -> Result<Self> {
        let local = local_path(root)?;
        let made = std::fs::create_dir_all(&local).and_then(|()| local.canonicalize());
        let local = made.map_err(|cause| {
            Error::store(format!("output.root {root} cannot be made: {cause}")).because(cause)
        })?;
        let base = Path::from_absolute_path(&local)
            .map_err(|cause| Error::store(format!("output.root {root}: {cause}")))?;
        Ok(Self { store: Arc::new(LocalFileSystem::new()), local, base })
    }

    /// Opens `root` only if it exists, for commands that read.
    ///
    /// # Errors
    ///
    /// A job error when there is no such folder.
    pub fn open_existing(root: &str) -> Result<Self> {
        let local = local_path(root)?;
        if !local.is_dir() {
            return Err(Error::job(format!("{root} is not a folder of generations")));
        }
        Self::open(root)
    }

    /// The root as people write it.
    pub fn root(&self) -> String {
        self.local.display().to_string()
    }

    /// URL of a folder below the root, with a final slash.
    ///
    /// # Errors
    ///
    /// A store error when the root is no absolute path.
    pub fn url(&self, folder: &str) -> Result<Url> {
        Url::from_directory_path(self.local.join(folder))
            .map_err(|()| Error::store(format!("{} is not absolute", self.root())))
    }

    fn path(&self, relative: &str) -> Path {
        relative.split('/').fold(self.base.clone(), |path, part| path.join(part))
    }

    async fn read(&self, relative: &str) -> Result<Option<Vec<u8>>> {
        match self.store.get(&self.path(relative)).await {
            Ok(found) => {
                let bytes = found.bytes().await;
                Ok(Some(
                    bytes.map_err(|cause| fault(&format!("reading {relative}"), cause))?.into(),
                ))
            }
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(cause) => Err(fault(&format!("reading {relative}"), cause)),
        }
    }

    async fn read_json<T: for<'de> Deserialize<'de>>(&self, relative: &str) -> Result<Option<T>> {
        let Some(bytes) = self.read(relative).await? else { return Ok(None) };
        match serde_json::from_slice(&bytes) {
            Ok(value) => Ok(Some(value)),
            Err(cause) => Err(Error::store(format!("{relative} is damaged: {cause}"))),
        }
    }

    /// Writes `value` as JSON, replacing what is there.
    ///
    /// # Errors
    ///
    /// A store error.
    pub async fn write_json(&self, relative: &str, value: &impl Serialize) -> Result<()> {
        let text = json(value)?;
        let put = self.store.put(&self.path(relative), PutPayload::from(text)).await;
        put.map(drop).map_err(|cause| fault(&format!("writing {relative}"), cause))
    }

    /// Numbers of the generations, ascending.
    ///
    /// # Errors
    ///
    /// A store error.
    pub async fn generations(&self) -> Result<Vec<u64>> {
        let listed: Vec<_> = self
            .store
            .list(Some(&self.path("_manifest")))
            .try_collect()
            .await
            .map_err(|cause| fault("listing generations", cause))?;
        let number = |meta: &object_store::ObjectMeta| {
            meta.location.filename()?.strip_suffix(".json")?.parse::<u64>().ok()
        };
        let mut numbers: Vec<_> = listed.iter().filter_map(number).collect();
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// The manifest of a generation; the newest when no number is given, None when there is none.
    ///
    /// # Errors
    ///
    /// A store error; a job error for a number that does not exist.
    pub async fn manifest(&self, generation: Option<u64>) -> Result<Option<Manifest>> {
        let number = match generation {
            Some(number) => number,
            None => match self.generations().await?.last() {
                Some(&newest) => newest,
                None => return Ok(None),
            },
        };
        match self.read_json(&manifest_name(number)).await? {
            Some(manifest) => Ok(Some(manifest)),
            None => Err(Error::job(format!("{} has no generation {number}", self.root()))),
        }
    }

    /// Publishes `manifest`, unless another run has published that number.
    ///
    /// # Errors
    ///
    /// A race error when another run was first; a store error.
    pub async fn publish(&self, manifest: &Manifest) -> Result<()> {
        let name = manifest_name(manifest.generation);
        let options = PutOptions { mode: PutMode::Create, ..PutOptions::default() };
        let payload = PutPayload::from(json(manifest)?);
        let Err(cause) = self.store.put_opts(&self.path(&name), payload, options).await else {
            return self.sync_folder("_manifest");
        };
        // The put may have succeeded and its answer been lost: what is there decides.
        match self.read_json::<Manifest>(&name).await? {
            Some(found) if found.attempt == manifest.attempt => Ok(()),
            Some(_) => Err(Error::new(
                Kind::Race,
                format!("generation {} was published by another run first", manifest.generation),
            )),
            None => Err(fault(&format!("writing {name}"), cause)),
        }
    }

    /// The done marker of a stage, if its files are intact: sizes, or every byte when `is_deep`.
    ///
    /// # Errors
    ///
    /// A store error.
    pub async fn done(&self, table: &str, key: &str, is_deep: bool) -> Result<Option<Done>> {
        let marker = format!("{}/done.json", folder(table, key));
        // A marker that cannot be read is as good as none: the stage runs again.
        let Ok(Some(done)) = self.read_json::<Done>(&marker).await else { return Ok(None) };
        if done.key != key {
            return Ok(None);
        }
        match self.damaged(&done, is_deep).await? {
            None => Ok(Some(done)),
            Some(_) => Ok(None),
        }
    }

    /// The first file of `done` that is missing or damaged: by size, or by every byte.
    ///
    /// # Errors
    ///
    /// A store error.
    pub async fn damaged(&self, done: &Done, is_deep: bool) -> Result<Option<String>> {
        for file in &done.files {
            if !self.is_intact(done, file, is_deep).await? {
                return Ok(Some(format!("{}/{}", done.folder(), file.name)));
            }
        }
        Ok(None)
    }

    async fn is_intact(&self, done: &Done, file: &DataFile, is_deep: bool) -> Result<bool> {
        let relative = format!("{}/{}", done.folder(), file.name);
        if !is_deep {
            let meta = self.store.head(&self.path(&relative)).await;
            return Ok(meta.is_ok_and(|meta| meta.size == file.bytes));
        }
        let Some(bytes) = self.read(&relative).await? else { return Ok(false) };
        Ok(blake3::hash(&bytes).to_hex().as_str() == file.blake3)
    }

    /// Writes the done marker of a stage, after its files have reached the disk.
    ///
    /// # Errors
    ///
    /// A store error.
    pub async fn mark_done(&self, done: &Done) -> Result<()> {
        let folder = done.folder();
        for file in &done.files {
            let path = self.local.join(&folder).join(&file.name);
            let synced = std::fs::File::open(&path).and_then(|file| file.sync_all());
            synced.map_err(|cause| Error::store(format!("{}: {cause}", path.display())))?;
        }
        self.sync_folder(&folder)?;
        self.write_json(&format!("{folder}/done.json"), done).await
    }

    fn sync_folder(&self, folder: &str) -> Result<()> {
        let path = self.local.join(folder);
        let synced = std::fs::File::open(&path).and_then(|folder| folder.sync_all());
        synced.map_err(|cause| Error::store(format!("{}: {cause}", path.display())))
    }
}

fn manifest_name(generation: u64) -> String {
    format!("_manifest/{generation:06}.json")
}

fn json(value: &impl Serialize) -> Result<Vec<u8>> {
    let text = serde_json::to_string_pretty(value);
    let text = text.map_err(|cause| Error::store("value is not JSON").because(cause))?;
    Ok(format!("{text}\n").into_bytes())
}
