//! A run: admission, stages, audits, manifest.
//!
//! A stage whose key has a done marker with intact files is skipped. That one rule gives resume
//! after a crash, cheap re-runs, and reprocessing after a method version was raised. Nothing that a
//! reader can see changes before the manifest is written; it is written last and never replaced.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use datafusion::arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::collect;
use datafusion::prelude::DataFrame;
use serde::Serialize;

use super::store::{Done, Manifest, Recipe, Store};
use super::{Session, Settings, engine_error, plan, sink};
use crate::error::{Error, Kind, Result};
use crate::job::Job;
use crate::schema::{self, Table};
use crate::stages::{AUDIT_LIST, STAGES, Stage};

mod admit;

/// Version of the manifest's format.
const FORMAT: u32 = 1;

/// What a run tells while it goes on.
pub trait Progress: Send + Sync {
    /// A stage starts; it is number `at` of `of`.
    fn start(&self, name: &str, at: usize, of: usize);
    /// A stage ended, with its rows; `is_skipped` when it was found done.
    fn end(&self, name: &str, rows: u64, is_skipped: bool);
}

/// How to run.
pub struct Options<'a> {
    /// Whether a done marker is trusted only after every byte was hashed again.
    pub is_deep_check: bool,
    /// Who is told.
    pub progress: &'a dyn Progress,
}

/// What a stage would do, and why.
#[derive(Debug, Clone, Serialize)]
pub struct Intent {
    /// Name of the stage.
    pub stage: String,
    /// Whether it runs.
    pub runs: bool,
    /// Why it runs, or that it is done.
    pub why: String,
    /// Its stage key.
    pub key: String,
}

/// Figures of one stage.
#[derive(Debug, Clone, Serialize)]
struct Figure {
    stage: String,
    is_skipped: bool,
    rows: u64,
    bytes: u64,
    seconds: f64,
    cpu_seconds: f64,
    /// Largest resident size of the process while the stage ran.
    peak_memory_bytes: u64,
    spilled_bytes: usize,
}

/// What a run made.
#[derive(Debug)]
pub struct Outcome {
    /// The generation that holds the result.
    pub manifest: Manifest,
    /// Whether it was published by this run; false when nothing had changed.
    pub is_new: bool,
    /// Wall time.
    pub elapsed: Duration,
}

/// A job and all that it needs to run.
pub struct Runner<'a> {
    job: &'a Job,
    settings: Settings,
    store: Store,
    parent: Option<Manifest>,
    inputs: Vec<super::admission::InputFile>,
    keys: BTreeMap<String, String>,
    recipes: Vec<(&'static str, Recipe)>,
}

impl<'a> Runner<'a> {
    /// Lists and hashes the input and computes every stage key.
    ///
    /// # Errors
    ///
    /// A job error for a pattern that matches nothing; a store error.
    pub async fn prepare(job: &'a Job) -> Result<Self> {
        let settings = Settings::of(job);
        let store = Store::open(job.text("output.root").unwrap_or_default())?;
        let parent = store.manifest(None).await?;
        let inputs = super::admission::list(&job.texts("input.paths")).await?;
        let mut runner = Self {
            job,
            settings,
            store,
            parent,
            inputs,
            keys: BTreeMap::new(),
            recipes: Vec::new(),
        };
        runner.plan_keys().await?;
        Ok(runner)
    }

    async fn plan_keys(&mut self) -> Result<()> {
        let local = Settings { is_cluster: false, ..self.settings.clone() };
        let session = Session::start(&local, self.job).await?;
        plan::empty(session.context())?;
        for name in [admit::FETCH, admit::SET_ASIDE] {
            let recipe = admit::recipe(self.job, &self.inputs, known_table(name)?);
            self.remember(name, recipe);
        }
        for stage in STAGES.iter() {
            let recipe = plan::recipe(session.context(), stage, self.job, &self.keys).await?;
            self.remember(stage.name, recipe);
        }
        let recipe = self.audit_recipe()?;
        self.remember("audit", recipe);
        Ok(())
    }

    fn remember(&mut self, name: &'static str, recipe: Recipe) {
        self.keys.insert(name.to_owned(), recipe.key());
        self.recipes.push((name, recipe));
    }

    fn audit_recipe(&self) -> Result<Recipe> {
        let mut recipe =
            Recipe { layout: plan::layout(known_table("audit")?), ..Recipe::default() };
        let mut code = blake3::Hasher::new();
        for audit in AUDIT_LIST.iter() {
            code.update(audit.sql.as_bytes());
            for (name, value) in audit.head.bound(self.job)? {
                recipe.params.insert(name, plan::text_of(&value));
            }
            for read in &audit.head.reads {
                recipe.inputs.insert(read.clone(), self.key(read).to_owned());
            }
        }
        recipe.code = code.finalize().to_hex().to_string();
        Ok(recipe)
    }

    fn key(&self, table: &str) -> &str {
        self.keys.get(table).map_or("", String::as_str)
    }

    fn recipe(&self, table: &str) -> Recipe {
        let found = self.recipes.iter().find(|(name, _)| *name == table);
        found.map(|(_, recipe)| recipe.clone()).unwrap_or_default()
    }

    /// What each stage would do, and why.
    ///
    /// # Errors
    ///
    /// A store error.
    pub async fn intents(&self, is_deep_check: bool) -> Result<Vec<Intent>> {
        let mut intents: Vec<Intent> = Vec::new();
        for (name, recipe) in &self.recipes {
            let key = recipe.key();
            let runs = self.store.done(name, &key, is_deep_check).await?.is_none();
            let before = self.parent.as_ref().and_then(|manifest| manifest.table(name));
            let why = match before {
                _ if !runs => "done".to_owned(),
                None => "no earlier generation has it".to_owned(),
                Some(before) if before.key == key => "its files are missing or damaged".to_owned(),
                Some(before) => differences(&before.recipe, recipe).join("; "),
            };
            intents.push(Intent { stage: (*name).to_owned(), runs, why, key });
        }
        Ok(intents)
    }

    /// Runs what is not done, audits, and publishes.
    ///
    /// # Errors
    ///
    /// An input error when no row was admitted; an invariant error when a check fails, and nothing
    /// is published then; resource, race and store errors.
    #[expect(clippy::disallowed_methods, reason = "figures of a run, never a result")]
    pub async fn run(&self, options: &Options<'_>) -> Result<Outcome> {
        let started = Instant::now();
        let mut work = Work {
            runner: self,
            session: Session::start(&self.settings, self.job).await?,
            attempt: attempt(),
            options,
            tables: Vec::new(),
            figures: Vec::new(),
        };
        work.admission().await?;
        for stage in STAGES.iter() {
            work.stage(stage).await?;
        }
        work.audit().await?;
        work.publish(started).await
    }
}

/// How two recipes differ, one sentence a difference; changed inputs come last.
pub fn differences(before: &Recipe, after: &Recipe) -> Vec<String> {
    let mut found = Vec::new();
    if before.code != after.code {
        found.push("its code changed".to_owned());
    }
    if before.layout != after.layout {
        found.push("its columns or their layout changed".to_owned());
    }
    let gone: Vec<_> =
        before.methods.iter().filter(|name| !after.methods.contains(name)).cloned().collect();
    let come: Vec<_> =
        after.methods.iter().filter(|name| !before.methods.contains(name)).cloned().collect();
    match (gone.is_empty(), come.is_empty()) {
        (true, true) => {}
        (true, false) => found.push(format!("method {} is new", come.join(", "))),
        (false, true) => found.push(format!("method {} is gone", gone.join(", "))),
        (false, false) => {
            found.push(format!("method {} became {}", gone.join(", "), come.join(", ")));
        }
    }
    for (name, value) in &after.params {
        match before.params.get(name) {
            Some(old) if old == value => {}
            Some(old) => found.push(format!("parameter {name} went from {old} to {value}")),
            None => found.push(format!("parameter {name} is new: {value}")),
        }
    }
    found.extend(changed_inputs(before, after));
    found
}

/// One sentence about inputs that differ: tables by name, input files by number.
fn changed_inputs(before: &Recipe, after: &Recipe) -> Option<String> {
    let differs = |ours: &Recipe, theirs: &Recipe| -> Vec<String> {
        let mut names = Vec::new();
        for (name, key) in &ours.inputs {
            if theirs.inputs.get(name) != Some(key) {
                names.push(name.clone());
            }
        }
        names
    };
    let (come, gone) = (differs(after, before), differs(before, after));
    if come.is_empty() && gone.is_empty() {
        return None;
    }
    if admit::is_code(&after.code) {
        return Some(format!("input files: {} new, {} gone", come.len(), gone.len()));
    }
    Some(format!("reads {}, which changed", come.join(", ")))
}

/// A name that no other run has.
#[expect(clippy::disallowed_methods, reason = "a name of a run, never a result")]
fn attempt() -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let text = format!("{} {}", std::process::id(), now.as_nanos());
    let mut name = blake3::hash(text.as_bytes()).to_hex().to_string();
    name.truncate(12);
    name
}

/// A run at work.
struct Work<'a> {
    runner: &'a Runner<'a>,
    session: Session,
    attempt: String,
    options: &'a Options<'a>,
    tables: Vec<Done>,
    figures: Vec<Figure>,
}

impl Work<'_> {
    fn total(&self) -> usize {
        STAGES.len() + 2
    }

    async fn found(&self, name: &str) -> Result<Option<Done>> {
        let key = self.runner.key(name);
        self.runner.store.done(name, key, self.options.is_deep_check).await
    }

    fn keep(&mut self, done: Done, clock: Clock, spilled_bytes: usize, is_skipped: bool) {
        self.options.progress.end(&done.table, done.rows, is_skipped);
        let (seconds, cpu_seconds) = clock.stop();
        self.figures.push(Figure {
            stage: done.table.clone(),
            is_skipped,
            rows: done.rows,
            bytes: done.files.iter().map(|file| file.bytes).sum(),
            seconds,
            cpu_seconds,
            peak_memory_bytes: super::usage::peak_memory_since(),
            spilled_bytes,
        });
        self.tables.push(done);
    }

    async fn admission(&mut self) -> Result<()> {
        let clock = Clock::start();
        self.options.progress.start("admission", 1, self.total());
        let found = (self.found(admit::FETCH).await?, self.found(admit::SET_ASIDE).await?);
        let is_skipped = matches!(found, (Some(_), Some(_)));
        let (fetch, set_aside) = match found {
            (Some(fetch), Some(set_aside)) => (fetch, set_aside),
            _ => admit::run(self.runner, &self.session, &self.attempt).await?,
        };
        if fetch.rows == 0 {
            return Err(admit::nothing_admitted(self.runner, &self.session, &set_aside).await);
        }
        self.keep(fetch, clock, 0, is_skipped);
        self.keep(set_aside, Clock::start(), 0, is_skipped);
        Ok(())
    }

    async fn stage(&mut self, stage: &'static Stage) -> Result<()> {
        let clock = Clock::start();
        self.options.progress.start(stage.name, self.tables.len(), self.total());
        if let Some(done) = self.found(stage.name).await? {
            self.keep(done, clock, 0, true);
            return Ok(());
        }
        self.bind(stage)?;
        let (done, spilled_bytes) = self.write(stage).await?;
        self.check_invariants(stage, &done).await?;
        self.runner.store.mark_done(&done).await?;
        self.keep(done, clock, spilled_bytes, false);
        Ok(())
    }

    /// Binds the tables that a stage reads, and the kind of join that it wants.
    fn bind(&self, stage: &Stage) -> Result<()> {
        for name in &stage.head.reads {
            self.attach(name, stage.bound_table(name))?;
        }
        self.session.tune(&stage.head);
        Ok(())
    }

    fn attach(&self, name: &str, table: &str) -> Result<()> {
        let done = self.tables.iter().find(|done| done.table == table);
        match (done, schema::table(table)) {
            (Some(done), Some(table)) => self.session.attach(&self.runner.store, name, table, done),
            _ => Err(Error::schema(format!("table {table} has not been made"))),
        }
    }

    async fn write(&self, stage: &'static Stage) -> Result<(Done, usize)> {
        let runner = self.runner;
        let context = self.session.context();
        let key = runner.key(stage.name);
        let url = runner.store.url(&super::store::folder(stage.name, key))?;
        let rows = plan::rows(context, stage, runner.job).await?;
        let buckets = runner.job.int("output.buckets");
        let write = plan::write(context, rows, stage.table, &url, &self.attempt, buckets)?;
        let (batches, spilled_bytes) = self.execute(write).await.map_err(|fault| {
            let kind = fault.kind();
            Error::new(kind, format!("stage {}: {fault}", stage.name)).because(fault)
        })?;
        let mut files = sink::files_of(&batches).map_err(engine_error)?;
        if files.is_empty() {
            files.push(admit::empty_file(context, &url, stage.table).await?);
        }
        let done = Done {
            table: stage.name.to_owned(),
            key: key.to_owned(),
            recipe: runner.recipe(stage.name),
            rows: files.iter().map(|file| file.rows).sum(),
            files,
        };
        Ok((done, spilled_bytes))
    }

    async fn execute(&self, plan: LogicalPlan) -> Result<(Vec<RecordBatch>, usize)> {
        let context = self.session.context();
        let physical = DataFrame::new(context.state(), plan).create_physical_plan().await;
        let physical = physical.map_err(engine_error)?;
        let limit = self.runner.settings.stage_limit;
        let collected = collect(Arc::clone(&physical), context.task_ctx());
        match tokio::time::timeout(limit, collected).await {
            Ok(batches) => Ok((batches.map_err(engine_error)?, spilled_bytes(&physical))),
            Err(_) => {
                let message = format!("no answer within {} seconds", limit.as_secs());
                Err(Error::new(Kind::Resources, message))
            }
        }
    }

    async fn count(&self, plan: LogicalPlan) -> Result<usize> {
        let frame = DataFrame::new(self.session.context().state(), plan);
        frame.count().await.map_err(engine_error)
    }

    async fn check_invariants(&self, stage: &Stage, done: &Done) -> Result<()> {
        let context = self.session.context();
        self.session.attach(&self.runner.store, stage.name, stage.table, done)?;
        for (name, condition) in &stage.head.invariants {
            let broken = plan::broken_rows(context, stage, condition, self.runner.job).await?;
            let rows = self.count(broken).await?;
            if rows > 0 {
                return Err(Error::invariant(format!(
                    "stage {}: invariant {name} fails on {rows} rows: {condition}",
                    stage.name
                )));
            }
        }
        Ok(())
    }

    async fn audit(&mut self) -> Result<()> {
        let clock = Clock::start();
        self.options.progress.start("audit", self.total(), self.total());
        if let Some(done) = self.found("audit").await? {
            self.keep(done, clock, 0, true);
            return Ok(());
        }
        let mut rows = Vec::new();
        for audit in AUDIT_LIST.iter() {
            for read in &audit.head.reads {
                self.attach(read, read)?;
            }
            let found = plan::audit(self.session.context(), audit, self.runner.job).await?;
            rows.push((audit.name, self.count(found).await?));
        }
        let failed: Vec<_> = rows.iter().filter(|(_, count)| *count > 0).collect();
        if !failed.is_empty() {
            let shown: Vec<_> =
                failed.iter().map(|(name, count)| format!("{name} finds {count} rows")).collect();
            return Err(Error::invariant(format!("nothing published: {}", shown.join(", "))));
        }
        let done = self.write_audit(&rows).await?;
        self.runner.store.mark_done(&done).await?;
        self.keep(done, clock, 0, false);
        Ok(())
    }

    async fn write_audit(&self, rows: &[(&str, usize)]) -> Result<Done> {
        let table = known_table("audit")?;
        let names = StringArray::from_iter_values(rows.iter().map(|(name, _)| name));
        let counts = rows.iter().map(|(_, count)| i64::try_from(*count).unwrap_or(i64::MAX));
        let columns: Vec<ArrayRef> =
            vec![Arc::new(names), Arc::new(Int64Array::from_iter_values(counts))];
        let batch = RecordBatch::try_new(table.arrow(), columns)
            .map_err(|cause| engine_error(cause.into()))?;
        admit::write_table(self.runner, self.session.context(), table, batch).await
    }

    async fn publish(self, started: Instant) -> Result<Outcome> {
        let runner = self.runner;
        let keys = |tables: &[Done]| tables.iter().map(|done| done.key.clone()).collect::<Vec<_>>();
        if let Some(parent) = &runner.parent
            && keys(&parent.tables) == keys(&self.tables)
        {
            let manifest = parent.clone();
            return Ok(Outcome { manifest, is_new: false, elapsed: started.elapsed() });
        }
        let quarantined = self.total_of("quarantine", "rows").await?;
        let admitted = self.total_of("member", "multiplicity").await?;
        let number = runner.parent.as_ref().map_or(0, |parent| parent.generation) + 1;
        let manifest = Manifest {
            format: FORMAT,
            generation: number,
            parent: runner.parent.as_ref().map(|parent| parent.generation),
            attempt: self.attempt.clone(),
            job: runner.job.text("job").unwrap_or_default().to_owned(),
            methods: runner.job.methods().iter().map(|method| method.versioned()).collect(),
            rows: admitted + quarantined,
            quarantined,
            tables: self.tables,
        };
        runner.store.write_json(&format!("_run/{number:06}.json"), &self.figures).await?;
        runner.store.publish(&manifest).await?;
        Ok(Outcome { manifest, is_new: true, elapsed: started.elapsed() })
    }

    /// Sum of a column of a table, which counts input rows.
    async fn total_of(&self, table: &str, column: &str) -> Result<u64> {
        use datafusion::functions_aggregate::expr_fn::sum;
        self.attach(table, table)?;
        let frame = self.session.context().table(table).await.map_err(engine_error)?;
        let total = sum(datafusion::prelude::col(column));
        let frame = frame.aggregate(vec![], vec![total]).map_err(engine_error)?;
        let batches = frame.collect().await.map_err(engine_error)?;
        let total = batches.iter().filter(|batch| batch.num_rows() > 0).find_map(|batch| {
            let column = datafusion::common::cast::as_int64_array(batch.column(0)).ok()?;
            column.iter().next().flatten()
        });
        Ok(total.and_then(|total| u64::try_from(total).ok()).unwrap_or_default())
    }
}

/// Bytes that the operators of a plan wrote to disk to stay within memory.
fn spilled_bytes(plan: &Arc<dyn datafusion::physical_plan::ExecutionPlan>) -> usize {
    let own = plan.metrics().and_then(|metrics| metrics.spilled_bytes()).unwrap_or_default();
    own + plan.children().into_iter().map(spilled_bytes).sum::<usize>()
}

/// Wall and CPU time since it was started.
struct Clock {
    wall: Instant,
    cpu: f64,
}

impl Clock {
    #[expect(clippy::disallowed_methods, reason = "figures of a run, never a result")]
    fn start() -> Self {
        super::usage::restart_peak_memory();
        Self { wall: Instant::now(), cpu: super::usage::cpu_seconds() }
    }

    fn stop(&self) -> (f64, f64) {
        (self.wall.elapsed().as_secs_f64(), super::usage::cpu_seconds() - self.cpu)
    }
}

/// What nothing at all in the input means.
fn input_error(message: String) -> Error {
    Error::new(Kind::Input, message)
}

/// The table that a name stands for.
fn known_table(name: &str) -> Result<&'static Table> {
    schema::table(name).ok_or_else(|| Error::schema(format!("no table {name}")))
}
