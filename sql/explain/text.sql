-- query:      text
-- reads:      parse, text
-- param:      left_document   bigint  document
-- param:      right_document  bigint  document
-- why:        the texts of two documents that were never compared
select
    text.document,
    parse.text
from text
inner join parse
    on text.fetch = parse.fetch
where text.document in (cast($left_document as bigint), cast($right_document as bigint))
