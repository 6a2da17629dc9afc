//! `sql`: one query over a generation, or a prompt.

mod prompt;
mod statement;

use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;
use datafusion::common::DataFusionError;
use futures::StreamExt;

use super::generation::{self, Generation};
use super::print::format::{Format, Writer};
use super::{block_on, print};
use crate::engine::engine_error;
use crate::error::{Error, Result};
use crate::schema;

/// Query the tables of a generation with SQL, or start a prompt.
///
/// `selfsame sql out -c "select * from identity limit 5"` runs one query; without -c a prompt opens
/// with history and completion, or queries are read from standard input. Nothing can be changed.
/// Ids are shown as hex and written as x'9f3c...'. Names of our functions mean the versions that
/// made the generation.
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// Folder of the generations: output.root of the job.
    root: String,
    /// One query.
    #[arg(short, long, value_name = "QUERY")]
    command: Option<String>,
    /// Number of the generation; the newest when it is not given.
    #[arg(long, value_name = "N")]
    generation: Option<u64>,
    /// How rows are written.
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Write the rows to this file.
    #[arg(short, long, value_name = "FILE", requires = "command")]
    output: Option<PathBuf>,
}

pub(super) fn main(args: Args) -> Result<()> {
    block_on(generation::settings().threads, answer(&args))
}

async fn answer(args: &Args) -> Result<()> {
    let open = Generation::open(&args.root, args.generation).await?;
    if let Some(query) = &args.command {
        let queries = statement::split(query);
        let [query] = queries.as_slice() else {
            return Err(Error::job(format!("-c holds {} queries, wanted one", queries.len())));
        };
        return run(&open, query, args.format, args.output.as_deref()).await.map(drop);
    }
    if std::io::stdin().is_terminal() {
        return prompt::serve(&open, args.format).await;
    }
    let mut text = String::new();
    let read = std::io::stdin().read_to_string(&mut text);
    read.map_err(|cause| Error::job(format!("standard input: {cause}")))?;
    for query in statement::split(&text) {
        run(&open, query, args.format, None).await?;
    }
    Ok(())
}

/// Runs one query and gives the number of its rows; they are written as they come.
async fn run(
    open: &Generation,
    query: &str,
    format: Format,
    output: Option<&Path>,
) -> Result<usize> {
    if let Some(output) = output.filter(|output| is_below(output, &open.store.root())) {
        let shown = output.display();
        return Err(Error::job(format!("--output {shown} is inside the folder of generations")));
    }
    let frame = open.frame(query).await?;
    let mut writer = Writer::create(format, output, frame.schema().as_arrow())?;
    let mut rows = frame.execute_stream().await.map_err(fault)?;
    while let Some(batch) = rows.next().await {
        writer.write(&batch.map_err(fault)?)?;
    }
    writer.finish()
}

/// Whether a file that may not exist yet would stand below `root`.
fn is_below(output: &Path, root: &str) -> bool {
    let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    folder.canonicalize().is_ok_and(|folder| folder.starts_with(root))
}

/// An error while rows are made: a query that divides by zero is the asker's to correct.
fn fault(cause: DataFusionError) -> Error {
    let is_of_files = ["Parquet", "Io error"].iter().any(|sign| cause.to_string().contains(sign));
    let is_of_values = matches!(
        cause.find_root(),
        DataFusionError::Execution(_) | DataFusionError::ArrowError(..)
    );
    let error = engine_error(cause);
    if is_of_values && !is_of_files { Error::job(error.to_string()) } else { error }
}

/// Prints the tables of the generation, or the columns of one.
fn describe(open: &Generation, name: &str) -> Result<()> {
    if name.is_empty() {
        for done in &open.manifest.tables {
            let Some(table) = schema::table(&done.table) else { continue };
            let kind = if table.is_published() { "" } else { "  (between stages)" };
            let (name, rows, grain) = (table.name, done.rows, table.grain);
            print::line(&format!("{name:<20} {rows:>12} rows  {grain}{kind}"))?;
        }
        return Ok(());
    }
    let Some(table) = schema::table(name) else {
        return Err(Error::job(format!("no table {name}; \\d lists them")));
    };
    print::line(&format!("{}: {}", table.name, table.grain))?;
    for column in table.columns {
        let key = if table.key.contains(&column.name) { "key" } else { "" };
        let null = if column.nullable { "null" } else { "" };
        let (name, kind, meaning) = (column.name, column.kind.sql(), column.meaning);
        print::line(&format!("    {name:<24} {kind:<10} {key:<3} {null:<4} {meaning}"))?;
    }
    Ok(())
}
