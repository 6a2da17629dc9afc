//! A handful of rows on which the stages of a job run, in memory: what a run would make of them.

use datafusion::prelude::{DataFrame, SessionContext};
use serde::de::DeserializeOwned;

use super::{collect, settings, with_params};
use crate::engine::{self, Session, plan};
use crate::error::{Error, Result};
use crate::job::{Job, Scalar};
use crate::stages;

/// One input row, as admission would make it.
const FETCH: &str = "
    select
        cast($number as bigint) as fetch,
        cast($name as varchar) as input_file,
        cast(0 as bigint) as file_row,
        nullif(cast($url as varchar), '') as url,
        cast($name as varchar) as id,
        arrow_cast(null, 'Timestamp(Microsecond, Some(\"UTC\"))') as fetch_time,
        cast(null as int) as fetch_status,
        cast(null as varchar) as fetch_redirect,
        nullif(cast($content_type as varchar), '') as content_type,
        cast(null as varchar) as charset,
        nullif(cast($headers as varchar), '') as headers,
        cast(null as varchar) as ip,
        arrow_cast(null, 'List(Utf8)') as links,
        case when cast($is_html as boolean) then cast($html as bytea) end as html,
        false as is_decoded,
        case when not cast($is_html as boolean) then cast($text as varchar) end as text";

/// A page for each row, with the number of the row; on demand, as if each passed its gate.
const PAGE: &str = "
    select
        page.page_id,
        fetch_fingerprint.fetch as page,
        page.url_key,
        page.text_digest,
        fetch_fingerprint.fetch,
        page.fetches,
        page.newest_ok,
        page.newest,
        page.host,
        case when cast($is_open as boolean) then 'ok' else page.gate end as gate,
        page.gate_reason,
        page.tokens,
        page.simhash,
        page.full_tokens,
        page.full_digest,
        page.full_simhash
    from fetch_fingerprint
    inner join page
        on fetch_fingerprint.page_id = page.page_id";

/// No bound value.
pub(in crate::cli) const NOTHING: [(&str, Scalar); 0] = [];

/// What a file holds.
pub(in crate::cli) enum Content {
    /// Plain text.
    Text(String),
    /// The bytes of a page.
    Html(Vec<u8>),
}

/// An input row; what is not known is empty.
pub(in crate::cli) struct Row<'a> {
    /// Number of the row, from 1.
    pub(in crate::cli) number: i64,
    /// Its id where it has no URL.
    pub(in crate::cli) name: &'a str,
    pub(in crate::cli) url: &'a str,
    pub(in crate::cli) content_type: &'a str,
    pub(in crate::cli) headers: &'a str,
    pub(in crate::cli) content: Content,
}

/// A session in which stages run over a handful of rows, in memory.
pub(in crate::cli) struct Bench {
    session: Session,
}

impl Bench {
    /// A bench with the methods of `job` and no tables.
    pub(in crate::cli) async fn start(job: &Job) -> Result<Self> {
        Ok(Self { session: Session::start(&settings(), job).await? })
    }

    fn context(&self) -> &SessionContext {
        self.session.context()
    }

    /// Adds a row to the input.
    pub(in crate::cli) async fn fetch(&self, row: Row<'_>) -> Result<()> {
        let (is_html, html, text) = match row.content {
            Content::Html(html) => (true, html, String::new()),
            Content::Text(text) => (false, Vec::new(), text),
        };
        let text_of = |value: &str| Scalar::Text(value.to_owned());
        let bound = [
            ("number", Scalar::Int(row.number)),
            ("name", text_of(row.name)),
            ("url", text_of(row.url)),
            ("content_type", text_of(row.content_type)),
            ("headers", text_of(row.headers)),
            ("is_html", Scalar::Bool(is_html)),
            ("html", Scalar::Bytes(html)),
            ("text", Scalar::Text(text)),
        ];
        self.add("fetch", FETCH, &bound).await
    }

    /// Gives each row a page of its own, numbered as the row; with `is_open` as if it passed its
    /// gate. Stage `page` has run.
    pub(in crate::cli) async fn number_pages(&self, is_open: bool) -> Result<()> {
        self.make("page", PAGE, &[("is_open", Scalar::Bool(is_open))]).await
    }

    /// Makes the table `name` of what `sql` selects.
    pub(in crate::cli) async fn make(
        &self,
        name: &str,
        sql: &str,
        bound: &[(impl AsRef<str>, Scalar)],
    ) -> Result<()> {
        let frame = self.context().sql(sql).await.map_err(engine::engine_error)?;
        self.keep(name, with_params(frame, bound)?).await
    }

    /// Adds what `sql` selects to the table `name`, or makes it.
    pub(in crate::cli) async fn add(
        &self,
        name: &str,
        sql: &str,
        bound: &[(impl AsRef<str>, Scalar)],
    ) -> Result<()> {
        let frame = self.context().sql(sql).await.map_err(engine::engine_error)?;
        let mut frame = with_params(frame, bound)?;
        if self.context().table_exist(name).map_err(engine::engine_error)? {
            let there = self.context().table(name).await.map_err(engine::engine_error)?;
            frame = there.union(frame).map_err(engine::engine_error)?;
        }
        self.keep(name, frame).await
    }

    /// Makes the tables of the stages `names`, in this order, from the tables that are there.
    pub(in crate::cli) async fn run(&self, job: &Job, names: &[&str]) -> Result<()> {
        for name in names {
            let Some(stage) = stages::stage(name) else {
                return Err(Error::schema(format!("no stage {name}")));
            };
            self.session.tune(&stage.head);
            let rows = plan::rows(self.context(), stage, job).await?;
            self.keep(stage.name, DataFrame::new(self.context().state(), rows)).await?;
        }
        Ok(())
    }

    async fn keep(&self, name: &str, frame: DataFrame) -> Result<()> {
        let context = self.context();
        let table = frame.cache().await.map_err(engine::engine_error)?.into_view();
        context.deregister_table(name).map_err(engine::engine_error)?;
        context.register_table(name, table).map_err(engine::engine_error)?;
        Ok(())
    }

    /// Rows of one of our own queries with its parameters bound, each as a `T`.
    pub(in crate::cli) async fn rows<T: DeserializeOwned>(
        &self,
        sql: &str,
        bound: &[(impl AsRef<str>, Scalar)],
    ) -> Result<Vec<T>> {
        let frame = self.context().sql(sql).await.map_err(engine::engine_error)?;
        collect(with_params(frame, bound)?).await
    }
}
