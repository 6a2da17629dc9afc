-- query:      excerpt
-- reads:      document_page, excerpt, member, page
-- param:      document  bigint  document
-- param:      limit     bigint  rows
-- why:        longer texts that hold the document, and shorter ones that it holds
with

own as (

    select page.page_id
    from document_page
    inner join page
        on document_page.page = page.page
    where document_page.document = cast($document as bigint)

),

found as (

    select
        'held_by' as relation,
        excerpt.whole_page_id as other_page_id,
        excerpt.containment,
        excerpt.containment_whole,
        excerpt.is_same_host,
        excerpt.source
    from excerpt
    inner join own
        on excerpt.page_id = own.page_id
    union all
    select
        'holds' as relation,
        excerpt.page_id as other_page_id,
        excerpt.containment,
        excerpt.containment_whole,
        excerpt.is_same_host,
        excerpt.source
    from excerpt
    inner join own
        on excerpt.whole_page_id = own.page_id

),

nearest as (

    select
        found.relation,
        found.other_page_id,
        found.containment,
        found.containment_whole,
        found.is_same_host,
        found.source,
        count(*) over () as total
    from found
    order by found.relation, found.containment desc, found.other_page_id
    limit cast($limit as bigint)

)

select
    nearest.relation,
    encode(nearest.other_page_id, 'hex') as page_id,
    min(coalesce(member.url, member.id)) as address,
    nearest.containment,
    nearest.containment_whole,
    nearest.is_same_host,
    nearest.source,
    nearest.total
from nearest
inner join member
    on nearest.other_page_id = member.page_id
group by
    nearest.relation,
    nearest.other_page_id,
    nearest.containment,
    nearest.containment_whole,
    nearest.is_same_host,
    nearest.source,
    nearest.total
order by nearest.relation, nearest.containment desc, nearest.other_page_id
