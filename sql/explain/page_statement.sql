-- query:      page_statement
-- reads:      page_statement
-- param:      page_id  varchar  hex
-- param:      limit    bigint   rows
-- why:        what the page states of itself and of its owner
select
    page_statement.kind,
    page_statement.value,
    page_statement.place,
    count(*) over () as total
from page_statement
where page_statement.page_id = decode(cast($page_id as varchar), 'hex')
order by page_statement.kind, page_statement.value, page_statement.place
limit cast($limit as bigint)
