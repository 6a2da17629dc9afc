-- query:      edge
-- reads:      document_edge, member
-- param:      page_id  varchar  hex; the page of the document
-- param:      limit    bigint   rows of each outcome
-- why:        what it is tied to, and what a guard kept apart, with the figures
with

own as (

    select
        case
            when document_edge.left_page_id = decode(cast($page_id as varchar), 'hex')
                then document_edge.right_page_id
            else document_edge.left_page_id
        end as other_page_id,
        document_edge.left_page_id = decode(cast($page_id as varchar), 'hex') as is_left,
        document_edge.kind,
        document_edge.class,
        document_edge.tier,
        document_edge.source,
        document_edge.resemblance,
        document_edge.containment_left,
        document_edge.containment_right,
        document_edge.hamming,
        document_edge.shared_bands,
        document_edge.shared_blocks,
        document_edge.words,
        document_edge.numbers,
        document_edge.layout,
        document_edge.outcome,
        document_edge.guard
    from document_edge
    where document_edge.source <> 'digest'
        and (
            document_edge.left_page_id = decode(cast($page_id as varchar), 'hex')
            or document_edge.right_page_id = decode(cast($page_id as varchar), 'hex')
        )

),

address as (

    select
        own.other_page_id,
        min(coalesce(member.url, member.id)) as address
    from own
    inner join member
        on own.other_page_id = member.page_id
    group by own.other_page_id

),

placed as (

    select
        own.other_page_id,
        address.address,
        own.kind,
        own.class,
        own.tier,
        own.source,
        own.resemblance,
        case when own.is_left then own.containment_left else own.containment_right end
            as containment_own,
        case when own.is_left then own.containment_right else own.containment_left end
            as containment_other,
        own.hamming,
        own.shared_bands,
        own.shared_blocks,
        own.words,
        own.numbers,
        own.layout,
        own.outcome,
        own.guard,
        count(*) over (partition by own.outcome) as total,
        row_number() over (
            partition by own.outcome
            order by own.resemblance desc, own.other_page_id
        ) as place
    from own
    left join address
        on own.other_page_id = address.other_page_id

)

select
    encode(placed.other_page_id, 'hex') as page_id,
    placed.address,
    placed.kind,
    placed.class,
    placed.tier,
    placed.source,
    placed.resemblance,
    placed.containment_own,
    placed.containment_other,
    placed.hamming,
    placed.shared_bands,
    placed.shared_blocks,
    placed.words,
    placed.numbers,
    placed.layout,
    placed.outcome,
    placed.guard,
    placed.total
from placed
where placed.place <= cast($limit as bigint)
order by placed.outcome, placed.place
