//! The engine runs stages: it reads inputs, plans SQL, writes tables and publishes generations.
//!
//! Two engines, one code path. [`embedded`] plans and executes in this process; `cluster` sends the
//! same plans to Ballista. Everything else is common: what a stage is bound to, how its output is
//! checked and written, and the store. The engine knows tables and plans; it does not know what a
//! shingle is.

pub mod admission;
#[cfg(feature = "cluster")]
pub mod cluster;
pub mod embedded;
mod file;
pub mod plan;
pub mod run;
pub mod sink;
pub mod store;
pub mod usage;

use std::sync::Arc;
use std::time::Duration;

use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::common::DataFusionError;
use datafusion::common::config::{ConfigNonZeroUsize, Dialect};
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{
    ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl,
};
use datafusion::execution::context::QueryPlanner;
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_planner::{DefaultPhysicalPlanner, PhysicalPlanner};
use datafusion::prelude::{SessionConfig, SessionContext};

use crate::error::{Error, Kind, Result};
use crate::job::Job;
use crate::schema::Table;
use crate::stages::OPERATORS;
use crate::stages::operator::{Operator, OperatorPlanner};
use crate::stages::sql::Head;
use store::{Done, Store};

/// What changes speed and never a result.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Memory pool, bytes.
    pub memory_bytes: usize,
    /// Worker threads.
    pub threads: usize,
    /// Whether the stages run on a cluster.
    pub is_cluster: bool,
    /// Longest time of one stage; a cluster that lost a task may never answer.
    pub stage_limit: Duration,
}

impl Settings {
    /// Settings that `job` gives; memory defaults to 2 GiB, threads to the processors.
    pub fn of(job: &Job) -> Self {
        let given = |key| usize::try_from(job.int(key)).ok().filter(|&value| value > 0);
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Self {
            memory_bytes: given("engine.memory_mib").unwrap_or(2048).saturating_mul(1 << 20),
            threads: given("engine.threads").unwrap_or(cores),
            is_cluster: job.text("engine.kind") == Some("cluster"),
            stage_limit: given("engine.stage_minutes").map_or(STAGE_LIMIT, |minutes| {
                Duration::from_secs(60 * u64::try_from(minutes).unwrap_or(u64::MAX / 60))
            }),
        }
    }

    /// Partitions of a plan. Never one: with one, joins are hash joins whatever is asked for.
    fn partitions(&self) -> usize {
        self.threads.max(2)
    }
}

/// Largest build side, in bytes and rows, that every partition of a hash join shares, so that the
/// other side, which carries text, is neither sorted nor moved.
const HASH_BUILD_SIDE: (usize, usize) = (64 << 20, 16_384);

/// Longest time of one stage where the job does not say.
pub const STAGE_LIMIT: Duration = Duration::from_secs(6 * 60 * 60);

/// Finds an operator by name, the sink included.
pub fn operator(name: &str) -> Option<&'static dyn Operator> {
    if name == "sink" {
        return Some(&sink::Sink);
    }
    OPERATORS.iter().copied().find(|operator| operator.name() == name)
}

/// Plans our operators beside DataFusion's own nodes.
#[derive(Debug)]
pub struct Planner;

#[async_trait::async_trait]
impl QueryPlanner for Planner {
    async fn create_physical_plan(
        &self,
        plan: &LogicalPlan,
        session: &dyn datafusion::catalog::Session,
    ) -> Result<Arc<dyn ExecutionPlan>, DataFusionError> {
        DefaultPhysicalPlanner::with_extension_planners(vec![Arc::new(OperatorPlanner)])
            .create_physical_plan(plan, session)
            .await
    }
}

/// Rows of a batch that a stage reads, unless its head says fewer.
const BATCH_ROWS: usize = 4096;

/// Session settings that both engines share.
pub fn config(settings: &Settings) -> SessionConfig {
    let mut config = SessionConfig::new()
        .with_target_partitions(settings.partitions())
        .with_batch_size(BATCH_ROWS)
        .with_information_schema(true);
    let options = config.options_mut();
    // A struct that a function returns is read field by field above it; pushing those reads down
    // runs the function once a field.
    options.optimizer.enable_leaf_expression_pushdown = false;
    options.optimizer.prefer_hash_join = false;
    // In the generic dialect `select url, cluster from cluster` is a fault: CLUSTER is reserved.
    options.sql_parser.dialect = Dialect::PostgreSQL;
    options.execution.sort_spill_reservation_bytes = 1 << 20;
    options.execution.parquet.pushdown_filters = false;
    config
}

/// A session in which stages are planned and run.
pub struct Session {
    context: SessionContext,
}

impl Session {
    /// A session on the engine that `settings` asks for, with the methods of `job`.
    ///
    /// # Errors
    ///
    /// When the engine cannot be started; a job error when a cluster is asked for and the binary
    /// was built without it.
    pub async fn start(settings: &Settings, job: &Job) -> Result<Self> {
        let mut context = if settings.is_cluster {
            cluster_context(settings).await?
        } else {
            embedded::context(settings)?
        };
        crate::udf::register_all(&mut context, job.methods()).map_err(engine_error)?;
        Ok(Self { context })
    }

    /// A session of this process that reads, with the newest version of every method.
    ///
    /// # Errors
    ///
    /// When it cannot be started.
    pub fn reader(settings: &Settings) -> Result<Self> {
        let mut context = embedded::context(settings)?;
        crate::udf::register_all(&mut context, &[]).map_err(engine_error)?;
        Ok(Self { context })
    }

    /// The DataFusion session.
    pub fn context(&self) -> &SessionContext {
        &self.context
    }

    /// Plans from now on as a stage with `head` wants.
    pub fn tune(&self, head: &Head) {
        self.prefer_hash_join(head.is_hash_join);
        let state = self.context.state_ref();
        let mut state = state.write();
        let options = state.config_mut().options_mut();
        let rows = head.batch_rows.unwrap_or(BATCH_ROWS);
        if let Ok(rows) = ConfigNonZeroUsize::try_new(rows) {
            options.execution.batch_size = rows;
        }
    }

    /// Whether joins build a hash table; otherwise they sort both sides, which spills.
    pub fn prefer_hash_join(&self, is_preferred: bool) {
        let state = self.context.state_ref();
        let mut state = state.write();
        let options = state.config_mut().options_mut();
        options.optimizer.prefer_hash_join = is_preferred;
        let (bytes, rows) = if is_preferred { HASH_BUILD_SIDE } else { (1 << 20, 128 << 10) };
        options.optimizer.hash_join_single_partition_threshold = bytes;
        options.optimizer.hash_join_single_partition_threshold_rows = rows;
    }

    /// Makes `done` readable as `name`, in place of what was there.
    ///
    /// # Errors
    ///
    /// When the table cannot be registered.
    pub fn attach(&self, store: &Store, name: &str, table: &Table, done: &Done) -> Result<()> {
        let provider = provider(&self.context, store, table, done)?;
        self.context.deregister_table(name).map_err(engine_error)?;
        self.context.register_table(name, provider).map_err(engine_error)?;
        Ok(())
    }
}

#[cfg(feature = "cluster")]
async fn cluster_context(settings: &Settings) -> Result<SessionContext> {
    cluster::context(settings).await
}

#[cfg(not(feature = "cluster"))]
async fn cluster_context(_: &Settings) -> Result<SessionContext> {
    Err(Error::job("engine.kind is cluster, but this binary was built without feature cluster"))
}

/// The files of `done` as a table; exactly those, whatever else lies in the folder.
fn provider(
    context: &SessionContext,
    store: &Store,
    table: &Table,
    done: &Done,
) -> Result<Arc<ListingTable>> {
    let folder = store.url(&done.folder())?;
    let url = |file: &store::DataFile| {
        let url = folder.join(&file.name).map_err(|cause| Error::store(cause.to_string()))?;
        ListingTableUrl::parse(url.as_str()).map_err(engine_error)
    };
    let urls = done.files.iter().map(url).collect::<Result<Vec<_>>>()?;
    let state = context.state();
    let has_views = state.config_options().execution.parquet.schema_force_view_types;
    let format = ParquetFormat::default().with_force_view_types(false);
    let options = ListingOptions::new(Arc::new(format)).with_file_extension(".parquet");
    let schema = if has_views { text_as_views(&table.arrow()) } else { table.arrow() };
    let config = ListingTableConfig::new_with_multi_paths(urls)
        .with_listing_options(options)
        .with_schema(schema);
    Ok(Arc::new(ListingTable::try_new(config).map_err(engine_error)?))
}

/// `schema` with texts as views, which are read without a copy.
fn text_as_views(schema: &Schema) -> SchemaRef {
    let field = |field: &Arc<Field>| match field.data_type() {
        DataType::Utf8 => field.as_ref().clone().with_data_type(DataType::Utf8View),
        _ => field.as_ref().clone(),
    };
    Arc::new(Schema::new(schema.fields().iter().map(field).collect::<Vec<_>>()))
}

/// An error of the engine below, with the kind that a caller can act on.
pub fn engine_error(cause: DataFusionError) -> Error {
    let root = cause.find_root();
    let message = root.strip_backtrace();
    let kind = match root {
        DataFusionError::ResourcesExhausted(_) => Kind::Resources,
        DataFusionError::Plan(_)
        | DataFusionError::SQL(..)
        | DataFusionError::SchemaError(..)
        | DataFusionError::NotImplemented(_) => Kind::Job,
        DataFusionError::Execution(text) if text.contains("is not unique") => Kind::Invariant,
        _ if message.contains("No space left") => Kind::Resources,
        _ => Kind::Store,
    };
    Error::new(kind, message).because(cause)
}
