//! The cluster engine: the same plans on Apache DataFusion Ballista.
//!
//! Started here as one scheduler and one executor inside this process, on loopback. Functions are
//! found by name on the other side; our operators travel as JSON through the codecs below. Tables
//! are read and written by absolute URL, so both sides need to see the store.

use std::sync::Arc;
use std::time::Duration;

use ballista_core::ConfigProducer;
use ballista_core::extension::{SessionConfigExt, SessionStateExt};
use ballista_core::serde::protobuf::scheduler_grpc_client::SchedulerGrpcClient;
use ballista_core::serde::{
    BallistaCodec, BallistaLogicalExtensionCodec, BallistaPhysicalExtensionCodec,
};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::TableProvider;
use datafusion::common::{DataFusionError, TableReference, exec_err};
use datafusion::datasource::file_format::FileFormatFactory;
use datafusion::execution::{SessionState, SessionStateBuilder, TaskContext};
use datafusion::logical_expr::{AggregateUDF, Extension, LogicalPlan, ScalarUDF, WindowUDF};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::prelude::{SessionConfig, SessionContext};
use datafusion_proto::logical_plan::LogicalExtensionCodec;
use datafusion_proto::physical_plan::{PhysicalExtensionCodec, PhysicalProtoConverterExtension};

use super::{Settings, embedded, engine_error, operator};
use crate::error::{Error, Result};
use crate::stages::operator::{OperatorExec, OperatorNode, Spec};

/// What a payload of ours starts with; a Ballista payload is a protobuf message.
const PREFIX: &[u8] = b"selfsame operator ";

/// Optimizer rules that replace a part of a plan by no rows.
const EMPTYING_RULES: [&str; 4] =
    ["eliminate_filter", "eliminate_join", "eliminate_limit", "propagate_empty_relation"];

/// Physical rules that a cluster does without. One replaces a count by a row of literals; as a
/// branch of a union such a row has fewer metrics in one task than in the next, upon which the
/// scheduler drops the report of the task and the job never ends.
const LITERAL_RULES: [&str; 1] = ["aggregate_statistics"];

/// How often, and how many times, the scheduler is asked whether it listens.
const CONNECT: (Duration, usize) = (Duration::from_millis(50), 200);

fn encode(spec: &Spec, buffer: &mut Vec<u8>) -> Result<(), DataFusionError> {
    buffer.extend_from_slice(PREFIX);
    let json = serde_json::to_vec(spec).map_err(|cause| DataFusionError::External(cause.into()))?;
    buffer.extend_from_slice(&json);
    Ok(())
}

fn decode(buffer: &[u8]) -> Option<Result<Spec, DataFusionError>> {
    let json = buffer.strip_prefix(PREFIX)?;
    Some(serde_json::from_slice(json).map_err(|cause| DataFusionError::External(cause.into())))
}

/// Sends logical operators; everything else is Ballista's.
#[derive(Debug, Default)]
struct LogicalCodec {
    inner: BallistaLogicalExtensionCodec,
}

impl LogicalExtensionCodec for LogicalCodec {
    fn try_decode(
        &self,
        buffer: &[u8],
        inputs: &[LogicalPlan],
        context: &TaskContext,
    ) -> Result<Extension, DataFusionError> {
        let Some(spec) = decode(buffer) else {
            return self.inner.try_decode(buffer, inputs, context);
        };
        let spec = spec?;
        let (Some(found), [input]) = (operator(&spec.operator), inputs) else {
            return exec_err!("operator {} cannot be decoded", spec.operator);
        };
        Ok(Extension { node: Arc::new(OperatorNode::try_new(found, spec, input.clone())?) })
    }

    fn try_encode(&self, node: &Extension, buffer: &mut Vec<u8>) -> Result<(), DataFusionError> {
        match node.node.as_any().downcast_ref::<OperatorNode>() {
            Some(node) => encode(node.spec(), buffer),
            None => self.inner.try_encode(node, buffer),
        }
    }

    fn try_decode_table_provider(
        &self,
        buffer: &[u8],
        table: &TableReference,
        schema: SchemaRef,
        context: &TaskContext,
    ) -> Result<Arc<dyn TableProvider>, DataFusionError> {
        self.inner.try_decode_table_provider(buffer, table, schema, context)
    }

    fn try_encode_table_provider(
        &self,
        table: &TableReference,
        node: Arc<dyn TableProvider>,
        buffer: &mut Vec<u8>,
    ) -> Result<(), DataFusionError> {
        self.inner.try_encode_table_provider(table, node, buffer)
    }

    fn try_decode_file_format(
        &self,
        buffer: &[u8],
        context: &TaskContext,
    ) -> Result<Arc<dyn FileFormatFactory>, DataFusionError> {
        self.inner.try_decode_file_format(buffer, context)
    }

    fn try_encode_file_format(
        &self,
        buffer: &mut Vec<u8>,
        node: Arc<dyn FileFormatFactory>,
    ) -> Result<(), DataFusionError> {
        self.inner.try_encode_file_format(buffer, node)
    }
}

/// Sends physical operators; everything else is Ballista's.
#[derive(Debug, Default)]
struct PhysicalCodec {
    inner: BallistaPhysicalExtensionCodec,
}

impl PhysicalExtensionCodec for PhysicalCodec {
    fn try_decode(
        &self,
        buffer: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        context: &TaskContext,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>, DataFusionError> {
        let Some(spec) = decode(buffer) else {
            return self.inner.try_decode(buffer, inputs, context, converter);
        };
        let spec = spec?;
        let (Some(found), [input]) = (operator(&spec.operator), inputs) else {
            return exec_err!("operator {} cannot be decoded", spec.operator);
        };
        Ok(Arc::new(OperatorExec::try_new(found, spec, Arc::clone(input))?))
    }

    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        buffer: &mut Vec<u8>,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<(), DataFusionError> {
        match node.downcast_ref::<OperatorExec>() {
            Some(node) => encode(node.spec(), buffer),
            None => self.inner.try_encode(node, buffer, converter),
        }
    }

    fn try_decode_udf(&self, name: &str, buffer: &[u8]) -> Result<Arc<ScalarUDF>, DataFusionError> {
        self.inner.try_decode_udf(name, buffer)
    }

    fn try_encode_udf(
        &self,
        node: &ScalarUDF,
        buffer: &mut Vec<u8>,
    ) -> Result<(), DataFusionError> {
        self.inner.try_encode_udf(node, buffer)
    }

    fn try_decode_udaf(
        &self,
        name: &str,
        buffer: &[u8],
    ) -> Result<Arc<AggregateUDF>, DataFusionError> {
        self.inner.try_decode_udaf(name, buffer)
    }

    fn try_decode_udwf(
        &self,
        name: &str,
        buffer: &[u8],
    ) -> Result<Arc<WindowUDF>, DataFusionError> {
        self.inner.try_decode_udwf(name, buffer)
    }
}

/// A session whose plans run on a scheduler and an executor inside this process.
///
/// # Errors
///
/// When they cannot be started.
pub async fn context(settings: &Settings) -> Result<SessionContext> {
    let mut state = with_codecs(embedded::state(settings)?);
    crate::udf::register_all(&mut state, &[]).map_err(engine_error)?;
    let address = start(&state, settings).await?;
    let state = state.upgrade_for_ballista(address).map_err(engine_error)?;
    // A plan that is found empty loses its columns when it is sent; the scheduler, which optimises
    // it again, finds the same.
    let rules = state.optimizers().iter().filter(|rule| !EMPTYING_RULES.contains(&rule.name()));
    let rules = rules.cloned().collect();
    let state = SessionStateBuilder::new_from_existing(state).with_optimizer_rules(rules).build();
    Ok(SessionContext::new_with_state(state))
}

fn with_codecs(state: SessionState) -> SessionState {
    let mut config = state.config().clone();
    // The scheduler swaps the sides of a join after planning, which such a filter forbids.
    config.options_mut().optimizer.enable_dynamic_filter_pushdown = false;
    config.options_mut().optimizer.enable_join_dynamic_filter_pushdown = false;
    config.options_mut().optimizer.enable_topk_dynamic_filter_pushdown = false;
    config.options_mut().optimizer.enable_aggregate_dynamic_filter_pushdown = false;
    let config = config
        .with_ballista_logical_extension_codec(Arc::new(LogicalCodec::default()))
        .with_ballista_physical_extension_codec(Arc::new(PhysicalCodec::default()))
        .with_ballista_adaptive_query_planner(false);
    let rules = state.physical_optimizers().iter();
    let rules = rules.filter(|rule| !LITERAL_RULES.contains(&rule.name())).cloned().collect();
    SessionStateBuilder::new_from_existing(state)
        .with_config(config)
        .with_physical_optimizer_rules(rules)
        .build()
}

async fn start(state: &SessionState, settings: &Settings) -> Result<String> {
    let started = |cause: ballista_core::error::BallistaError| {
        Error::store(format!("the cluster cannot be started: {cause}"))
    };
    let config = state.config().clone().upgrade_for_ballista();
    let codec = BallistaCodec::new(
        config.ballista_logical_extension_codec(),
        config.ballista_physical_extension_codec(),
    );
    let base = state.clone();
    let builder = Arc::new(move |config: SessionConfig| {
        Ok(SessionStateBuilder::new_from_existing(base.clone()).with_config(config).build())
    });
    let producer: ConfigProducer = Arc::new(move || config.clone());
    let address = ballista_scheduler::standalone::new_standalone_scheduler_with_builder(
        builder, producer, codec,
    );
    let address = format!("http://localhost:{}", address.await.map_err(started)?.port());
    let (pause, times) = CONNECT;
    for _ in 0..times {
        if let Ok(scheduler) = SchedulerGrpcClient::connect(address.clone()).await {
            let executor = ballista_executor::new_standalone_executor_from_state(
                scheduler,
                settings.partitions(),
                state,
            );
            executor.await.map_err(started)?;
            return Ok(address);
        }
        tokio::time::sleep(pause).await;
    }
    Err(Error::store(format!("the cluster does not answer at {address}")))
}
