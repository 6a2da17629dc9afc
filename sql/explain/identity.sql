-- query:      identity
-- reads:      identity, resource
-- param:      asked    varchar  what the user typed
-- param:      url_key  varchar  key
-- why:        the answer of the run for the URL; the one that was asked for before the others of
--             its key
select
    identity.canonical_url,
    resource.reason,
    resource.keys,
    identity.representative_url,
    encode(identity.cluster, 'hex') as cluster,
    identity.owner,
    identity.gate,
    identity.main_mirror,
    identity.mirror_url
from identity
left join resource
    on identity.url_key = resource.url_key
where identity.url_key = cast($url_key as varchar)
order by
    case when identity.url = cast($asked as varchar) then 0 else 1 end,
    identity.url,
    identity.id
limit 1
