//! `run`: a job, or input files and the built-in job.

use std::collections::BTreeMap;
use std::path::Path;

use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use super::{block_on, generation, print};
use crate::engine::run::{Options, Outcome, Progress, Runner};
use crate::engine::store::Store;
use crate::engine::{Settings, usage};
use crate::error::{Error, Result};
use crate::job::{BUILT_IN, Job};
use crate::kernels::simd;

/// Run a job file, or the built-in job over input files.
///
/// `selfsame run jobs/demo.toml` runs a job as it is written.
/// `selfsame run crawl/*.parquet -o out` runs the built-in job; `--set` changes single values, for
/// example `--set edge.resemblance_min_milli=900`. The last line of the output is one JSON object.
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// A job file that ends in .toml, or input files, folders and globs.
    #[arg(required = true)]
    inputs: Vec<String>,
    /// Folder of the generations; with a job file, in place of its output.root.
    #[arg(short, long, value_name = "OUT")]
    output: Option<String>,
    /// Change one value of the job.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// List which stages would run, and why, and stop there.
    #[arg(long)]
    dry_run: bool,
    /// Hash every file of a finished stage before trusting it.
    #[arg(long)]
    verify: bool,
}

impl Args {
    fn job(&self) -> Result<Job> {
        if let [path] = self.inputs.as_slice()
            && Path::new(path).extension().is_some_and(|extension| extension == "toml")
        {
            let text = std::fs::read_to_string(path)
                .map_err(|cause| Error::job(format!("{path}: {cause}")))?;
            let mut overrides = self.set.clone();
            overrides.extend(self.output.iter().map(|root| assignment("output.root", root)));
            return Job::parse(&text, path, &overrides);
        }
        let Some(output) = &self.output else {
            return Err(Error::job("input files want an output folder: -o OUT"));
        };
        let paths: Vec<_> =
            self.inputs.iter().map(|path| serde_json::Value::from(path.as_str())).collect();
        let mut overrides = vec![
            format!("input.paths={}", serde_json::Value::from(paths)),
            assignment("output.root", output),
        ];
        overrides.extend(self.set.iter().cloned());
        Job::parse(BUILT_IN, "the built-in job", &overrides)
    }
}

/// `key = "value"`; JSON's quoting of a text is TOML's.
fn assignment(key: &str, value: &str) -> String {
    format!("{key}={}", serde_json::Value::from(value))
}

pub(super) fn main(args: Args) -> Result<()> {
    let job = args.job()?;
    block_on(Settings::of(&job).threads, run(&args, &job))
}

async fn run(args: &Args, job: &Job) -> Result<()> {
    generation::check_queries(job.shows()).await?;
    let runner = Runner::prepare(job).await?;
    if args.dry_run {
        return dry_run(&runner, args.verify).await;
    }
    let bar = Bar::new();
    let options = Options { is_deep_check: args.verify, progress: &bar };
    let outcome = runner.run(&options).await;
    bar.0.finish_and_clear();
    let outcome = outcome?;
    let store = Store::open(job.text("output.root").unwrap_or_default())?;
    tell(&store, job, &outcome).await?;
    print::line(&summary(&store, &outcome).to_string())
}

async fn dry_run(runner: &Runner<'_>, is_deep_check: bool) -> Result<()> {
    let intents = runner.intents(is_deep_check).await?;
    for intent in &intents {
        let verb = if intent.runs { "run " } else { "skip" };
        print::line(&format!("{verb}  {:<20}  {}", intent.stage, intent.why))?;
    }
    let runs: Vec<_> =
        intents.iter().filter(|intent| intent.runs).map(|intent| &intent.stage).collect();
    print::line(&json!({ "dry_run": true, "runs": runs, "stages": intents }).to_string())
}

/// What the run made of its input, and what the job wants shown.
async fn tell(store: &Store, job: &Job, outcome: &Outcome) -> Result<()> {
    let manifest = &outcome.manifest;
    let open = generation::Generation::of(store.clone(), manifest.clone()).await?;
    if !outcome.is_new {
        print::note(&format!("nothing changed: generation {} stands", manifest.generation));
    }
    let counts = open.query("select name, count from funnel order by step").await?;
    print::note(&print::table(&counts)?);
    if manifest.quarantined > 0 {
        let set_aside = open
            .query(
                "select reason, sum(rows) as rows, count(*) as entries, min(input_file) as example \
                 from quarantine group by reason order by rows desc, reason",
            )
            .await?;
        print::note("set aside:");
        print::note(&print::table(&set_aside)?);
    }
    for show in job.shows() {
        print::note(&show.title);
        let shown = open.query(&show.sql).await?;
        print::note(&print::table(&shown)?);
    }
    if job.shows().is_empty() {
        let root = store.root();
        print::note(&format!("next: selfsame sql {root}   |   selfsame explain {root} URL-or-id"));
    }
    Ok(())
}

fn summary(store: &Store, outcome: &Outcome) -> serde_json::Value {
    let manifest = &outcome.manifest;
    let tables: BTreeMap<_, _> = manifest
        .tables
        .iter()
        .filter(|done| crate::schema::table(&done.table).is_some_and(|table| table.is_published()))
        .map(|done| (done.table.clone(), format!("{}/{}/*.parquet", store.root(), done.folder())))
        .collect();
    json!({
        "generation": manifest.generation,
        "root": store.root(),
        "tables": tables,
        "rows": manifest.rows,
        "quarantined": manifest.quarantined,
        "seconds": outcome.elapsed.as_secs_f64(),
        "cpu_seconds": usage::cpu_seconds(),
        "peak_memory_bytes": usage::peak_memory_bytes(),
        "simd": simd::level().as_ref().map_or("", |level| level.word()),
    })
}

/// A bar on a terminal; silent elsewhere.
struct Bar(ProgressBar);

impl Bar {
    fn new() -> Self {
        let bar = if print::is_terminal() { ProgressBar::new(1) } else { ProgressBar::hidden() };
        let style = ProgressStyle::with_template("{elapsed:>5} {bar:30} {pos}/{len} {msg}");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        bar.enable_steady_tick(std::time::Duration::from_millis(200));
        Self(bar)
    }
}

impl Progress for Bar {
    fn start(&self, name: &str, at: usize, of: usize) {
        let [at, of] = [at, of].map(|count| u64::try_from(count).unwrap_or_default());
        self.0.set_length(of);
        self.0.set_position(at);
        self.0.set_message(name.to_owned());
        tracing::info!(stage = name, "start");
    }

    fn end(&self, name: &str, rows: u64, is_skipped: bool) {
        tracing::info!(stage = name, rows, is_skipped, "end");
    }
}
