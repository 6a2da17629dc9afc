//! Admission as a step of a run: files become the tables `fetch` and `set_aside`.

use std::collections::BTreeMap;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::prelude::SessionContext;
use futures::StreamExt;
use object_store::path::Path;
use url::Url;

use super::super::admission::{self, Admitted, Columns, InputFile, Limits, SetAside};
use super::super::file::TableFile;
use super::super::store::{DataFile, Done, Recipe, folder};
use super::super::{Session, engine_error, plan};
use super::{Runner, input_error, known_table};
use crate::error::{Error, Result};
use crate::job::Job;
use crate::schema::Table;

/// The table of admitted rows.
pub(super) const FETCH: &str = "fetch";

/// The table of what was not admitted.
pub(super) const SET_ASIDE: &str = "set_aside";

/// Version of admission: raised when the same files would give other rows.
const VERSION: &str = "admission 2";

/// Entries of `set_aside` that an error shows when nothing was admitted.
const SHOWN: usize = 5;

fn columns(job: &Job) -> Columns {
    let mapped = |name: &str| job.text(&format!("input.columns.{name}")).map(str::to_owned);
    Columns {
        url: mapped("url"),
        id: mapped("id"),
        text: mapped("text"),
        html: mapped("html"),
        fetch_time: mapped("fetch_time"),
        fetch_status: mapped("fetch_status"),
        fetch_redirect: mapped("fetch_redirect"),
        content_type: mapped("content_type"),
        charset: mapped("charset"),
        headers: mapped("headers"),
        links: mapped("links"),
        ip: mapped("ip"),
    }
}

/// What decides the two tables: the bytes of the files, whatever their names or order.
pub(super) fn recipe(job: &Job, inputs: &[InputFile], table: &Table) -> Recipe {
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    for input in inputs {
        let count = files.get(&input.blake3).and_then(|text| text.parse::<u64>().ok()).unwrap_or(0);
        files.insert(input.blake3.clone(), (count + 1).to_string());
    }
    let params = ["text_bytes", "html_bytes", "url_bytes"]
        .map(|name| (name.to_owned(), job.int(&format!("input.{name}")).to_string()));
    let mapped = Columns::NAMES.map(|(name, _)| {
        let column = job.text(&format!("input.columns.{name}")).unwrap_or("by name");
        (format!("column_{name}"), column.to_owned())
    });
    Recipe {
        code: VERSION.to_owned(),
        methods: Vec::new(),
        params: params.into_iter().chain(mapped).collect(),
        inputs: files,
        layout: plan::layout(table),
    }
}

/// Whether a recipe's code is admission, whose inputs are files.
pub(super) fn is_code(code: &str) -> bool {
    code == VERSION
}

/// Where the files of a table go.
struct Place {
    store: Arc<dyn object_store::ObjectStore>,
    folder: Path,
}

impl Place {
    fn of(context: &SessionContext, url: &Url) -> Result<Self> {
        let host = ObjectStoreUrl::parse(&url[..url::Position::BeforePath]);
        let host = host.map_err(engine_error)?;
        let store = context.runtime_env().object_store(host).map_err(engine_error)?;
        let folder = Path::from_url_path(url.path())
            .map_err(|cause| Error::store(format!("{url}: {cause}")))?;
        Ok(Self { store, folder })
    }

    fn file(&self, name: &str, table: &Table) -> Result<TableFile> {
        let store = Arc::clone(&self.store);
        TableFile::create(store, &self.folder, name.to_owned(), table, table.arrow())
            .map_err(engine_error)
    }
}

/// A file of `table` without rows, so that the table can be read.
pub(super) async fn empty_file(
    context: &SessionContext,
    url: &Url,
    table: &Table,
) -> Result<DataFile> {
    let file = Place::of(context, url)?.file("empty.parquet", table)?;
    file.finish().await.map_err(engine_error)
}

/// Writes one batch as the whole of `table`.
pub(super) async fn write_table(
    runner: &Runner<'_>,
    context: &SessionContext,
    table: &Table,
    batch: RecordBatch,
) -> Result<Done> {
    let url = runner.store.url(&folder(table.name, runner.key(table.name)))?;
    let mut file = Place::of(context, &url)?.file("0000.parquet", table)?;
    file.push(batch).await.map_err(engine_error)?;
    let file = file.finish().await.map_err(engine_error)?;
    Ok(done(runner, table, vec![file]))
}

fn done(runner: &Runner<'_>, table: &Table, files: Vec<DataFile>) -> Done {
    Done {
        table: table.name.to_owned(),
        key: runner.key(table.name).to_owned(),
        recipe: runner.recipe(table.name),
        rows: files.iter().map(|file| file.rows).sum(),
        files,
    }
}

/// Reads every input file into `fetch` and `set_aside`.
pub(super) async fn run(
    runner: &Runner<'_>,
    session: &Session,
    attempt: &str,
) -> Result<(Done, Done)> {
    let fetch = known_table(FETCH)?;
    let set_aside = known_table(SET_ASIDE)?;
    let url = runner.store.url(&folder(FETCH, runner.key(FETCH)))?;
    let place = Place::of(session.context(), &url)?;
    let mut file = place.file(&format!("part-{attempt}.parquet"), fetch)?;
    let limit = |name| usize::try_from(runner.job.int(name)).unwrap_or(usize::MAX);
    let limits = Limits {
        text_bytes: limit("input.text_bytes"),
        html_bytes: limit("input.html_bytes"),
        url_bytes: limit("input.url_bytes"),
    };
    let mut entries: Vec<SetAside> = Vec::new();
    let mut next = 0;
    for input in &runner.inputs {
        let mut steps = admission::admit(input, &columns(runner.job), &limits);
        while let Some(step) = steps.next().await {
            let Admitted { rows, set_aside } = step?;
            entries.extend(set_aside);
            if rows.num_rows() > 0 {
                let batch = numbered(fetch, &input.name, &rows, &mut next)?;
                file.push(batch).await.map_err(engine_error)?;
            }
        }
    }
    let file = file.finish().await.map_err(engine_error)?;
    let fetch = done(runner, fetch, vec![file]);
    let set_aside = write_table(runner, session.context(), set_aside, entries_batch(&entries)?);
    let set_aside = set_aside.await?;
    runner.store.mark_done(&fetch).await?;
    runner.store.mark_done(&set_aside).await?;
    Ok((fetch, set_aside))
}

/// Admitted rows with their number and file in front.
fn numbered(table: &Table, name: &str, rows: &RecordBatch, next: &mut i64) -> Result<RecordBatch> {
    let count = rows.num_rows();
    let first = *next;
    *next += i64::try_from(count).unwrap_or_default();
    let numbers = Int64Array::from_iter_values(first..*next);
    let names = StringArray::from_iter_values(std::iter::repeat_n(name, count));
    let mut columns: Vec<ArrayRef> = vec![Arc::new(numbers), Arc::new(names)];
    columns.extend(rows.columns().iter().cloned());
    RecordBatch::try_new(table.arrow(), columns).map_err(|cause| engine_error(cause.into()))
}

fn entries_batch(entries: &[SetAside]) -> Result<RecordBatch> {
    let texts = |value: fn(&SetAside) -> &str| -> ArrayRef {
        Arc::new(StringArray::from_iter_values(entries.iter().map(value)))
    };
    let columns = vec![
        texts(|entry| &entry.file),
        Arc::new(Int64Array::from_iter(entries.iter().map(|entry| entry.row))),
        Arc::new(Int64Array::from_iter_values(entries.iter().map(|entry| entry.rows))),
        texts(|entry| entry.reason),
        texts(|entry| &entry.detail),
    ];
    let schema = known_table(SET_ASIDE)?.arrow();
    RecordBatch::try_new(schema, columns).map_err(|cause| engine_error(cause.into()))
}

/// The error of a run whose input held no row that could be admitted.
pub(super) async fn nothing_admitted(
    runner: &Runner<'_>,
    session: &Session,
    set_aside: &Done,
) -> Error {
    let files = runner.inputs.len();
    let mut message = format!("no row was admitted from {files} input files");
    if let Ok(reasons) = reasons(runner, session, set_aside).await {
        for reason in reasons {
            message.push_str("\n  ");
            message.push_str(&reason);
        }
    }
    input_error(message)
}

async fn reasons(runner: &Runner<'_>, session: &Session, set_aside: &Done) -> Result<Vec<String>> {
    let table = known_table(SET_ASIDE)?;
    session.attach(&runner.store, SET_ASIDE, table, set_aside)?;
    let frame = session.context().table(SET_ASIDE).await.map_err(engine_error)?;
    let frame = frame.limit(0, Some(SHOWN)).map_err(engine_error)?;
    let mut shown = Vec::new();
    for batch in frame.collect().await.map_err(engine_error)? {
        for row in 0..batch.num_rows() {
            let text = |column: usize| {
                datafusion::arrow::util::display::array_value_to_string(batch.column(column), row)
                    .unwrap_or_default()
            };
            shown.push(format!("{}: {}: {}", text(0), text(3), text(4)));
        }
    }
    Ok(shown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::BUILT_IN;

    #[test]
    fn each_role_is_mapped_by_the_job_and_part_of_the_key() {
        let table = known_table(FETCH).unwrap();
        let job = |overrides: &[String]| Job::parse(BUILT_IN, "built-in", overrides).unwrap();
        let plain = job(&[]);
        assert_eq!(columns(&plain), Columns::BY_NAME);
        for (name, _) in Columns::NAMES {
            let mapped = job(&[format!("input.columns.{name}=\"x\"")]);
            assert_ne!(columns(&mapped), Columns::BY_NAME, "{name}");
            let params = recipe(&mapped, &[], table).params;
            assert_ne!(params, recipe(&plain, &[], table).params, "{name}");
        }
    }

    #[test]
    fn admitted_rows_fit_the_table() {
        let table = known_table(FETCH).unwrap();
        let rows = RecordBatch::new_empty(admission::admitted_schema());
        let batch = numbered(table, "a.parquet", &rows, &mut 0).unwrap();
        assert_eq!(batch.schema(), table.arrow());
        let names = |schema: &datafusion::arrow::datatypes::SchemaRef| {
            schema.fields().iter().map(|field| field.name().clone()).collect::<Vec<_>>()
        };
        assert_eq!(names(&table.arrow())[2..], names(&rows.schema()));
    }
}
