-- audit:      gate_unclustered
-- reads:      cluster, page
-- why:        a page that did not pass the gate is a status, never a cluster
select
    page.page_id
from page
inner join cluster
    on page.page_id = cluster.page_id
where (page.gate <> 'ok') <> (cluster.cluster is null)
