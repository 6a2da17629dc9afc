//! Operators: the few steps that are not SQL, as plan nodes that can be sent to another machine.
//!
//! An operator reads one stream whose partitions and order it states, and emits another. Verifying,
//! labelling and clustering see all rows of one component side by side; the engine's sink sees all
//! rows of one bucket in order. The planner inserts the repartitions and sorts, which spill.
//!
//! An operator has no state of its own: its name and its arguments say everything, so a plan that
//! holds one travels as JSON and is found again by name. Not useful for anything that a select can
//! say.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::compute::SortOptions;
use datafusion::arrow::datatypes::{Schema, SchemaRef};
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::catalog::Session;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{DFSchema, DFSchemaRef, DataFusionError, Result, plan_err};
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryLimit, MemoryReservation};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::physical_planning_context::PhysicalPlanningContext;
use datafusion::logical_expr::{
    Extension, LogicalPlan, UserDefinedLogicalNode, UserDefinedLogicalNodeCore,
};
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_expr::{
    Distribution, EquivalenceProperties, LexOrdering, OrderingRequirements, Partitioning,
    PhysicalExpr, PhysicalSortExpr,
};
use datafusion::physical_plan::execution_plan::{
    Boundedness, ChildrenPropertiesMode, EmissionType, ReplaceChildrenOptions,
};
use datafusion::physical_plan::metrics::{BaselineMetrics, ExecutionPlanMetricsSet, MetricsSet};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties, PlanProperties,
};
use datafusion::physical_planner::{ExtensionPlanner, PhysicalPlanner};
use futures::StreamExt;
use serde::{Deserialize, Serialize};

/// Name and arguments of an operator: all there is to know about it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Spec {
    /// Name under which the operator is found.
    pub operator: String,
    /// Arguments by name.
    pub arguments: BTreeMap<String, String>,
}

impl Spec {
    /// The integer argument `name`.
    ///
    /// # Errors
    ///
    /// A plan error when it is missing or no integer.
    pub fn int(&self, name: &str) -> Result<i64> {
        let found = self.arguments.get(name).map(String::as_str).unwrap_or_default();
        found.parse().or_else(|_| {
            plan_err!("operator {}: {name} is `{found}`, wanted an integer", self.operator)
        })
    }

    /// The text argument `name`.
    ///
    /// # Errors
    ///
    /// A plan error when it is missing.
    pub fn text(&self, name: &str) -> Result<&str> {
        match self.arguments.get(name) {
            Some(text) => Ok(text),
            None => plan_err!("operator {}: {name} is missing", self.operator),
        }
    }
}

/// How the rows that an operator reads are spread over its partitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spread {
    /// As they come.
    Any,
    /// Rows with equal values in this column stand in one partition.
    By(&'static str),
    /// All in one partition.
    One,
}

/// A step that is not SQL.
pub trait Operator: Send + Sync + fmt::Debug {
    /// Name under which it is found.
    fn name(&self) -> &'static str;

    /// Role of the method that it belongs to.
    fn role(&self) -> &'static str {
        "clustering"
    }

    /// What it emits.
    ///
    /// # Errors
    ///
    /// A plan error when arguments or input do not fit.
    fn schema(&self, spec: &Spec, input: &Schema) -> Result<SchemaRef>;

    /// How its input is spread over partitions.
    fn spread(&self, spec: &Spec) -> Spread;

    /// Columns by which each partition of its input is sorted, ascending, NULL first.
    fn order(&self, spec: &Spec) -> Vec<String>;

    /// Whether it holds rows of a whole group, which cannot be spilled.
    fn is_holding(&self) -> bool {
        true
    }

    /// A fresh machine for one partition.
    ///
    /// # Errors
    ///
    /// A plan error when an argument does not fit.
    fn start(
        &self,
        spec: &Spec,
        partition: usize,
        context: &Arc<TaskContext>,
    ) -> Result<Box<dyn Machine>>;
}

/// The work of one partition: batches in, batches out.
#[async_trait]
pub trait Machine: Send {
    /// Takes the next batch.
    ///
    /// # Errors
    ///
    /// What the operator meets: memory, disk, a broken key.
    async fn push(&mut self, batch: RecordBatch) -> Result<()>;

    /// Says that no batch follows.
    ///
    /// # Errors
    ///
    /// As `push`.
    async fn finish(&mut self) -> Result<()>;

    /// The next batch that is ready, if any.
    fn take(&mut self) -> Option<RecordBatch>;

    /// Bytes it holds, for the memory pool.
    fn held_bytes(&self) -> usize {
        0
    }
}

/// Finds operators by name.
pub type Registry = fn(&str) -> Option<&'static dyn Operator>;

/// The logical node.
#[derive(Debug, Clone)]
pub struct OperatorNode {
    spec: Spec,
    operator: &'static dyn Operator,
    input: LogicalPlan,
    schema: DFSchemaRef,
}

impl OperatorNode {
    /// The node over `input`.
    ///
    /// # Errors
    ///
    /// A plan error when arguments or input do not fit the operator.
    pub fn try_new(
        operator: &'static dyn Operator,
        spec: Spec,
        input: LogicalPlan,
    ) -> Result<Self> {
        let schema = operator.schema(&spec, input.schema().as_arrow())?;
        let schema = Arc::new(DFSchema::try_from(schema)?);
        Ok(Self { spec, operator, input, schema })
    }

    /// The node as a plan.
    pub fn into_plan(self) -> LogicalPlan {
        LogicalPlan::Extension(Extension { node: Arc::new(self) })
    }

    /// Name and arguments.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }
}

impl PartialEq for OperatorNode {
    fn eq(&self, other: &Self) -> bool {
        self.spec == other.spec && self.input == other.input
    }
}

impl Eq for OperatorNode {}

impl PartialOrd for OperatorNode {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match self.spec.cmp(&other.spec) {
            Ordering::Equal => self.input.partial_cmp(&other.input),
            ordering => Some(ordering),
        }
    }
}

impl Hash for OperatorNode {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.spec.hash(state);
        self.input.hash(state);
    }
}

impl UserDefinedLogicalNodeCore for OperatorNode {
    fn name(&self) -> &str {
        self.operator.name()
    }

    fn inputs(&self) -> Vec<&LogicalPlan> {
        vec![&self.input]
    }

    fn schema(&self) -> &DFSchemaRef {
        &self.schema
    }

    fn expressions(&self) -> Vec<datafusion::logical_expr::Expr> {
        Vec::new()
    }

    fn fmt_for_explain(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.operator.name())
    }

    fn with_exprs_and_inputs(
        &self,
        _: Vec<datafusion::logical_expr::Expr>,
        inputs: Vec<LogicalPlan>,
    ) -> Result<Self> {
        let Ok([input]) = <[LogicalPlan; 1]>::try_from(inputs) else {
            return plan_err!("operator {}: wanted one input", self.operator.name());
        };
        Self::try_new(self.operator, self.spec.clone(), input)
    }
}

/// Turns logical operators into physical ones.
#[derive(Debug)]
pub struct OperatorPlanner;

#[async_trait]
impl ExtensionPlanner for OperatorPlanner {
    async fn plan_extension(
        &self,
        _: &dyn PhysicalPlanner,
        node: &dyn UserDefinedLogicalNode,
        _: &[&LogicalPlan],
        inputs: &[Arc<dyn ExecutionPlan>],
        _: &dyn Session,
        _: &PhysicalPlanningContext,
    ) -> Result<Option<Arc<dyn ExecutionPlan>>> {
        let (Some(node), [input]) = (node.as_any().downcast_ref::<OperatorNode>(), inputs) else {
            return Ok(None);
        };
        let exec = OperatorExec::try_new(node.operator, node.spec.clone(), Arc::clone(input))?;
        Ok(Some(Arc::new(exec)))
    }
}

/// The physical node.
#[derive(Debug, Clone)]
pub struct OperatorExec {
    spec: Spec,
    operator: &'static dyn Operator,
    input: Arc<dyn ExecutionPlan>,
    properties: Arc<PlanProperties>,
    metrics: ExecutionPlanMetricsSet,
}

impl OperatorExec {
    /// The node over `input`.
    ///
    /// # Errors
    ///
    /// A plan error when arguments or input do not fit the operator.
    pub fn try_new(
        operator: &'static dyn Operator,
        spec: Spec,
        input: Arc<dyn ExecutionPlan>,
    ) -> Result<Self> {
        let schema = operator.schema(&spec, &input.schema())?;
        let partitions = match operator.spread(&spec) {
            Spread::One => 1,
            _ => input.output_partitioning().partition_count(),
        };
        let properties = PlanProperties::new(
            EquivalenceProperties::new(schema),
            Partitioning::UnknownPartitioning(partitions),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        let metrics = ExecutionPlanMetricsSet::new();
        Ok(Self { spec, operator, input, properties: Arc::new(properties), metrics })
    }

    /// Name and arguments.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Memory that is kept free for what the operator holds: an eighth of the pool over all
    /// partitions. The sorts below it fill the rest, and they can spill.
    fn floor_bytes(&self, context: &TaskContext) -> usize {
        let partitions = self.properties.output_partitioning().partition_count().max(1);
        match context.memory_pool().memory_limit() {
            MemoryLimit::Finite(bytes) if self.operator.is_holding() => bytes / 8 / partitions,
            _ => 0,
        }
    }

    fn column(&self, name: &str) -> Option<Arc<dyn PhysicalExpr>> {
        Some(Arc::new(Column::new_with_schema(name, &self.input.schema()).ok()?))
    }
}

impl DisplayAs for OperatorExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OperatorExec: {}", self.operator.name())
    }
}

impl ExecutionPlan for OperatorExec {
    fn name(&self) -> &str {
        self.operator.name()
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    fn required_input_distribution(&self) -> Vec<Distribution> {
        vec![match self.operator.spread(&self.spec) {
            Spread::Any => Distribution::UnspecifiedDistribution,
            Spread::One => Distribution::SinglePartition,
            Spread::By(name) => match self.column(name) {
                Some(column) => Distribution::KeyPartitioned(vec![column]),
                None => Distribution::SinglePartition,
            },
        }]
    }

    fn required_input_ordering(&self) -> Vec<Option<OrderingRequirements>> {
        let ascending = SortOptions { descending: false, nulls_first: true };
        let names = self.operator.order(&self.spec);
        let sorted = names
            .iter()
            .filter_map(|name| self.column(name))
            .map(|column| PhysicalSortExpr::new(column, ascending));
        vec![LexOrdering::new(sorted).map(OrderingRequirements::from)]
    }

    fn benefits_from_input_partitioning(&self) -> Vec<bool> {
        vec![false]
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let Ok([input]) = <[Arc<dyn ExecutionPlan>; 1]>::try_from(children) else {
            return plan_err!("operator {}: wanted one input", self.operator.name());
        };
        Ok(Arc::new(Self::try_new(self.operator, self.spec.clone(), input)?))
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let options = ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute);
        self.replace_children(children, options)
    }

    fn metrics(&self) -> Option<MetricsSet> {
        Some(self.metrics.clone_inner())
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let machine = self.operator.start(&self.spec, partition, &context)?;
        let input = self.input.execute(partition, Arc::clone(&context))?;
        let reservation = MemoryConsumer::new(self.operator.name()).register(context.memory_pool());
        let floor_bytes = self.floor_bytes(&context);
        reservation.try_resize(floor_bytes)?;
        let baseline = BaselineMetrics::new(&self.metrics, partition);
        let schema = self.schema();
        let state = Drive {
            machine,
            input: Some(input),
            schema: Arc::clone(&schema),
            reservation,
            floor_bytes,
            baseline,
        };
        let stream = futures::stream::try_unfold(state, |mut state| async move {
            Ok::<_, DataFusionError>(state.next().await?.map(|batch| (batch, state)))
        });
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema, stream)))
    }
}

/// A machine at work on its input.
struct Drive {
    machine: Box<dyn Machine>,
    input: Option<SendableRecordBatchStream>,
    /// The schema that the operator stated for its input; a machine only knows types.
    schema: SchemaRef,
    reservation: MemoryReservation,
    floor_bytes: usize,
    baseline: BaselineMetrics,
}

impl Drive {
    async fn next(&mut self) -> Result<Option<RecordBatch>> {
        loop {
            if let Some(batch) = self.machine.take() {
                self.baseline.record_output(batch.num_rows());
                let columns = batch.columns().to_vec();
                return Ok(Some(RecordBatch::try_new(Arc::clone(&self.schema), columns)?));
            }
            let Some(input) = self.input.as_mut() else {
                return Ok(None);
            };
            match input.next().await {
                Some(batch) => {
                    self.machine.push(batch?).await?;
                    let held = self.machine.held_bytes().max(self.floor_bytes);
                    self.reservation.try_resize(held)?;
                }
                None => {
                    self.input = None;
                    self.machine.finish().await?;
                }
            }
        }
    }
}
