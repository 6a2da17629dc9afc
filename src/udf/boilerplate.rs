//! Functions of repeated blocks: `block_uses`, `removed_lines`, `kept_text`.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, BooleanBuilder, Int32Builder, Int64Array, Int64Builder, ListArray,
    ListBuilder, StringViewBuilder, StructArray, StructBuilder,
};
use datafusion::arrow::datatypes::{DataType, Field, Fields};
use datafusion::common::Result;
use datafusion::common::cast::{as_int64_array, as_list_array, as_string_view_array};
use datafusion::logical_expr::ScalarUDF;

use super::{Arguments, Function, list_of};
use crate::kernels::boilerplate::{self, Bounds, Line, flag};
use crate::kernels::text::Text;

pub(super) fn functions() -> Vec<ScalarUDF> {
    use DataType::{Int64, Struct, Utf8View};
    let numbers = || list_of(Int64);
    let uses = list_of(Struct(use_fields()));
    let lines = vec![numbers(), numbers(), numbers(), numbers(), Int64, Int64, Int64, Int64];
    vec![
        Function::udf("block_uses_v1", vec![numbers(), numbers(), numbers()], uses, block_uses),
        Function::udf("removed_lines_v1", lines, Struct(removal_fields()), removed_lines),
        Function::udf("kept_text_v1", vec![Utf8View, numbers()], Utf8View, kept_texts),
    ]
}

fn use_fields() -> Fields {
    Fields::from(vec![
        Field::new("block", DataType::Int64, true),
        Field::new("is_links", DataType::Boolean, true),
    ])
}

fn removal_fields() -> Fields {
    Fields::from(vec![
        Field::new("removed", list_of(DataType::Int64), true),
        Field::new("removed_blocks", DataType::Int32, true),
        Field::new("verdict", DataType::Utf8View, true),
    ])
}

/// The numbers of a list; none where it is NULL.
fn numbers(lists: &ListArray, row: usize) -> Result<Option<Int64Array>> {
    if lists.is_null(row) {
        return Ok(None);
    }
    Ok(Some(as_int64_array(&lists.value(row))?.clone()))
}

fn lists(args: &Arguments, index: usize) -> Result<&ListArray> {
    as_list_array(args.array(index)?)
}

/// Each block of a page once, and whether it is mostly links where it stands in the main text.
fn block_uses(args: &Arguments) -> Result<ArrayRef> {
    let (all, main, flags) = (lists(args, 0)?, lists(args, 1)?, lists(args, 2)?);
    let mut uses = ListBuilder::new(StructBuilder::from_fields(use_fields(), 0));
    for row in 0..args.rows {
        let mut found: Vec<(i64, bool)> = Vec::new();
        if let Some(all) = numbers(all, row)? {
            found.extend(all.values().iter().map(|block| (*block, false)));
        }
        if let (Some(main), Some(flags)) = (numbers(main, row)?, numbers(flags, row)?) {
            let flagged = main.values().iter().zip(flags.values());
            found.extend(flagged.map(|(block, flags)| (*block, flags & flag::LINKS != 0)));
        }
        // Of copies the one that is links comes first.
        found.sort_unstable_by_key(|(block, is_links)| (*block, !is_links));
        found.dedup_by_key(|(block, _)| *block);
        for (block, is_links) in found {
            push_use(uses.values(), block, is_links);
        }
        uses.append(true);
    }
    Ok(Arc::new(uses.finish()))
}

fn push_use(uses: &mut StructBuilder, block: i64, is_links: bool) {
    if let Some(blocks) = uses.field_builder::<Int64Builder>(0) {
        blocks.append_value(block);
    }
    if let Some(links) = uses.field_builder::<BooleanBuilder>(1) {
        links.append_value(is_links);
    }
    uses.append(true);
}

fn bound(args: &Arguments, index: usize) -> Result<i64> {
    Ok(i64::try_from(args.constant(index)?).unwrap_or(i64::MAX))
}

fn removed_lines(args: &Arguments) -> Result<ArrayRef> {
    let bounds = Bounds {
        long_tokens: bound(args, 4)?,
        vanish_share_milli: bound(args, 5)?,
        vanish_tokens: bound(args, 6)?,
        tokens_min: bound(args, 7)?,
    };
    let (hashes, flags, tokens) = (lists(args, 0)?, lists(args, 1)?, lists(args, 2)?);
    let repeated = lists(args, 3)?;
    let mut removed = ListBuilder::new(Int64Builder::new());
    let mut counts = Int32Builder::with_capacity(args.rows);
    let mut verdicts = StringViewBuilder::with_capacity(args.rows);
    for row in 0..args.rows {
        let lines = lines_of([hashes, flags, tokens], row)?;
        let repeated = numbers(repeated, row)?.map(|found| found.values().to_vec());
        let found = boilerplate::removal(&lines, &repeated.unwrap_or_default(), bounds);
        removed.values().append_slice(&found.removed);
        removed.append(true);
        counts.append_value(i32::try_from(found.lines).unwrap_or(i32::MAX));
        verdicts.append_value(found.verdict.name());
    }
    let columns: Vec<ArrayRef> =
        vec![Arc::new(removed.finish()), Arc::new(counts.finish()), Arc::new(verdicts.finish())];
    Ok(Arc::new(StructArray::try_new(removal_fields(), columns, None)?))
}

/// The lines of a page, from three lists of equal length.
fn lines_of(columns: [&ListArray; 3], row: usize) -> Result<Vec<Line>> {
    let [hashes, flags, tokens] = columns.map(|column| numbers(column, row));
    let (Some(hashes), Some(flags), Some(tokens)) = (hashes?, flags?, tokens?) else {
        return Ok(Vec::new());
    };
    let facts = flags.values().iter().zip(tokens.values());
    let lines = hashes.values().iter().zip(facts);
    Ok(lines.map(|(&hash, (&flags, &tokens))| Line { hash, flags, tokens }).collect())
}

/// NULL is no text, and nothing removed.
fn kept_texts(args: &Arguments) -> Result<ArrayRef> {
    let texts = as_string_view_array(args.array(0)?)?;
    let removed = lists(args, 1)?;
    if (0..args.rows).all(|row| removed.is_null(row) || removed.value_length(row) == 0) {
        return Ok(Arc::clone(args.array(0)?));
    }
    let mut scratch = Text::new();
    let mut kept = StringViewBuilder::with_capacity(args.rows);
    for row in 0..args.rows {
        let removed = numbers(removed, row)?.map(|removed| removed.values().to_vec());
        match (texts.is_valid(row), removed) {
            (false, _) => kept.append_null(),
            (true, Some(removed)) if !removed.is_empty() => {
                let text = texts.value(row);
                kept.append_value(boilerplate::kept_text(text, &removed, &mut scratch));
            }
            (true, _) => kept.append_value(texts.value(row)),
        }
    }
    Ok(Arc::new(kept.finish()))
}
