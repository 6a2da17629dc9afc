//! `testdata/slt` on each engine: functions and stages over handmade rows.
//!
//! Two words beside SQL, each a `statement ok`:
//!
//! ```text
//! load TABLE from FILE                     rows of a JSON Lines file, beside the .slt file
//! run STAGE with name = value, ...         the built-in job with these settings
//! ```
//!
//! A loaded table becomes a Parquet file that is attached like the output of a stage; `run` plans
//! the stage as a run does, writes its table through the sink and checks its invariants. A table
//! that a stage reads and no line has loaded is empty. Bytes are shown as hex digits. Every file
//! runs on each engine against the same answers; `UPDATE=1` fills them in from the embedded one.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

#[path = "slt/fixture.rs"]
mod fixture;
#[path = "slt/rows.rs"]
mod rows;

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use datafusion::arrow::datatypes::{DataType, Schema};
use datafusion::physical_plan::collect;
use datafusion::prelude::DataFrame;
use selfsame::engine::store::{Done, Recipe, Store, folder};
use selfsame::engine::{Session, Settings, plan, sink};
use selfsame::job::{BUILT_IN, Job, SETTINGS};
use selfsame::schema::{self, TABLES};
use selfsame::stages::{self, Stage};
use sqllogictest::{AsyncDB, DBOutput, DefaultColumnType, Runner, strict_column_validator};
use tokio::sync::Mutex;

/// A file that takes longer waits for something that does not come.
const FILE_LIMIT: Duration = Duration::from_secs(300);

/// What went wrong in a statement, in words.
#[derive(Debug)]
struct Fault(String);

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Fault {}

fn fault(cause: impl fmt::Display) -> Fault {
    Fault(cause.to_string())
}

/// A session, a store in a temporary folder, and the tables that a file has made so far.
struct Bench {
    session: Session,
    store: Store,
    tables: BTreeMap<String, Done>,
    made: usize,
}

/// The built-in job with `settings`: dotted keys, or the last part of one.
fn job(settings: &[(String, String)]) -> Result<Job, Fault> {
    let mut all = vec!["input.paths=[\"in\"]".to_owned(), "output.root=\"out\"".to_owned()];
    for (name, value) in settings {
        let ends = |key: &str| key == name || key.rsplit('.').next() == Some(name);
        let key = SETTINGS.iter().map(|setting| setting.key).find(|key| ends(key));
        let key = key.ok_or_else(|| fault(format!("{name} is not a setting")))?;
        all.push(format!("{key}={value}"));
    }
    Job::parse(BUILT_IN, "the built-in job", &all).map_err(fault)
}

impl Bench {
    async fn start(is_cluster: bool, root: &Path) -> Self {
        let settings =
            Settings { memory_bytes: 256 << 20, threads: 2, is_cluster, stage_limit: FILE_LIMIT };
        let session = Session::start(&settings, &job(&[]).unwrap()).await.unwrap();
        let store = Store::open(&root.to_string_lossy()).unwrap();
        Self { session, store, tables: BTreeMap::new(), made: 0 }
    }

    /// Forgets the tables of the file before.
    fn clear(&mut self) {
        self.tables.clear();
        for table in TABLES {
            self.session.context().deregister_table(table.name).unwrap();
        }
    }

    /// A stage key that nothing else has.
    fn next_key(&mut self) -> String {
        self.made += 1;
        format!("{:032}", self.made).chars().rev().collect()
    }

    fn done(
        &self,
        table: &str,
        key: String,
        files: Vec<selfsame::engine::store::DataFile>,
    ) -> Done {
        let rows = files.iter().map(|file| file.rows).sum();
        Done { table: table.to_owned(), key, recipe: Recipe::default(), rows, files }
    }

    /// Writes rows of a fixture as a table and attaches it.
    fn load(&mut self, name: &str, lines: &str) -> Result<(), Fault> {
        let table = schema::table(name).ok_or_else(|| fault(format!("no table {name}")))?;
        let key = self.next_key();
        let batch = fixture::batch(table, lines).map_err(Fault)?;
        let folder = Path::new(&self.store.root()).join(folder(name, &key));
        let file = fixture::write(&folder, &batch);
        let done = self.done(name, key, vec![file]);
        self.session.attach(&self.store, name, table, &done).map_err(fault)?;
        self.tables.insert(name.to_owned(), done);
        Ok(())
    }

    /// Attaches what `stage` reads, under the names that its SQL uses.
    fn bind(&mut self, stage: &Stage) -> Result<(), Fault> {
        for name in &stage.head.reads {
            let read = stage.bound_table(name);
            if !self.tables.contains_key(read) {
                self.load(read, "")?;
            }
            let table = schema::table(read).ok_or_else(|| fault(format!("no table {read}")))?;
            self.session.attach(&self.store, name, table, &self.tables[read]).map_err(fault)?;
        }
        self.session.tune(&stage.head);
        Ok(())
    }

    /// Runs a stage and attaches its table.
    async fn run(&mut self, name: &str, settings: &[(String, String)]) -> Result<(), Fault> {
        let stage = stages::stage(name).ok_or_else(|| fault(format!("no stage {name}")))?;
        let job = job(settings)?;
        self.bind(stage)?;
        let key = self.next_key();
        let context = self.session.context();
        let url = self.store.url(&folder(name, &key)).map_err(fault)?;
        let rows = plan::rows(context, stage, &job).await.map_err(fault)?;
        let buckets = job.int("output.buckets");
        let write = plan::write(context, rows, stage.table, &url, "slt", buckets).map_err(fault)?;
        let frame = DataFrame::new(context.state(), write);
        let physical = frame.create_physical_plan().await.map_err(fault)?;
        let batches = collect(physical, context.task_ctx()).await.map_err(fault)?;
        let mut files = sink::files_of(&batches).map_err(fault)?;
        if files.is_empty() {
            let empty = fixture::batch(stage.table, "").map_err(Fault)?;
            let folder = Path::new(&self.store.root()).join(folder(name, &key));
            files.push(fixture::write(&folder, &empty));
        }
        let done = self.done(name, key, files);
        self.session.attach(&self.store, name, stage.table, &done).map_err(fault)?;
        self.tables.insert(name.to_owned(), done);
        self.check(stage, &job).await
    }

    async fn check(&self, stage: &Stage, job: &Job) -> Result<(), Fault> {
        let context = self.session.context();
        for (name, condition) in &stage.head.invariants {
            let broken = plan::broken_rows(context, stage, condition, job).await.map_err(fault)?;
            let frame = DataFrame::new(context.state(), broken);
            let rows = frame.count().await.map_err(fault)?;
            if rows > 0 {
                return Err(fault(format!("invariant {name} fails on {rows} rows")));
            }
        }
        Ok(())
    }

    async fn query(&self, sql: &str) -> Result<DBOutput<DefaultColumnType>, Fault> {
        let frame = self.session.context().sql(sql).await.map_err(fault)?;
        let types = types(frame.schema().as_arrow());
        let batches = frame.collect().await.map_err(fault)?;
        let shown = |text: String| if text.is_empty() { "(empty)".to_owned() } else { text };
        let rows = rows::texts(&batches).into_iter();
        let rows = rows.map(|row| row.into_iter().map(shown).collect()).collect();
        Ok(DBOutput::Rows { types, rows })
    }
}

/// The letter that each column has in a `query` line.
fn types(schema: &Schema) -> Vec<DefaultColumnType> {
    let letter = |kind: &DataType| match kind {
        DataType::Utf8 | DataType::Utf8View | DataType::LargeUtf8 => DefaultColumnType::Text,
        kind if kind.is_integer() => DefaultColumnType::Integer,
        kind if kind.is_floating() => DefaultColumnType::FloatingPoint,
        _ => DefaultColumnType::Any,
    };
    schema.fields().iter().map(|field| letter(field.data_type())).collect()
}

/// What a statement that is no SQL asks for.
enum Word<'a> {
    Load(&'a str, &'a str),
    Run(&'a str, Vec<(String, String)>),
}

fn word(sql: &str) -> Option<Word<'_>> {
    if let Some((table, file)) =
        sql.strip_prefix("load ").and_then(|rest| rest.split_once(" from "))
    {
        return Some(Word::Load(table.trim(), file.trim()));
    }
    let rest = sql.strip_prefix("run ")?;
    let (stage, given) = rest.split_once(" with ").unwrap_or((rest, ""));
    let pair = |text: &str| {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        (name.trim().to_owned(), value.trim().to_owned())
    };
    let settings = given.split(',').filter(|text| !text.trim().is_empty()).map(pair).collect();
    Some(Word::Run(stage.trim(), settings))
}

/// The bench as sqllogictest sees it.
struct Connection(Arc<Mutex<Bench>>);

#[async_trait::async_trait]
impl AsyncDB for Connection {
    type Error = Fault;
    type ColumnType = DefaultColumnType;

    async fn run(&mut self, sql: &str) -> Result<DBOutput<DefaultColumnType>, Fault> {
        let mut bench = self.0.lock().await;
        match word(sql) {
            Some(Word::Load(table, file)) => {
                let path = data().join(file);
                let lines = fs::read_to_string(&path)
                    .map_err(|cause| fault(format!("{}: {cause}", path.display())))?;
                bench.load(table, &lines)?;
            }
            Some(Word::Run(stage, settings)) => bench.run(stage, &settings).await?,
            None => return bench.query(sql).await,
        }
        Ok(DBOutput::StatementComplete(0))
    }

    async fn shutdown(&mut self) {}
}

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/slt")
}

fn slt_files() -> Vec<PathBuf> {
    let entries = fs::read_dir(data()).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|found| found == "slt")).collect();
    files.sort();
    files
}

fn is_update() -> bool {
    std::env::var_os("UPDATE").is_some_and(|value| value == "1")
}

/// Runs every file on one engine; all faults are told together.
async fn run_files(is_cluster: bool) {
    let root = tempfile::tempdir().unwrap();
    let bench = Arc::new(Mutex::new(Bench::start(is_cluster, root.path()).await));
    let mut faults = Vec::new();
    for file in slt_files() {
        bench.lock().await.clear();
        let mut runner = Runner::new(|| {
            let bench = Arc::clone(&bench);
            async move { Ok(Connection(bench)) }
        });
        runner.with_column_validator(strict_column_validator);
        let outcome = if is_update() {
            let normalizer = sqllogictest::default_normalizer;
            let validator = sqllogictest::default_validator;
            let updated =
                runner.update_test_file(&file, " ", validator, normalizer, strict_column_validator);
            updated.await.map_err(fault)
        } else {
            match tokio::time::timeout(FILE_LIMIT, runner.run_file_async(&file)).await {
                Ok(outcome) => outcome.map_err(|cause| fault(cause.display(false))),
                Err(_) => Err(fault("does not end")),
            }
        };
        if let Err(cause) = outcome {
            faults.push(format!("{}\n{cause}", file.display()));
        }
    }
    let mend = "UPDATE=1 cargo test --features cluster --test slt";
    assert!(
        faults.is_empty(),
        "{} files differ; if the new answers are right, run `{mend}`\n\n{}",
        faults.len(),
        faults.join("\n\n")
    );
}

/// Runs `future` on a thread with a deep stack: plans are walked by recursion.
fn block_on(future: impl Future<Output = ()> + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(|| {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_stack_size(16 << 20)
            .enable_all()
            .build();
        runtime.unwrap().block_on(future);
    });
    if let Err(panic) = thread.unwrap().join() {
        std::panic::resume_unwind(panic);
    }
}

#[test]
fn embedded() {
    block_on(run_files(false));
}

/// With `UPDATE=1` the answers are being written, so there is nothing to compare with.
#[cfg(feature = "cluster")]
#[test]
fn cluster() {
    if !is_update() {
        block_on(run_files(true));
    }
}

#[test]
fn each_stage_and_each_function_has_a_file() {
    let has = |name: &str| data().join(format!("{name}.slt")).exists();
    let functions = selfsame::method::METHODS
        .iter()
        .flat_map(|method| method.functions.iter().map(|(plain, _)| *plain));
    let names = stages::STAGES.iter().map(|stage| stage.name).chain(functions);
    let missing: std::collections::BTreeSet<_> = names.filter(|name| !has(name)).collect();
    assert!(missing.is_empty(), "no testdata/slt/NAME.slt for {missing:?}");
}
