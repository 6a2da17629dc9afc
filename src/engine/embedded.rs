//! The embedded engine: DataFusion in this process, with a memory pool that spills.

use std::num::NonZeroUsize;
use std::sync::Arc;

use datafusion::execution::memory_pool::{FairSpillPool, TrackConsumersPool};
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::execution::{SessionState, SessionStateBuilder};
use datafusion::prelude::SessionContext;

use super::{Planner, Settings, config, engine_error};
use crate::error::Result;

/// Consumers that an error about memory names.
const NAMED_CONSUMERS: NonZeroUsize = NonZeroUsize::new(5).unwrap();

/// The state of a session: memory pool, planner, settings.
///
/// # Errors
///
/// When the spill folder cannot be made.
pub fn state(settings: &Settings) -> Result<SessionState> {
    let pool = TrackConsumersPool::new(FairSpillPool::new(settings.memory_bytes), NAMED_CONSUMERS);
    let runtime = RuntimeEnvBuilder::new()
        .with_memory_pool(Arc::new(pool))
        .build_arc()
        .map_err(engine_error)?;
    Ok(SessionStateBuilder::new()
        .with_config(config(settings))
        .with_runtime_env(runtime)
        .with_default_features()
        .with_query_planner(Arc::new(Planner))
        .build())
}

/// A session in this process.
///
/// # Errors
///
/// When the spill folder cannot be made.
pub fn context(settings: &Settings) -> Result<SessionContext> {
    Ok(SessionContext::new_with_state(state(settings)?))
}
