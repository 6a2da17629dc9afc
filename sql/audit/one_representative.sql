-- audit:      one_representative
-- reads:      cluster
-- why:        a cluster has exactly one representative page
with

clustered_page as (

    select
        clustered.cluster,
        clustered.page_id,
        clustered.representative_page_id,
        bool_and(clustered.is_representative) as is_representative
    from cluster as clustered
    where clustered.cluster is not null
    group by clustered.cluster, clustered.page_id, clustered.representative_page_id

)

select
    clustered_page.cluster
from clustered_page
group by clustered_page.cluster
having min(clustered_page.representative_page_id) <> max(clustered_page.representative_page_id)
    or count(*) filter (where clustered_page.is_representative) <> 1
