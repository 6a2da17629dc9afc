//! Frozen vectors of functions whose kernels have none of their own: SQL text and its value.
//!
//! A vector file of a published version never changes, and `UPDATE=1` never rewrites one. A change
//! of behaviour is a new version of the method with a file of its own.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use std::fs;
use std::path::Path;

use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::prelude::SessionContext;

/// The value of `expression`, as the vector files write it.
async fn value(context: &SessionContext, expression: &str) -> String {
    let frame = context.sql(&format!("select {expression}")).await;
    let batches = match frame {
        Ok(frame) => frame.collect().await,
        Err(fault) => return format!("fault: {fault}"),
    };
    let batches = match batches {
        Ok(batches) => batches,
        Err(fault) => return format!("fault: {fault}"),
    };
    let options = FormatOptions::default().with_null("NULL");
    let shown = ArrayFormatter::try_new(batches[0].column(0), &options).unwrap();
    shown.value(0).to_string()
}

/// Checks every line of a file: an expression over versioned functions, a tab, its value.
async fn check(name: &str) {
    let path = format!("testdata/method/{name}.tsv");
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(&path)).unwrap();
    let mut context = SessionContext::new();
    selfsame::udf::register_all(&mut context, &[]).unwrap();
    let mut faults = Vec::new();
    for line in text.lines().skip(1) {
        let (expression, wanted) = line.split_once('\t').unwrap();
        assert!(expression.contains("_v"), "{path}: {expression} names no version");
        let found = value(&context, expression).await;
        if found != wanted {
            faults.push(format!("{expression}\n    found   {found}\n    wanted  {wanted}"));
        }
    }
    assert!(
        faults.is_empty(),
        "{path}: {} values changed; make a new version of the method, not a new vector file\n{}",
        faults.len(),
        faults.join("\n")
    );
}

#[tokio::test]
async fn entity_id() {
    check("entity_id_v1").await;
}

#[tokio::test]
async fn banding() {
    check("banding_v1").await;
}
