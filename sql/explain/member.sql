-- query:      member
-- reads:      member
-- param:      page_id  varchar  hex
-- param:      limit    bigint   rows
-- why:        the input rows that map to the page
select
    member.url,
    member.id,
    member.multiplicity,
    count(*) over () as total
from member
where member.page_id = decode(cast($page_id as varchar), 'hex')
order by member.url, member.id
limit cast($limit as bigint)
