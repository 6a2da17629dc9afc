-- query:      text
-- reads:      fetch, text
-- param:      left_document   bigint  document
-- param:      right_document  bigint  document
-- why:        the texts of two documents that were never compared
select
    text.document,
    fetch.text
from text
inner join fetch
    on text.fetch = fetch.fetch
where text.document in (cast($left_document as bigint), cast($right_document as bigint))
