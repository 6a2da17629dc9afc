//! Pages of a Parquet file.

use std::fs::File;

use parquet::file::reader::SerializedFileReader;
use parquet::record::{Field, Row};

/// One page with what its file says of it.
#[derive(Default)]
pub struct Page {
    pub id: String,
    pub url: String,
    pub html: Vec<u8>,
    pub is_text: bool,
    pub content_type: Option<String>,
    pub kind: String,
    pub wanted: String,
}

/// The pages of a file; a raw body wins over its text.
pub fn pages(file: &str) -> impl Iterator<Item = Page> {
    let reader = SerializedFileReader::new(File::open(file).unwrap()).unwrap();
    let rows: Box<dyn Iterator<Item = Row>> = Box::new(
        parquet::record::reader::RowIter::from_file_into(Box::new(reader)).map(Result::unwrap),
    );
    rows.map(page)
}

fn page(row: Row) -> Page {
    let mut page = Page::default();
    for (name, field) in row.into_columns() {
        match (name.as_str(), field) {
            ("html", Field::Str(text)) if page.html.is_empty() => {
                page.html = text.into_bytes();
                page.is_text = true;
            }
            ("html" | "body_raw", Field::Bytes(bytes)) => {
                page.html = bytes.data().to_vec();
                page.is_text = false;
            }
            ("id" | "page_id", Field::Str(text)) => page.id = text,
            ("url", Field::Str(text)) => page.url = text,
            ("content_type", Field::Str(text)) => page.content_type = Some(text),
            ("page_type" | "cls" | "package", Field::Str(text)) => page.kind = text,
            ("main_content", Field::Str(text)) => page.wanted = text,
            _ => {}
        }
    }
    page
}
