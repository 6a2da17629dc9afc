-- query:      equal_text
-- reads:      member, page, page_document
-- param:      document  bigint   document
-- param:      page_id   varchar  hex; the page itself, which is left out
-- param:      limit     bigint   rows
-- why:        the other pages that hold the same text
with

twin as (

    select page.page_id
    from page_document
    inner join page
        on page_document.page = page.page
    where page_document.document = cast($document as bigint)
        and page.page_id <> decode(cast($page_id as varchar), 'hex')

)

select
    encode(twin.page_id, 'hex') as page_id,
    min(coalesce(member.url, member.id)) as address,
    count(*) over () as total
from twin
inner join member
    on twin.page_id = member.page_id
group by twin.page_id
order by address, page_id
limit cast($limit as bigint)
