-- audit:      cluster_floor
-- reads:      closure_edge, document_cluster, edge
-- param:      resemblance_min_milli  int      least resemblance of an edge, in thousandths
-- param:      variant_min_milli      int      and of one that is varied in numbers alone
-- param:      is_leader_policy       boolean  leader clusters; false publishes plain components
-- why:        each member of a leader cluster is at or above the threshold to its medoid; below it,
--             down to the lower one, only if nothing but versions, architectures or numbers that
--             change by themselves differ
with

varied as (

    select
        edge.left_document,
        edge.right_document
    from edge
    where edge.guard is null
        and edge.numbers in ('volatile', 'version')
    union all
    select
        closure_edge.left_document,
        closure_edge.right_document
    from closure_edge
    where closure_edge.guard is null
        and closure_edge.numbers in ('volatile', 'version')

),

member as (

    select
        document_cluster.document,
        least(document_cluster.document, document_cluster.medoid) as left_document,
        greatest(document_cluster.document, document_cluster.medoid) as right_document,
        document_cluster.medoid_shared,
        document_cluster.medoid_joined
    from document_cluster
    where document_cluster.document <> document_cluster.medoid

)

select
    member.document
from member
left join varied
    on member.left_document = varied.left_document
    and member.right_document = varied.right_document
where cast($is_leader_policy as boolean)
    and coalesce(
        member.medoid_shared * 1000 < member.medoid_joined * case
            when varied.left_document is null then cast($resemblance_min_milli as bigint)
            else least(
                cast($resemblance_min_milli as bigint),
                cast($variant_min_milli as bigint)
            )
        end,
        true
    )
