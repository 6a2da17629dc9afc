//! Function of a page: `html_page`.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, BinaryBuilder, BooleanBuilder, Int32Builder, Int64Builder, ListBuilder,
    StringViewArray, StringViewBuilder, StructArray, StructBuilder,
};
use datafusion::arrow::datatypes::{DataType, Field, Fields};
use datafusion::common::Result;
use datafusion::common::cast::{as_binary_view_array, as_boolean_array, as_string_view_array};
use datafusion::logical_expr::ScalarUDF;

use super::{Arguments, Function, list_of};
use crate::kernels::html::{self, Fact, Fault, Limits, More, Page, Rules, Source};

pub(super) fn functions() -> Vec<ScalarUDF> {
    use DataType::{BinaryView, Boolean, Int64, Utf8View};
    let page =
        vec![BinaryView, Boolean, Utf8View, Utf8View, Utf8View, Utf8View, Int64, Int64, Int64];
    let fields = DataType::Struct(fields());
    vec![
        Function::udf("html_page_v1", page.clone(), fields.clone(), |args| {
            html_pages(args, Rules::V1)
        }),
        Function::udf("html_page_v2", page, fields, |args| html_pages(args, Rules::V2)),
    ]
}

fn fields() -> Fields {
    use DataType::{Binary, Boolean, Int32, Int64, Utf8View};
    let field = |name: &str, kind: DataType| Field::new(name, kind, true);
    Fields::from(vec![
        field("main_text", Utf8View),
        field("full_text", Utf8View),
        field("title", Utf8View),
        field("canonical", Utf8View),
        field("canonicals", list_of(Utf8View)),
        field("robots", Utf8View),
        field("is_noindex", Boolean),
        field("language_declared", Utf8View),
        field("language_detected", Utf8View),
        field("hreflang", list_of(Utf8View)),
        field("refresh", Utf8View),
        field("refresh_delay", Int32),
        field("links", list_of(Utf8View)),
        field("blocks", list_of(Int64)),
        field("charset", Utf8View),
        field("charset_source", Utf8View),
        field("body_digest", Binary),
        field("facts_digest", Binary),
        field("extractor", Utf8View),
        field("fault", Utf8View),
        field("fault_detail", Utf8View),
        field("heading", Utf8View),
        field("passwords", Int32),
        field("marks", list_of(Utf8View)),
        field("link_share_milli", Int32),
        field("main_blocks", list_of(Int64)),
        field("main_flags", list_of(Int64)),
        field("main_tokens", list_of(Int64)),
        field("layout", Binary),
        field("template", Int64),
        field("facts", list_of(DataType::Struct(fact_fields()))),
        field("product_ids", list_of(Utf8View)),
        field("prices", list_of(Utf8View)),
        field("agreement_milli", Int32),
    ])
}

fn fact_fields() -> Fields {
    let field = |name: &str| Field::new(name, DataType::Utf8View, true);
    Fields::from(vec![field("kind"), field("value"), field("place")])
}

/// One column of a page each.
#[derive(Default)]
struct Columns {
    more: MoreColumns,
    main_text: StringViewBuilder,
    full_text: StringViewBuilder,
    title: StringViewBuilder,
    canonical: StringViewBuilder,
    canonicals: ListBuilder<StringViewBuilder>,
    robots: StringViewBuilder,
    is_noindex: BooleanBuilder,
    language_declared: StringViewBuilder,
    language_detected: StringViewBuilder,
    hreflang: ListBuilder<StringViewBuilder>,
    refresh: StringViewBuilder,
    refresh_delay: Int32Builder,
    links: ListBuilder<StringViewBuilder>,
    blocks: ListBuilder<Int64Builder>,
    charset: StringViewBuilder,
    charset_source: StringViewBuilder,
    body_digest: BinaryBuilder,
    facts_digest: BinaryBuilder,
    extractor: StringViewBuilder,
    fault: StringViewBuilder,
    fault_detail: StringViewBuilder,
}

/// Appends a list of texts; none is the empty list.
fn push_list<'t>(
    list: &mut ListBuilder<StringViewBuilder>,
    texts: Option<impl Iterator<Item = &'t str>>,
) {
    for text in texts.into_iter().flatten() {
        list.values().append_value(text);
    }
    list.append(true);
}

impl Columns {
    /// Appends a page; none leaves its texts NULL and its lists empty.
    fn push(&mut self, page: Option<&Page>) {
        self.main_text.append_option(page.map(|page| &page.main_text));
        self.full_text.append_option(page.map(|page| &page.full_text));
        self.title.append_option(page.and_then(|page| page.title.as_ref()));
        self.canonical.append_option(page.and_then(|page| page.canonical.as_ref()));
        let canonicals = page.map(|page| page.canonicals.iter().map(String::as_str));
        push_list(&mut self.canonicals, canonicals);
        self.robots.append_option(page.and_then(|page| page.robots.as_ref()));
        self.is_noindex.append_value(page.is_some_and(|page| page.is_noindex));
        let declared = page.and_then(|page| page.language_declared.as_ref());
        self.language_declared.append_option(declared);
        self.language_detected.append_option(page.and_then(|page| page.language_detected));
        self.push_links(page);
        self.charset.append_option(page.map(|page| page.charset));
        self.charset_source.append_option(page.map(|page| page.charset_source.name()));
        self.facts_digest.append_option(page.map(|page| page.facts_digest));
        self.extractor.append_option(page.map(|page| page.extractor.name()));
        self.more.push(page.map(|page| &page.more));
    }

    fn push_links(&mut self, page: Option<&Page>) {
        let others: Option<Vec<String>> =
            page.map(|page| page.hreflang.iter().map(ToString::to_string).collect());
        push_list(&mut self.hreflang, others.as_ref().map(|all| all.iter().map(String::as_str)));
        let refresh = page.and_then(|page| page.refresh.as_ref());
        self.refresh.append_option(refresh.map(|refresh| &refresh.url));
        let delay = refresh.map(|refresh| i32::try_from(refresh.delay_seconds));
        self.refresh_delay.append_option(delay.map(|delay| delay.unwrap_or(i32::MAX)));
        push_list(&mut self.links, page.map(|page| page.links.iter().map(String::as_str)));
        for block in page.into_iter().flat_map(|page| &page.blocks) {
            self.blocks.values().append_value(block.hash.cast_signed());
        }
        self.blocks.append(true);
    }

    fn push_fault(&mut self, body_digest: Option<[u8; 16]>, fault: Option<&Fault>) {
        self.body_digest.append_option(body_digest);
        self.fault.append_option(fault.map(|fault| fault.code.name()));
        self.fault_detail.append_option(fault.map(|fault| &fault.detail));
    }

    fn finish(mut self) -> Vec<ArrayRef> {
        let mut columns: Vec<ArrayRef> = vec![
            Arc::new(self.main_text.finish()),
            Arc::new(self.full_text.finish()),
            Arc::new(self.title.finish()),
            Arc::new(self.canonical.finish()),
            Arc::new(self.canonicals.finish()),
            Arc::new(self.robots.finish()),
            Arc::new(self.is_noindex.finish()),
            Arc::new(self.language_declared.finish()),
            Arc::new(self.language_detected.finish()),
            Arc::new(self.hreflang.finish()),
            Arc::new(self.refresh.finish()),
            Arc::new(self.refresh_delay.finish()),
            Arc::new(self.links.finish()),
            Arc::new(self.blocks.finish()),
            Arc::new(self.charset.finish()),
            Arc::new(self.charset_source.finish()),
            Arc::new(self.body_digest.finish()),
            Arc::new(self.facts_digest.finish()),
            Arc::new(self.extractor.finish()),
            Arc::new(self.fault.finish()),
            Arc::new(self.fault_detail.finish()),
        ];
        columns.extend(self.more.finish());
        columns
    }
}

/// The columns of what the second rules read; by the first NULL, 0 and empty lists.
struct MoreColumns {
    heading: StringViewBuilder,
    passwords: Int32Builder,
    marks: ListBuilder<StringViewBuilder>,
    link_share_milli: Int32Builder,
    main_blocks: ListBuilder<Int64Builder>,
    main_flags: ListBuilder<Int64Builder>,
    main_tokens: ListBuilder<Int64Builder>,
    layout: BinaryBuilder,
    template: Int64Builder,
    facts: ListBuilder<StructBuilder>,
    product_ids: ListBuilder<StringViewBuilder>,
    prices: ListBuilder<StringViewBuilder>,
    agreement_milli: Int32Builder,
}

impl Default for MoreColumns {
    fn default() -> Self {
        MoreColumns {
            heading: StringViewBuilder::new(),
            passwords: Int32Builder::new(),
            marks: ListBuilder::default(),
            link_share_milli: Int32Builder::new(),
            main_blocks: ListBuilder::default(),
            main_flags: ListBuilder::default(),
            main_tokens: ListBuilder::default(),
            layout: BinaryBuilder::new(),
            template: Int64Builder::new(),
            facts: ListBuilder::new(StructBuilder::from_fields(fact_fields(), 0)),
            product_ids: ListBuilder::default(),
            prices: ListBuilder::default(),
            agreement_milli: Int32Builder::new(),
        }
    }
}

/// A count as it stands in a column; the greatest that fits when it does not.
fn int(count: u32) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

impl MoreColumns {
    fn push(&mut self, more: Option<&More>) {
        self.heading.append_option(more.and_then(|more| more.heading.as_ref()));
        self.passwords.append_option(more.map(|more| int(more.passwords)));
        push_list(&mut self.marks, more.map(|more| more.marks.iter().copied()));
        self.link_share_milli.append_option(more.and_then(|more| more.link_share_milli).map(int));
        for line in more.into_iter().flat_map(|more| &more.main_lines) {
            self.main_blocks.values().append_value(line.hash.cast_signed());
            self.main_flags.values().append_value(i64::from(line.flags));
            self.main_tokens.values().append_value(i64::from(line.tokens));
        }
        self.main_blocks.append(true);
        self.main_flags.append(true);
        self.main_tokens.append(true);
        self.layout.append_option(more.and_then(|more| more.layout));
        self.template.append_option(more.and_then(|more| more.template).map(u64::cast_signed));
        for fact in more.into_iter().flat_map(|more| &more.facts) {
            push_fact(self.facts.values(), fact);
        }
        self.facts.append(true);
        push_list(&mut self.product_ids, more.map(|more| texts(&more.product_ids)));
        push_list(&mut self.prices, more.map(|more| texts(&more.prices)));
        self.agreement_milli.append_option(more.and_then(|more| more.agreement_milli).map(int));
    }

    fn finish(mut self) -> Vec<ArrayRef> {
        vec![
            Arc::new(self.heading.finish()),
            Arc::new(self.passwords.finish()),
            Arc::new(self.marks.finish()),
            Arc::new(self.link_share_milli.finish()),
            Arc::new(self.main_blocks.finish()),
            Arc::new(self.main_flags.finish()),
            Arc::new(self.main_tokens.finish()),
            Arc::new(self.layout.finish()),
            Arc::new(self.template.finish()),
            Arc::new(self.facts.finish()),
            Arc::new(self.product_ids.finish()),
            Arc::new(self.prices.finish()),
            Arc::new(self.agreement_milli.finish()),
        ]
    }
}

fn texts(texts: &[String]) -> impl Iterator<Item = &str> {
    texts.iter().map(String::as_str)
}

/// Appends a fact to a builder of [`fact_fields`].
fn push_fact(row: &mut StructBuilder, fact: &Fact) {
    for (at, text) in [fact.kind, &*fact.value, fact.place].into_iter().enumerate() {
        if let Some(column) = row.field_builder::<StringViewBuilder>(at) {
            column.append_value(text);
        }
    }
    row.append(true);
}

/// The argument columns of a page other than the body.
struct Context<'a> {
    is_decoded: Vec<bool>,
    urls: &'a StringViewArray,
    content_types: &'a StringViewArray,
    charsets: &'a StringViewArray,
    headers: &'a StringViewArray,
}

fn text_at(texts: &StringViewArray, row: usize) -> Option<&str> {
    texts.is_valid(row).then(|| texts.value(row))
}

impl<'a> Context<'a> {
    fn of(args: &'a Arguments) -> Result<Self> {
        let decoded = as_boolean_array(args.array(1)?)?;
        Ok(Context {
            is_decoded: decoded.iter().map(|is_decoded| is_decoded.unwrap_or(false)).collect(),
            urls: as_string_view_array(args.array(2)?)?,
            content_types: as_string_view_array(args.array(3)?)?,
            charsets: as_string_view_array(args.array(4)?)?,
            headers: as_string_view_array(args.array(5)?)?,
        })
    }

    fn source<'s>(&'s self, row: usize, body: &'s [u8]) -> Source<'s> {
        Source {
            body,
            is_decoded: self.is_decoded.get(row).copied().unwrap_or(false),
            url: text_at(self.urls, row).unwrap_or_default(),
            content_type: text_at(self.content_types, row),
            charset: text_at(self.charsets, row),
            headers: text_at(self.headers, row),
        }
    }
}

fn html_pages(args: &Arguments, rules: Rules) -> Result<ArrayRef> {
    let limits = Limits {
        body_bytes: args.constant(6)?,
        nodes: args.constant(7)?,
        depth: args.constant(8)?,
    };
    let bodies = as_binary_view_array(args.array(0)?)?;
    let context = Context::of(args)?;
    let mut columns = Columns::default();
    for (row, body) in bodies.iter().enumerate() {
        let read = body.map(|body| html::parse(&context.source(row, body), &limits, rules));
        let page = read.as_ref().and_then(|read| read.as_ref().ok());
        columns.push(page);
        columns.push_fault(
            body.map(html::body_digest),
            read.as_ref().and_then(|read| read.as_ref().err()),
        );
    }
    Ok(Arc::new(StructArray::try_new(fields(), columns.finish(), None)?))
}
