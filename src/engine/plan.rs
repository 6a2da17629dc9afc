//! From a stage to a plan that writes its table, and to the key of what it will write.
//!
//! The SQL text is planned as it stands: tables by logical name, values as bound parameters. The
//! engine adds the rest around it: the operator, the casts to the table's types, the bucket, the
//! sink.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, SchemaRef};
use datafusion::catalog::TableProvider;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::datasource::empty::EmptyTable;
use datafusion::functions::core::expr_fn::coalesce;
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder, cast, col, lit};
use datafusion::prelude::SessionContext;
use url::Url;

use super::sink::{BUCKET, Sink};
use super::store::Recipe;
use super::{engine_error, operator};
use crate::error::{Error, Result};
use crate::job::{Job, Scalar};
use crate::method;
use crate::schema::{Layout, TABLES, Table, WRITER_VERSION};
use crate::stages::operator::{OperatorNode, Spec};
use crate::stages::sql::{Head, param_values};
use crate::stages::{Audit, Stage};

/// Plans `sql` with the parameters of its head.
async fn select(
    context: &SessionContext,
    head: &Head,
    sql: &str,
    job: &Job,
) -> Result<LogicalPlan> {
    let named = |cause| {
        let fault = engine_error(cause);
        Error::new(fault.kind(), format!("stage {}: {fault}", head.name)).because(fault)
    };
    let plan = context.state().create_logical_plan(sql).await.map_err(named)?;
    let inline: BTreeSet<_> =
        plan.get_parameter_names().map_err(engine_error)?.into_iter().collect();
    let bound: Vec<_> = head
        .bound(job)?
        .into_iter()
        .filter(|(name, _)| inline.contains(&format!("${name}")))
        .collect();
    plan.with_param_values(param_values(&bound)).map_err(engine_error)
}

/// The rows of a stage's table: its select, through its operator, in the table's types.
///
/// # Errors
///
/// A schema error when the stage does not produce the columns of its table.
pub async fn rows(context: &SessionContext, stage: &Stage, job: &Job) -> Result<LogicalPlan> {
    let mut plan = select(context, &stage.head, stage.sql, job).await?;
    if let Some((name, params)) = &stage.head.operator {
        let Some(found) = operator(name) else {
            return Err(Error::schema(format!("stage {}: no operator {name}", stage.name)));
        };
        let spec = Spec { operator: name.clone(), arguments: arguments(stage, params, job)? };
        plan = OperatorNode::try_new(found, spec, plan).map_err(engine_error)?.into_plan();
    }
    conform(plan, stage)
}

fn arguments(stage: &Stage, params: &[String], job: &Job) -> Result<BTreeMap<String, String>> {
    let argument = |name: &String| match job.param(name) {
        Some(value) => Ok((name.clone(), text_of(&value))),
        None => Err(Error::job(format!("stage {}: no setting gives {name}", stage.name))),
    };
    params.iter().map(argument).collect()
}

/// A parameter as it stands in a recipe.
pub fn text_of(value: &Scalar) -> String {
    match value {
        Scalar::Int(value) => value.to_string(),
        Scalar::Bool(value) => value.to_string(),
        Scalar::Text(value) => value.clone(),
        Scalar::Bytes(value) => blake3::hash(value).to_string(),
    }
}

/// Checks names and types against the table, and casts views to plain types.
fn conform(plan: LogicalPlan, stage: &Stage) -> Result<LogicalPlan> {
    let schema = Arc::clone(plan.schema());
    let found: Vec<_> = schema.fields().iter().map(|field| field.name().clone()).collect();
    let wanted: Vec<_> = stage.table.produced().map(|column| column.name).collect();
    if found != wanted {
        return Err(Error::schema(format!(
            "stage {}: columns are {}, wanted {}",
            stage.name,
            found.join(", "),
            wanted.join(", ")
        )));
    }
    let mut columns = Vec::with_capacity(found.len());
    for (column, (qualifier, field)) in stage.table.produced().zip(schema.iter()) {
        let kind = column.kind.arrow();
        if !is_same(field.data_type(), &kind) {
            return Err(Error::schema(format!(
                "stage {}: column {} is {}, wanted {kind}",
                stage.name,
                column.name,
                field.data_type()
            )));
        }
        // The cast stays even where the types agree: a union may be widened after this point.
        columns.push(cast(Expr::from((qualifier, field)), kind).alias(column.name));
    }
    let plan = LogicalPlanBuilder::from(plan).project(columns);
    plan.and_then(LogicalPlanBuilder::build).map_err(engine_error)
}

fn is_same(found: &DataType, wanted: &DataType) -> bool {
    match (found, wanted) {
        (DataType::Utf8View, DataType::Utf8) | (DataType::BinaryView, DataType::Binary) => true,
        (DataType::List(found), DataType::List(wanted)) => {
            is_same(found.data_type(), wanted.data_type())
        }
        (DataType::Struct(found), DataType::Struct(wanted)) => {
            found.len() == wanted.len()
                && found.iter().zip(wanted.iter()).all(|(found, wanted)| {
                    found.name() == wanted.name() && is_same(found.data_type(), wanted.data_type())
                })
        }
        _ => found == wanted,
    }
}

/// The plan that writes `rows` of `table` into the folder at `url`.
///
/// # Errors
///
/// When the plan cannot be built.
pub fn write(
    context: &SessionContext,
    rows: LogicalPlan,
    table: &'static Table,
    url: &Url,
    attempt: &str,
    buckets: i64,
) -> Result<LogicalPlan> {
    let rows = match table.layout {
        Layout::Work => rows,
        Layout::Numbered(_) | Layout::Published => with_bucket(context, rows, table, buckets)?,
    };
    let node = OperatorNode::try_new(&Sink, Sink::spec(table, url, attempt), rows);
    Ok(node.map_err(engine_error)?.into_plan())
}

fn with_bucket(
    context: &SessionContext,
    rows: LogicalPlan,
    table: &Table,
    buckets: i64,
) -> Result<LogicalPlan> {
    let is_id = table.columns.iter().any(|column| {
        Some(&column.name) == table.key.first() && column.kind.arrow() == DataType::Binary
    });
    let state = context.state();
    let function = |name: &str| {
        let found = state.scalar_functions().get(name).cloned();
        found.ok_or_else(|| Error::schema(format!("no function {name}")))
    };
    let bucket = if is_id {
        function("id_bucket")?.call(vec![col(table.key[0]), lit(buckets)])
    } else {
        let texts = table.key.iter().map(|name| cast(col(*name), DataType::Utf8)).collect();
        function("text_bucket")?.call(vec![coalesce(texts), lit(buckets)])
    };
    let columns = std::iter::once(bucket.alias(BUCKET))
        .chain(table.produced().map(|column| col(column.name)))
        .collect::<Vec<_>>();
    let plan = LogicalPlanBuilder::from(rows).project(columns);
    plan.and_then(LogicalPlanBuilder::build).map_err(engine_error)
}

/// Counts the rows of `table` that break the invariant `condition`.
///
/// # Errors
///
/// When the condition cannot be planned.
pub async fn broken_rows(
    context: &SessionContext,
    stage: &Stage,
    condition: &str,
    job: &Job,
) -> Result<LogicalPlan> {
    let table = context.table(stage.name).await.map_err(engine_error)?.into_unoptimized_plan();
    let state = context.state();
    let holds = state.create_logical_expr(condition, table.schema()).map_err(engine_error)?;
    let plan = LogicalPlanBuilder::from(table)
        .filter(Expr::IsNotTrue(Box::new(holds)))
        .and_then(LogicalPlanBuilder::build)
        .map_err(engine_error)?;
    let bound = stage.head.bound(job)?;
    plan.with_param_values(param_values(&bound)).map_err(engine_error)
}

/// The rows that an audit finds.
///
/// # Errors
///
/// When the audit cannot be planned.
pub async fn audit(context: &SessionContext, audit: &Audit, job: &Job) -> Result<LogicalPlan> {
    select(context, &audit.head, audit.sql, job).await
}

/// A session that knows every table by its columns and holds no rows.
///
/// # Errors
///
/// When a table cannot be registered.
pub fn empty(context: &SessionContext) -> Result<()> {
    for table in TABLES {
        attach_empty(context, table.name, table.arrow())?;
    }
    Ok(())
}

fn attach_empty(context: &SessionContext, name: &str, schema: SchemaRef) -> Result<()> {
    let provider: Arc<dyn TableProvider> = Arc::new(EmptyTable::new(schema));
    context.deregister_table(name).map_err(engine_error)?;
    context.register_table(name, provider).map_err(engine_error)?;
    Ok(())
}

/// Versioned methods that the functions of a plan belong to, and those of its operator.
///
/// # Errors
///
/// When the plan cannot be walked.
pub fn methods_of(plan: &LogicalPlan, stage: &Stage, job: &Job) -> Result<Vec<String>> {
    let mut found = BTreeSet::new();
    let walked = plan.apply_with_subqueries(|node| {
        node.apply_expressions(|expr| {
            expr.apply(|expr| {
                if let Expr::ScalarFunction(function) = expr
                    && let Some(method) = method::of_function(function.name())
                {
                    found.insert(method.versioned());
                }
                Ok(TreeNodeRecursion::Continue)
            })
        })
    });
    walked.map_err(engine_error)?;
    if let Some((name, _)) = &stage.head.operator {
        let role = operator(name).map_or("clustering", |found| found.role());
        found.extend(pinned(job, role));
    }
    Ok(found.into_iter().collect())
}

fn pinned<'a>(job: &'a Job, role: &'a str) -> impl Iterator<Item = String> + use<'a> {
    let methods = job.methods().iter().filter(move |method| method.role == role);
    methods.map(|method| method.versioned())
}

/// BLAKE3 of a select and of the operator that its rows go through; comments do not count.
fn code(sql: &str, operator: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    for line in sql.lines().filter(|line| !line.trim_start().starts_with("--")) {
        hasher.update(line.as_bytes()).update(b"\n");
    }
    hasher.update(operator.as_bytes()).finalize().to_hex().to_string()
}

/// What decides the output of `stage`; `keys` holds the stage keys of the tables it reads.
///
/// # Errors
///
/// When the stage cannot be planned over empty tables in `context`.
pub async fn recipe(
    context: &SessionContext,
    stage: &Stage,
    job: &Job,
    keys: &BTreeMap<String, String>,
) -> Result<Recipe> {
    let plan = rows(context, stage, job).await?;
    let mut params: BTreeMap<String, String> =
        stage.head.bound(job)?.iter().map(|(name, value)| (name.clone(), text_of(value))).collect();
    let mut methods = methods_of(&plan, stage, job)?;
    if stage.table.layout != Layout::Work {
        params.insert("buckets".to_owned(), job.int("output.buckets").to_string());
        methods.extend(pinned(job, "entity_id"));
        methods.sort();
        methods.dedup();
    }
    let inputs = stage.head.reads.iter().map(|name| {
        let key = keys.get(stage.bound_table(name)).cloned().unwrap_or_default();
        (name.clone(), key)
    });
    Ok(Recipe {
        code: code(stage.sql, stage.head.operator.as_ref().map_or("", |(name, _)| name)),
        methods,
        params,
        inputs: inputs.collect(),
        layout: layout(stage.table),
    })
}

/// BLAKE3 of the columns of a table and of how its files are laid out.
pub fn layout(table: &Table) -> String {
    let columns = table.columns.iter().map(|column| {
        format!("{} {} {} {}", column.name, column.kind.sql(), column.nullable, column.meaning)
    });
    let columns = columns.collect::<Vec<_>>().join("\n");
    let text = format!("{WRITER_VERSION}\n{:?}\n{}\n{columns}", table.layout, table.key.join(","));
    blake3::hash(text.as_bytes()).to_hex().to_string()
}
