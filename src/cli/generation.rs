//! A generation opened for reading: its tables in a read-only SQL session.
//!
//! Plain function names mean the methods that the generation pins, where this build has them. A
//! table or column that came after the generation is empty there.

mod bench;

use std::sync::Arc;

use datafusion::arrow::record_batch::RecordBatch;
use datafusion::common::DataFusionError;
use datafusion::datasource::empty::EmptyTable;
use datafusion::execution::context::SQLOptions;
use datafusion::prelude::{DataFrame, SessionContext};
use serde::de::DeserializeOwned;

use super::print;
use crate::engine::store::{Done, Manifest, Store};
use crate::engine::{self, Session, Settings, plan};
use crate::error::{Error, Result};
use crate::job::{BUILT_IN, Job, SETTINGS, Scalar, Show, Use};
use crate::method::{self, METHODS, Method};
use crate::stages::sql::param_values;
use crate::{schema, udf};
pub(super) use bench::{Bench, Content, NOTHING, Row};

/// Memory of a session that reads, bytes.
const MEMORY_BYTES: usize = 1 << 30;

/// A generation and a session over its tables.
pub(super) struct Generation {
    pub(super) store: Store,
    pub(super) manifest: Manifest,
    session: Session,
}

/// Settings of a session that reads in this process.
pub(super) fn settings() -> Settings {
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let stage_limit = engine::STAGE_LIMIT;
    Settings { memory_bytes: MEMORY_BYTES, threads, is_cluster: false, stage_limit }
}

impl Generation {
    /// Opens a generation of the folder `root`, the newest when no number is given.
    pub(super) async fn open(root: &str, number: Option<u64>) -> Result<Self> {
        let store = Store::open_existing(root)?;
        match store.manifest(number).await? {
            Some(manifest) => Self::of(store, manifest).await,
            None => Err(Error::job(format!(
                "{root} holds no generation; wanted the output.root of a job that has run"
            ))),
        }
    }

    /// Opens the generation that `manifest` publishes.
    pub(super) async fn of(store: Store, manifest: Manifest) -> Result<Self> {
        let session = reader(&manifest.methods)?;
        for done in &manifest.tables {
            if let Some(file) = store.damaged(done, false).await? {
                let root = store.root();
                return Err(Error::store(format!(
                    "{root}/{file} is missing or has another size than generation {} says; \
                     run the job again to make it anew",
                    manifest.generation
                )));
            }
            attach(&session, &store, &done.table, done)?;
        }
        attach_missing(&session, &manifest)?;
        Ok(Self { store, manifest, session })
    }

    /// Opens `tables` of two generations side by side, as `old_<table>` and `new_<table>`.
    pub(super) fn pair(
        store: &Store,
        old: &Manifest,
        new: Manifest,
        tables: &[&str],
    ) -> Result<Self> {
        let session = reader(&new.methods)?;
        for (prefix, manifest) in [("old", old), ("new", &new)] {
            for name in tables {
                let Some(done) = manifest.table(name) else {
                    let number = manifest.generation;
                    return Err(Error::job(format!("generation {number} has no table {name}")));
                };
                attach(&session, store, &format!("{prefix}_{name}"), done)?;
            }
        }
        Ok(Self { store: store.clone(), manifest: new, session })
    }

    /// The session.
    pub(super) fn context(&self) -> &SessionContext {
        self.session.context()
    }

    /// Plans one read-only query over registered tables.
    pub(super) async fn frame(&self, sql: &str) -> Result<DataFrame> {
        read_only(self.context(), sql).await
    }

    /// Rows of one read-only query.
    pub(super) async fn query(&self, sql: &str) -> Result<Vec<RecordBatch>> {
        self.frame(sql).await?.collect().await.map_err(engine::engine_error)
    }

    /// Rows of one of our own queries with its parameters bound, each as a `T`.
    pub(super) async fn rows<T: DeserializeOwned>(
        &self,
        sql: &str,
        bound: &[(&str, Scalar)],
    ) -> Result<Vec<T>> {
        collect(with_params(self.frame(sql).await?, bound)?).await
    }

    /// What turns the built-in job into one with the methods and parameters of this generation.
    ///
    /// # Errors
    ///
    /// A job error when this build has not all of its methods.
    pub(super) fn overrides(&self) -> Result<Vec<String>> {
        overrides(&self.manifest)
    }

    /// Policy and heuristic rules of its URL keys, as SQL functions take them.
    pub(super) fn url_policy(&self) -> &str {
        url_policy(&self.manifest).unwrap_or("safe")
    }
}

fn url_policy(manifest: &Manifest) -> Option<&str> {
    let mut params = manifest.tables.iter().map(|done| &done.recipe.params);
    params.find_map(|params| params.get("url_policy")).map(String::as_str)
}

/// A session that reads, with `methods` where this build has them.
fn reader(methods: &[String]) -> Result<Session> {
    let session = Session::reader(&settings())?;
    let pinned: Vec<&'static Method> =
        METHODS.iter().filter(|method| methods.contains(&method.versioned())).collect();
    let mut context = session.context().clone();
    udf::register_all(&mut context, &pinned).map_err(engine::engine_error)?;
    session.prefer_hash_join(true);
    Ok(session)
}

async fn read_only(context: &SessionContext, sql: &str) -> Result<DataFrame> {
    let options =
        SQLOptions::new().with_allow_ddl(false).with_allow_dml(false).with_allow_statements(false);
    let frame = context.sql_with_options(sql, options).await;
    frame.map_err(|cause| refusal(context, cause))
}

/// What is wrong with a query; a table that is not there is answered with those that are.
fn refusal(context: &SessionContext, cause: DataFusionError) -> Error {
    let text = match cause.find_root() {
        DataFusionError::Plan(text) => text.clone(),
        DataFusionError::SQL(fault, _) => fault.to_string(),
        _ => engine::engine_error(cause).to_string(),
    };
    let is_unknown_table = text.contains("table '") && text.contains("not found");
    let schema = context.catalog("datafusion").and_then(|catalog| catalog.schema("public"));
    let Some(schema) = schema.filter(|_| is_unknown_table) else { return Error::job(text) };
    let mut known = schema.table_names();
    known.sort_unstable();
    let text = text.replace("datafusion.public.", "");
    Error::job(format!("{text}, wanted one of {}", known.join(", ")))
}

/// Checks the queries of a job before it runs.
pub(super) async fn check_queries(shows: &[Show]) -> Result<()> {
    let session = reader(&[])?;
    plan::empty(session.context())?;
    for show in shows {
        let planned = read_only(session.context(), &show.sql).await;
        planned.map_err(|fault| Error::job(format!("show `{}`: {fault}", show.title)))?;
    }
    Ok(())
}

fn attach(session: &Session, store: &Store, name: &str, done: &Done) -> Result<()> {
    match schema::table(&done.table) {
        Some(table) => session.attach(store, name, table, done),
        None => Ok(()),
    }
}

/// Tables that came after the generation, without rows.
fn attach_missing(session: &Session, manifest: &Manifest) -> Result<()> {
    for table in schema::TABLES.iter().filter(|table| manifest.table(table.name).is_none()) {
        let empty = Arc::new(EmptyTable::new(table.arrow()));
        session.context().register_table(table.name, empty).map_err(engine::engine_error)?;
    }
    Ok(())
}

fn with_params(frame: DataFrame, bound: &[(impl AsRef<str>, Scalar)]) -> Result<DataFrame> {
    let bound: Vec<_> =
        bound.iter().map(|(name, value)| (name.as_ref().to_owned(), value.clone())).collect();
    frame.with_param_values(param_values(&bound)).map_err(engine::engine_error)
}

async fn collect<T: DeserializeOwned>(frame: DataFrame) -> Result<Vec<T>> {
    print::rows(&frame.collect().await.map_err(engine::engine_error)?)
}

/// What judged a pair before there were classes: one threshold, and one guard.
const BEFORE_CLASSES: &[&str] = &[
    "boilerplate.is_removed=false",
    "bucket.sample=false",
    "class.tiny_tokens_min=0",
    "class.short_tokens_min=0",
    "class.article_tokens_min=0",
    "class.list_share_milli=1001",
    "class.cross_host_milli=1",
    "class.same_host_milli=1",
    "class.product_milli=1",
    "guard.hreflang=false",
    "guard.language=false",
    "guard.product=false",
    "guard.price=false",
    "guard.title=false",
    "guard.digits=false",
    "guard.operator=false",
    "guard.polarity=false",
];

/// What turns the built-in job into one with the methods and parameters of `manifest`.
fn overrides(manifest: &Manifest) -> Result<Vec<String>> {
    let mut pins = Vec::new();
    let mut roles = method::roles();
    for name in &manifest.methods {
        let Some(method) = METHODS.iter().find(|method| method.versioned() == *name) else {
            return Err(Error::job(format!(
                "generation {} was made with {name}, which this build does not have",
                manifest.generation
            )));
        };
        pins.push(format!("{} = {}", method.name, method.version));
        roles.retain(|role| *role != method.role);
    }
    // A generation from before a role existed; what it computes has no part in the texts.
    for role in roles {
        if let Some(method) = METHODS.iter().find(|method| method.role == role) {
            pins.push(format!("{} = {}", method.name, method.version));
        }
    }
    let mut overrides = vec![format!("methods={{ {} }}", pins.join(", "))];
    for setting in SETTINGS.iter().filter(|setting| setting.usage == Use::Param) {
        let name = setting.key.rsplit('.').next().unwrap_or(setting.key);
        let value = manifest.tables.iter().find_map(|done| done.recipe.params.get(name));
        overrides.extend(value.map(|value| format!("{}={value}", setting.key)));
    }
    let has = |name: &str| manifest.tables.iter().any(|done| done.recipe.params.contains_key(name));
    if !has("article_tokens_min") {
        overrides.extend(BEFORE_CLASSES.iter().map(|value| (*value).to_owned()));
        let guards = manifest.tables.iter().find_map(|done| done.recipe.params.get("guard_script"));
        overrides.extend(guards.map(|value| format!("guard.script={value}")));
    }
    if let Some(text) = url_policy(manifest) {
        let (policy, rules) = text.split_once(',').unwrap_or((text, ""));
        let rules: Vec<_> = rules.split(',').filter(|rule| !rule.is_empty()).collect();
        overrides.push(format!("url.policy={policy}"));
        overrides.push(format!("url.rules={rules:?}"));
    }
    Ok(overrides)
}

/// What lets every pair through that no guard refuses.
const LOWEST: &[&str] = &[
    "edge.resemblance_min_milli=1",
    "edge.variant_min_milli=1",
    "class.cross_host_milli=1",
    "class.same_host_milli=1",
    "class.medium_milli=1",
    "class.short_milli=1",
    "class.tiny_milli=1",
    "class.list_milli=1",
    "class.product_milli=1",
];

/// A job for texts that no run has read: as asked, and with the lowest thresholds, which show what
/// the guards say of a pair that is not near.
pub(super) struct Jobs {
    pub(super) asked: Job,
    pub(super) lowest: Job,
}

impl Jobs {
    /// Reads a job file's text, as [`Job::parse`] does.
    pub(super) fn parse(text: &str, origin: &str, overrides: &[String]) -> Result<Self> {
        let asked = Job::parse(text, origin, overrides)?;
        let mut overrides = overrides.to_vec();
        overrides.extend(LOWEST.iter().map(|value| (*value).to_owned()));
        Ok(Self { asked, lowest: Job::parse(text, origin, &overrides)? })
    }

    /// The built-in job with `overrides`.
    pub(super) fn built_in(overrides: &[String]) -> Result<Self> {
        Self::parse(BUILT_IN, "the built-in job", overrides)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::store::Recipe;

    #[test]
    fn the_job_of_a_generation_is_found_in_its_recipes() {
        let recipe = Recipe {
            params: [
                ("width".to_owned(), "3".to_owned()),
                ("simhash".to_owned(), "true".to_owned()),
            ]
            .into(),
            ..Recipe::default()
        };
        let table = |recipe| Done {
            table: "fetch_fingerprint".to_owned(),
            key: String::new(),
            recipe,
            rows: 0,
            files: Vec::new(),
        };
        let mut manifest = Manifest {
            format: 1,
            generation: 7,
            parent: None,
            attempt: String::new(),
            job: String::new(),
            methods: [
                "banding_v1",
                "clustering_v1",
                "entity_id_v1",
                "fingerprint_word_v1",
                "url_key_v1",
            ]
            .map(str::to_owned)
            .to_vec(),
            rows: 0,
            quarantined: 0,
            tables: vec![table(recipe)],
        };
        let jobs = Jobs::built_in(&overrides(&manifest).unwrap()).unwrap();
        assert_eq!(jobs.asked.param("width"), Some(Scalar::Int(3)));
        assert_eq!(jobs.asked.param("simhash"), Some(Scalar::Bool(true)));
        assert!(jobs.asked.methods_text().contains("fingerprint_word_v1"));
        assert_eq!(jobs.lowest.param("resemblance_min_milli"), Some(Scalar::Int(1)));
        manifest.methods.push("fingerprint_v99".to_owned());
        let fault = overrides(&manifest).unwrap_err().to_string();
        assert!(fault.contains("generation 7 was made with fingerprint_v99"), "{fault}");
    }
}
