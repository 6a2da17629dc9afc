-- audit:      one_representative
-- reads:      cluster
-- why:        a cluster has exactly one representative page
select
    cluster.cluster
from cluster
where cluster.cluster is not null
group by cluster.cluster
having count(distinct cluster.representative_page_id) <> 1
    or count(distinct case when cluster.is_representative then cluster.page_id end) <> 1
