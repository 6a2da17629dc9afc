-- stage:      cluster
-- reads:      closure_edge, document_cluster, document_page, edge, member, page, page_document
-- cost:       joins on numbers
-- why:        a text without a partner is a cluster of one; a page that is not
--             compared has none, and its gate is the reason
-- [generated from src/schema.rs, do not edit]
-- writes:     cluster  one row a member: a page, raw URL and id
-- key:        page_id, url, id
-- column:     page_id                     binary   not null  id of the page
-- column:     url                         varchar            raw URL
-- column:     id                          varchar            the input's own id, as text
-- column:     cluster                     binary             id of the cluster; NULL where nothing
--                                                            is compared
-- column:     medoid_page_id              binary             page to which every member was
--                                                            compared
-- column:     representative_page_id      binary             page that stands for the cluster
-- column:     representative_url          varchar            its key, or its id
-- column:     is_representative           boolean  not null  whether this page is that one
-- column:     reason                      varchar  not null  why that representative
-- column:     resemblance_medoid          double             exact resemblance to the medoid
-- column:     resemblance_representative  double             exact, to the representative
-- column:     tier                        varchar            merge or group: what it is to the
--                                                            medoid
-- column:     component                   binary             smallest page id of its component of
--                                                            edges
-- [end]
with

accepted as (

    select
        edge.left_document,
        edge.right_document,
        edge.tier
    from edge
    where edge.guard is null
    union all
    select
        closure_edge.left_document,
        closure_edge.right_document,
        closure_edge.tier
    from closure_edge
    where closure_edge.guard is null

),

clustered as (

    select
        page.page_id,
        page.page,
        coalesce(document_cluster.medoid, page_document.document) as medoid,
        coalesce(document_cluster.representative, page_document.document) as representative,
        coalesce(document_cluster.component, page_document.document) as component,
        coalesce(
            document_cluster.reason,
            case when page_document.document is null then page.gate else 'only_text' end
        ) as reason,
        case
            when page_document.document is null then null
            when document_cluster.document is null then cast(1 as double)
            when document_cluster.medoid = page_document.document then cast(1 as double)
            else cast(document_cluster.medoid_shared as double)
                / cast(document_cluster.medoid_joined as double)
        end as resemblance_medoid,
        case
            when page_document.document is null then null
            when document_cluster.document is null then cast(1 as double)
            when document_cluster.representative = page_document.document then cast(1 as double)
            else cast(document_cluster.representative_shared as double)
                / cast(document_cluster.representative_joined as double)
        end as resemblance_representative,
        case
            when page_document.document is null then null
            when coalesce(document_cluster.medoid, page_document.document)
                = page_document.document
                then 'merge'
            else coalesce(accepted.tier, 'group')
        end as tier
    from page
    left join page_document
        on page.page = page_document.page
    left join document_cluster
        on page_document.document = document_cluster.document
    left join accepted
        on least(document_cluster.document, document_cluster.medoid) = accepted.left_document
        and greatest(document_cluster.document, document_cluster.medoid)
            = accepted.right_document

),

chosen as (

    select
        clustered.page_id,
        cluster_id(medoid_page.page_id) as cluster,
        medoid_page.page_id as medoid_page_id,
        representative_page.page_id as representative_page_id,
        component_page.page_id as component,
        coalesce(representative_page.page = clustered.page, false) as is_representative,
        clustered.reason,
        clustered.resemblance_medoid,
        clustered.resemblance_representative,
        clustered.tier
    from clustered
    left join page as medoid_page
        on clustered.medoid = medoid_page.page
    left join page as component_page
        on clustered.component = component_page.page
    left join document_page
        on clustered.representative = document_page.document
    left join page as representative_page
        on document_page.page = representative_page.page

),

address as (

    select
        member.page_id,
        case
            when min(member.url) is null then min(member.id)
            else page.url_key
        end as url
    from member
    inner join page
        on member.page_id = page.page_id
    group by member.page_id, page.url_key

)

select
    member.page_id,
    member.url,
    member.id,
    chosen.cluster,
    chosen.medoid_page_id,
    chosen.representative_page_id,
    address.url as representative_url,
    chosen.is_representative,
    chosen.reason,
    chosen.resemblance_medoid,
    chosen.resemblance_representative,
    chosen.tier,
    chosen.component
from member
inner join chosen
    on member.page_id = chosen.page_id
left join address
    on chosen.representative_page_id = address.page_id
