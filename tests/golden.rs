//! The samples, end to end: `jobs/demo.toml` against `testdata/demo/expected`, and its like.
//!
//! Every published table is compared as text, sorted by its key; `UPDATE=1` rewrites the files.
//! Of the thirty URLs those that show keys are compared.
//! The published files of every other run, on the cluster, with one thread, over shuffled input,
//! are equal to the byte. `quarantine` names files and rows, so shuffled input may change it.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

#[path = "slt/rows.rs"]
mod rows;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use selfsame::engine::run::{Options, Outcome, Progress, Runner};
use selfsame::engine::store::Store;
use selfsame::engine::{Session, Settings};
use selfsame::job::Job;
use selfsame::kernels::url::Rule;
use selfsame::schema::{self, TABLES, Table};
use tempfile::TempDir;

const DEMO: &str = "jobs/demo.toml";

const MEND: &str = "UPDATE=1 cargo test --features cluster --test golden";

struct Silent;

impl Progress for Silent {
    fn start(&self, _: &str, _: usize, _: usize) {}
    fn end(&self, _: &str, _: u64, _: bool) {}
}

/// A finished run and the folder that holds it.
struct Run {
    root: TempDir,
    outcome: Outcome,
}

fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn is_update() -> bool {
    std::env::var_os("UPDATE").is_some_and(|value| value == "1")
}

/// Runs `future` on a thread with a deep stack: plans are walked by recursion.
fn block_on<T: Send>(future: impl Future<Output = T> + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(64 << 20).spawn_scoped(scope, || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .thread_stack_size(16 << 20)
                .enable_all()
                .build();
            runtime.unwrap().block_on(future)
        });
        thread.unwrap().join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// The job at `path` with another root and these values.
fn job(path: &str, root: &Path, values: &[&str]) -> Job {
    let text = fs::read_to_string(package().join(path)).unwrap();
    let mut overrides = vec![format!("output.root={:?}", root.to_str().unwrap())];
    overrides.extend(values.iter().map(|value| (*value).to_owned()));
    Job::parse(&text, path, &overrides).unwrap()
}

async fn run_in(path: &str, root: &Path, values: &[&str]) -> Outcome {
    let job = job(path, root, values);
    let runner = Runner::prepare(&job).await.unwrap();
    let options = Options { is_deep_check: true, progress: &Silent };
    runner.run(&options).await.unwrap()
}

fn run_job(path: &str, values: &[&str]) -> Run {
    let root = tempfile::tempdir().unwrap();
    let outcome = block_on(run_in(path, root.path(), values));
    Run { root, outcome }
}

fn run(values: &[&str]) -> Run {
    run_job(DEMO, values)
}

/// The run that all others are compared with: embedded, two threads.
fn first_run() -> &'static Run {
    static RUN: OnceLock<Run> = OnceLock::new();
    RUN.get_or_init(|| run(&["engine.kind=embedded", "engine.threads=2"]))
}

fn published() -> impl Iterator<Item = &'static Table> {
    TABLES.iter().filter(|table| table.is_published())
}

/// The bytes of every file of every published table, by `table/file`.
fn published_bytes(run: &Run) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for done in &run.outcome.manifest.tables {
        if !schema::table(&done.table).is_some_and(Table::is_published) {
            continue;
        }
        for file in &done.files {
            let path = run.root.path().join(done.folder()).join(&file.name);
            let bytes = fs::read(&path).unwrap();
            assert_eq!(blake3::hash(&bytes).to_hex().as_str(), file.blake3, "{}", path.display());
            found.insert(format!("{}/{}", done.table, file.name), bytes);
        }
    }
    found
}

/// Fails unless both runs published the same bytes; tables in `exempt` may differ.
fn assert_same_bytes(other: &Run, exempt: &[&str]) {
    let (wanted, found) = (published_bytes(first_run()), published_bytes(other));
    let is_compared = |name: &&String| !exempt.iter().any(|table| name.starts_with(table));
    let names: Vec<_> = wanted.keys().filter(is_compared).collect();
    assert_eq!(names, found.keys().filter(is_compared).collect::<Vec<_>>());
    let differ: Vec<_> = names.into_iter().filter(|name| wanted[*name] != found[*name]).collect();
    assert!(differ.is_empty(), "files with other bytes: {differ:?}");
}

/// A published table as text: a line of names, then the rows in the order of the key.
async fn csv(session: &Session, table: &Table) -> String {
    let quoted = |name: &str| format!("\"{name}\"");
    let names: Vec<_> = table.columns.iter().map(|column| quoted(column.name)).collect();
    let key: Vec<_> = table.key.iter().map(|name| quoted(name) + " nulls first").collect();
    let from = quoted(table.name);
    let sql = format!("select {} from {from} order by {}", names.join(", "), key.join(", "));
    let frame = session.context().sql(&sql).await.unwrap();
    let mut text = table.columns.iter().map(|column| column.name).collect::<Vec<_>>().join(",");
    for row in rows::texts(&frame.collect().await.unwrap()) {
        let cells: Vec<_> = row.iter().map(|value| cell(value)).collect();
        text.push('\n');
        text.push_str(&cells.join(","));
    }
    text.push('\n');
    text
}

/// A value between commas: NULL is empty, an empty text is `""`.
fn cell(value: &str) -> String {
    if value == "NULL" {
        return String::new();
    }
    if value.is_empty() || value.contains([',', '"', '\n', '\r']) {
        return format!("\"{}\"", value.replace('"', "\"\"").replace('\n', "\\n"));
    }
    value.to_owned()
}

/// A session that knows the published tables of a run.
fn reader(run: &Run) -> Session {
    let settings = Settings {
        memory_bytes: 256 << 20,
        threads: 2,
        is_cluster: false,
        stage_limit: Duration::from_secs(60),
    };
    let session = Session::reader(&settings).unwrap();
    let store = Store::open(run.root.path().to_str().unwrap()).unwrap();
    for table in published() {
        let done = run.outcome.manifest.table(table.name).unwrap();
        session.attach(&store, table.name, table, done).unwrap();
    }
    session
}

async fn tables(run: &Run) -> BTreeMap<&'static str, String> {
    let session = reader(run);
    let mut texts = BTreeMap::new();
    for table in published() {
        texts.insert(table.name, csv(&session, table).await);
    }
    texts
}

/// The first line in which two texts differ, shown one under the other.
fn first_difference(wanted: &str, found: &str) -> String {
    let ends = std::iter::repeat("(no line)");
    let pairs = wanted.lines().chain(ends.clone()).zip(found.lines().chain(ends));
    let mut numbered = pairs.enumerate().take(wanted.lines().count().max(found.lines().count()));
    match numbered.find(|(_, (wanted, found))| wanted != found) {
        Some((at, (wanted, found))) => {
            format!("line {}\n    wanted  {wanted}\n    found   {found}", at + 1)
        }
        None => "the end of the file".to_owned(),
    }
}

/// Fails unless the files of `folder` are these tables; writes them where asked to.
fn assert_expected(folder: &str, found: &BTreeMap<&'static str, String>) {
    let folder = package().join(folder);
    let mut faults = Vec::new();
    for (name, text) in found {
        let path = folder.join(format!("{name}.csv"));
        if is_update() {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&path, text).unwrap();
        }
        let wanted = fs::read_to_string(&path).unwrap_or_default();
        if wanted != *text {
            let difference = first_difference(&wanted, text);
            faults.push(format!("{name}.csv differs at {difference}"));
        }
    }
    for entry in fs::read_dir(&folder).unwrap() {
        let name: PathBuf = entry.unwrap().file_name().into();
        if !found.contains_key(&*name.with_extension("").to_string_lossy()) {
            faults.push(format!("{} belongs to no held table", name.display()));
        }
    }
    assert!(
        faults.is_empty(),
        "if the new rows are right, run `{MEND}`\n  {}\n",
        faults.join("\n  ")
    );
}

#[test]
fn every_published_table_is_as_expected() {
    assert_expected("testdata/demo/expected", &block_on(tables(first_run())));
}

#[test]
fn thirty_urls_have_the_expected_keys() {
    let run = run_job("jobs/thirty-urls.toml", &["engine.kind=embedded", "engine.threads=2"]);
    let mut found = block_on(tables(&run));
    found.retain(|name, _| ["identity", "key_conflict", "url_key"].contains(name));
    assert_expected("testdata/thirty-urls/expected", &found);
}

#[test]
fn every_rule_changes_a_url() {
    let run = run_job("jobs/rules.toml", &["engine.kind=embedded", "engine.threads=2"]);
    let found = block_on(async {
        let session = reader(&run);
        let sql = "select distinct unnest(rules) as rule from url_key order by rule";
        rows::texts(&session.context().sql(sql).await.unwrap().collect().await.unwrap())
    });
    let mut wanted: Vec<_> = Rule::ALL.iter().map(|rule| vec![rule.name().to_owned()]).collect();
    wanted.sort();
    assert_eq!(found, wanted);
}

#[test]
fn a_second_run_finds_everything_done() {
    let root = tempfile::tempdir().unwrap();
    let [first, second] = block_on(async {
        let first = run_in(DEMO, root.path(), &[]).await;
        [first, run_in(DEMO, root.path(), &[]).await]
    });
    assert!(first.is_new && !second.is_new);
    assert_eq!(first.manifest, second.manifest);
}

#[test]
fn one_thread_gives_the_same_bytes() {
    assert_same_bytes(&run(&["engine.threads=1"]), &[]);
}

#[test]
fn little_memory_gives_the_same_bytes() {
    assert_same_bytes(&run(&["engine.memory_mib=64", "engine.threads=3"]), &[]);
}

#[cfg(feature = "cluster")]
#[test]
fn the_cluster_gives_the_same_bytes() {
    assert_same_bytes(
        &run(&["engine.kind=cluster", "engine.threads=2", "engine.stage_minutes=5"]),
        &[],
    );
}

/// A fixed permutation of `0..count`.
fn shuffled(count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    let mut state: u64 = 42;
    for at in (1..count).rev() {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        order.swap(at, usize::try_from(state >> 33).unwrap() % (at + 1));
    }
    order
}

/// Copies the sample into `folder`: plain lines shuffled into three files, other files as they are.
fn shuffle_sample(folder: &Path) {
    let mut lines: Vec<Vec<u8>> = Vec::new();
    for entry in fs::read_dir(package().join("testdata/demo")).unwrap() {
        let path = entry.unwrap().path();
        let bytes = if path.is_file() { fs::read(&path).unwrap() } else { continue };
        if path.extension().is_none_or(|extension| extension != "jsonl") || bytes.is_empty() {
            fs::write(folder.join(path.file_name().unwrap()), bytes).unwrap();
            continue;
        }
        let found = bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        lines.extend(found.map(<[u8]>::to_vec));
    }
    lines.sort();
    let order = shuffled(lines.len());
    for (at, part) in order.chunks(lines.len().div_ceil(3)).enumerate() {
        let rows: Vec<&[u8]> = part.iter().map(|&line| lines[line].as_slice()).collect();
        fs::write(folder.join(format!("part-{at}.jsonl")), rows.join(&b'\n')).unwrap();
    }
}

#[test]
fn shuffled_and_split_input_gives_the_same_bytes() {
    let input = tempfile::tempdir().unwrap();
    shuffle_sample(input.path());
    let paths = format!("input.paths=[{:?}]", input.path().join("*").to_str().unwrap());
    let other = run(&[&paths]);
    assert_same_bytes(&other, &["quarantine"]);
    let quarantined = |run: &Run| run.outcome.manifest.quarantined;
    assert_eq!(quarantined(&other), quarantined(first_run()));
}
