-- query:      url_edge
-- reads:      url_edge
-- param:      url_key  varchar  key
-- param:      limit    bigint   rows
-- why:        what the key declares, and which keys declare it, with what became of that
select
    url_edge.url_key,
    url_edge.kind,
    url_edge.target_url,
    url_edge.final_key,
    url_edge.fetch_status,
    url_edge.resemblance,
    url_edge.outcome,
    url_edge.refused,
    count(*) over () as total
from url_edge
where url_edge.url_key = cast($url_key as varchar)
    or url_edge.target_key = cast($url_key as varchar)
    or url_edge.final_key = cast($url_key as varchar)
order by
    case when url_edge.url_key = cast($url_key as varchar) then 0 else 1 end,
    url_edge.url_key,
    url_edge.kind,
    url_edge.target_url
limit cast($limit as bigint)
