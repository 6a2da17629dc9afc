//! A generation opened for reading: its tables in a read-only SQL session.

use datafusion::arrow::record_batch::RecordBatch;
use datafusion::execution::context::SQLOptions;
use datafusion::prelude::{DataFrame, SessionContext};

use crate::engine::store::{Manifest, Store};
use crate::engine::{self, Session, Settings};
use crate::error::{Error, Result};
use crate::job::Show;
use crate::schema;

/// Memory of a session that reads, bytes.
const MEMORY_BYTES: usize = 1 << 30;

/// A generation and a session over its tables.
pub(super) struct Generation {
    pub(super) store: Store,
    pub(super) manifest: Manifest,
    session: Session,
}

impl Generation {
    /// Opens a generation of the folder `root`, the newest when no number is given.
    pub(super) async fn open(root: &str, number: Option<u64>) -> Result<Self> {
        let store = Store::open_existing(root)?;
        match store.manifest(number).await? {
            Some(manifest) => Self::of(store, manifest).await,
            None => Err(Error::job(format!("{root} holds no generation yet; `run` makes one"))),
        }
    }

    /// A session over every table of ours without rows, for checking queries.
    fn empty() -> Result<Session> {
        let session = Session::reader(&settings())?;
        engine::plan::empty(session.context())?;
        Ok(session)
    }

    /// Opens the generation that `manifest` publishes.
    pub(super) async fn of(store: Store, manifest: Manifest) -> Result<Self> {
        let session = Session::reader(&settings())?;
        session.prefer_hash_join(true);
        for done in &manifest.tables {
            if let Some(table) = schema::table(&done.table) {
                session.attach(&store, table.name, table, done)?;
            }
        }
        Ok(Self { store, manifest, session })
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
}

fn settings() -> Settings {
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let stage_limit = engine::STAGE_LIMIT;
    Settings { memory_bytes: MEMORY_BYTES, threads, is_cluster: false, stage_limit }
}

async fn read_only(context: &SessionContext, sql: &str) -> Result<DataFrame> {
    let options =
        SQLOptions::new().with_allow_ddl(false).with_allow_dml(false).with_allow_statements(false);
    let frame = context.sql_with_options(sql, options).await;
    frame.map_err(|cause| Error::job(engine::engine_error(cause).to_string()))
}

/// Checks the queries of a job before it runs.
pub(super) async fn check_queries(shows: &[Show]) -> Result<()> {
    let session = Generation::empty()?;
    for show in shows {
        let planned = read_only(session.context(), &show.sql).await;
        planned.map_err(|fault| Error::job(format!("show `{}`: {fault}", show.title)))?;
    }
    Ok(())
}
