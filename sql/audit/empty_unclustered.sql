-- audit:      empty_unclustered
-- reads:      cluster, page
-- why:        an empty text is a status, never a cluster
select
    page.page_id
from page
inner join cluster
    on page.page_id = cluster.page_id
where (page.gate = 'empty') <> (cluster.cluster is null)
