-- query:      neighbourhood
-- reads:      quarantine, url_key
-- param:      host  varchar  host of the key that was not found; empty when there is none
-- why:        what is known near to something that is not
select
    (select count(*) from url_key where url_key.url_host_name = cast($host as varchar))
        as host_urls,
    (select coalesce(sum(quarantine.rows), 0) from quarantine) as set_aside
