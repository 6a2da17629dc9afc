-- query:      text
-- reads:      parse, removal, text
-- param:      left_document   bigint  document
-- param:      right_document  bigint  document
-- why:        the texts of two documents, what was taken out of them, and what is known beside them
select
    text.document,
    parse.text,
    removal.removed,
    text.host,
    text.hosts,
    text.title,
    text.home_key,
    text.language,
    text.product_ids,
    text.prices,
    text.link_share_milli,
    encode(text.layout, 'hex') as layout
from text
inner join parse
    on text.fetch = parse.fetch
left join removal
    on text.document = removal.page
where text.document in (cast($left_document as bigint), cast($right_document as bigint))
