//! Heads of SQL files: what a file says it reads, binds and writes is what its plan does.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::logical_expr::LogicalPlan;
use datafusion::prelude::SessionContext;
use selfsame::engine::{Session, Settings, plan};
use selfsame::job::{BUILT_IN, Job};
use selfsame::schema::{Column, TABLES, Table};
use selfsame::stages::sql::Head;
use selfsame::stages::{AUDIT_LIST, STAGES, Stage};

use crate::{files, read, report, settle};

const START: &str = "-- [generated from src/schema.rs, do not edit]";
const END: &str = "-- [end]";
const LINE_COLUMNS: usize = 100;

/// Folders of queries that a command asks.
const COMMANDS: &[&str] = &["sql/diff", "sql/explain"];

fn job() -> Job {
    let given = ["input.paths=[\"in\"]", "output.root=\"out\""].map(str::to_owned);
    Job::parse(BUILT_IN, "the built-in job", &given).unwrap()
}

/// Runs `future` on threads whose stack is deep enough for plans without optimisation.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_stack_size(16 << 20)
        .enable_all()
        .build();
    runtime.unwrap().block_on(future)
}

/// A session that knows every table and holds no rows.
async fn session(job: &Job) -> Session {
    let settings = Settings {
        memory_bytes: 64 << 20,
        threads: 2,
        is_cluster: false,
        stage_limit: Duration::from_secs(60),
    };
    let session = Session::start(&settings, job).await.unwrap();
    plan::empty(session.context()).unwrap();
    session
}

/// The file of a stage, relative to the package.
fn file_of(stage: &Stage) -> PathBuf {
    PathBuf::from(format!("sql/{}.sql", stage.file))
}

/// Tables that `plan` scans.
fn scanned(plan: &LogicalPlan) -> BTreeSet<String> {
    let mut tables = BTreeSet::new();
    plan.apply_with_subqueries(|node| {
        if let LogicalPlan::TableScan(scan) = node {
            tables.insert(scan.table_name.table().to_owned());
        }
        Ok(TreeNodeRecursion::Continue)
    })
    .unwrap();
    tables
}

/// Placeholders of `text`: `$name`.
fn placeholders(text: &str) -> impl Iterator<Item = String> + '_ {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.split('$').skip(1).map(move |rest| rest.chars().take_while(|&c| is_word(c)).collect())
}

/// Compares the head with the plan of the select; `own` names the file.
async fn head_faults(context: &SessionContext, own: &str, sql: &str, head: &Head) -> Vec<String> {
    let mut faults = Vec::new();
    let select = match context.state().create_logical_plan(sql).await {
        Ok(plan) => plan,
        Err(cause) => return vec![format!("{own}: cannot be planned: {cause}")],
    };
    let found = scanned(&select);
    let said: BTreeSet<String> = head.reads.iter().cloned().collect();
    if said != found || !head.reads.is_sorted() {
        let found: Vec<_> = found.into_iter().collect();
        let said = head.reads.join(", ");
        faults.push(format!("{own}: reads is `{said}`, wanted `{}`", found.join(", ")));
    }
    let mut used: BTreeSet<String> = select
        .get_parameter_names()
        .unwrap()
        .into_iter()
        .map(|name| name.trim_start_matches('$').to_owned())
        .collect();
    used.extend(head.operator.iter().flat_map(|(_, params)| params.iter().cloned()));
    used.extend(head.invariants.iter().flat_map(|(_, condition)| placeholders(condition)));
    let given: BTreeSet<String> = head.params.iter().map(|(name, _, _)| name.clone()).collect();
    for name in used.symmetric_difference(&given) {
        let what = if given.contains(name) { "is given and not used" } else { "has no param line" };
        faults.push(format!("{own}: ${name} {what}"));
    }
    if head.params.iter().any(|(_, kind, meaning)| kind.is_empty() || meaning.is_empty()) {
        faults.push(format!("{own}: each param has a type and a meaning"));
    }
    if head.why.is_empty() {
        faults.push(format!("{own}: the head does not say why"));
    }
    faults
}

#[test]
fn heads_say_what_the_plan_does() {
    let job = job();
    let faults = block_on(async {
        let session = session(&job).await;
        let context = session.context();
        let mut faults = Vec::new();
        for stage in STAGES.iter() {
            let own = file_of(stage).display().to_string();
            faults.extend(head_faults(context, &own, stage.sql, &stage.head).await);
            if let Err(fault) = plan::rows(context, stage, &job).await {
                faults.push(format!("{own}: {fault}"));
            }
        }
        for audit in AUDIT_LIST.iter() {
            let own = format!("sql/audit/{}.sql", audit.name);
            faults.extend(head_faults(context, &own, audit.sql, &audit.head).await);
            if let Err(fault) = plan::audit(context, audit, &job).await {
                faults.push(format!("{own}: {fault}"));
            }
        }
        faults
    });
    report(&faults);
}

#[test]
fn each_file_is_a_stage_or_an_audit_named_after_it() {
    let mut faults = Vec::new();
    let stages: BTreeSet<PathBuf> = STAGES.iter().map(file_of).collect();
    for path in files("sql", "sql") {
        let (file, text) = (path.display(), read(&path));
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let head = Head::parse(&text);
        if !text.starts_with("-- ") || head.why.is_empty() {
            faults.push(format!("{file}: has no head"));
        }
        // Queries of a command: they are no stage, and the command says what they are.
        if COMMANDS.iter().any(|folder| path.starts_with(folder)) {
            continue;
        }
        let is_audit = AUDIT_LIST.iter().any(|audit| audit.name == stem);
        let is_known =
            if path.starts_with("sql/audit") { is_audit } else { stages.contains(&path) };
        if !is_known {
            faults.push(format!("{file}: is not in the lists of src/stages/mod.rs"));
        }
        if head.name != stem {
            faults.push(format!("{file}: its head calls it `{}`, wanted `{stem}`", head.name));
        }
    }
    report(&faults);
}

/// `line` without its comment and with empty strings.
fn sql_of(line: &str) -> String {
    let line = line.split("--").next().unwrap_or_default();
    line.split('\'').step_by(2).collect::<Vec<_>>().join("''")
}

#[test]
fn sql_is_written_in_one_style() {
    let mut faults = Vec::new();
    for path in files("sql", "sql") {
        let text = read(&path);
        let file = path.display();
        for (at, line) in text.lines().enumerate() {
            let at = at + 1;
            if line.chars().count() > LINE_COLUMNS {
                faults.push(format!("{file}:{at}: {} columns", line.chars().count()));
            }
            if line.contains('\t') || line.ends_with(' ') {
                faults.push(format!("{file}:{at}: has a tab, or white space at its end"));
            }
            let sql = sql_of(line);
            if sql.contains(|c: char| c.is_ascii_uppercase()) {
                faults.push(format!("{file}:{at}: has a capital letter"));
            }
            if sql.contains(".*") || sql.trim_start().starts_with("select *") {
                faults.push(format!("{file}:{at}: selects every column, wanted them by name"));
            }
        }
        if text.lines().map(sql_of).any(|line| line.trim() == "*") {
            faults.push(format!("{file}: selects every column, wanted them by name"));
        }
    }
    report(&faults);
}

/// The generated part of a head, from the table that the stage writes.
fn generated(table: &Table) -> String {
    let mut lines = vec![
        START.to_owned(),
        format!("-- writes:     {}  {}", table.name, table.grain),
        format!("-- key:        {}", table.key.join(", ")),
    ];
    let longest = |text: fn(&Column) -> &str| {
        table.columns.iter().map(text).map(str::len).max().unwrap_or_default()
    };
    let name_columns = longest(|column| column.name);
    let kind_columns = longest(|column| column.kind.sql());
    for column in table.columns {
        let null = if column.nullable { "" } else { "not null" };
        let start = format!(
            "-- column:     {:<name_columns$}  {:<kind_columns$}  {null:<8}  ",
            column.name,
            column.kind.sql()
        );
        lines.extend(wrapped(&start, column.meaning));
    }
    lines.push(format!("{END}\n"));
    lines.join("\n")
}

/// `start` and `text` on lines of at most 100 columns, aligned below each other.
fn wrapped(start: &str, text: &str) -> Vec<String> {
    let mut lines = vec![start.to_owned()];
    let indent = format!("--{}", " ".repeat(start.len() - 2));
    for word in text.split(' ') {
        let line = lines.last_mut().unwrap();
        if line.len() + word.len() > LINE_COLUMNS {
            line.truncate(line.trim_end().len());
            lines.push(format!("{indent}{word} "));
        } else {
            line.push_str(word);
            line.push(' ');
        }
    }
    let line = lines.last_mut().unwrap();
    line.truncate(line.trim_end().len());
    lines
}

/// `sql` with its generated part replaced, after the hand-written head.
fn spliced(sql: &str, generated: &str) -> String {
    let (mut head, mut body, mut is_inside) = (String::new(), String::new(), false);
    for line in sql.split_inclusive('\n') {
        let is_head = body.is_empty() && line.starts_with("--");
        is_inside |= is_head && line.trim_end() == START;
        if is_inside {
            is_inside = line.trim_end() != END;
        } else if is_head {
            head.push_str(line);
        } else {
            body.push_str(line);
        }
    }
    format!("{head}{generated}{body}")
}

#[test]
fn heads_show_the_columns_of_their_table() {
    let mut faults = Vec::new();
    for path in files("sql", "sql") {
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let is_stage = STAGES.iter().any(|stage| file_of(stage) == path);
        let Some(table) = TABLES.iter().find(|table| is_stage && table.name == stem) else {
            continue;
        };
        let wanted = spliced(&read(&path), &generated(table));
        faults.extend(settle(Path::new(&path), &wanted));
    }
    report(&faults);
}

#[test]
fn a_generated_part_is_replaced_in_place() {
    let table = &TABLES[0];
    let first = spliced("-- stage:  x\nselect 1\n-- not head\n", &generated(table));
    assert!(first.starts_with(&format!("-- stage:  x\n{START}\n")), "{first}");
    assert!(first.ends_with(&format!("{END}\nselect 1\n-- not head\n")), "{first}");
    assert_eq!(spliced(&first, &generated(table)), first);
    assert!(first.lines().all(|line| line.len() <= LINE_COLUMNS));
}
