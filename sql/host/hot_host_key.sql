-- stage:      hot_host_key
-- reads:      host_key
-- param:      key_hosts_max  int  most hosts of a key that proposes pairs
-- cost:       one group-by over the keys of several hosts
-- why:        a key that too many hosts have proposes none of their pairs, and is listed
-- [generated from src/schema.rs, do not edit]
-- writes:     hot_host_key  one row a key that too many hosts share to propose pairs
-- key:        kind, key
-- column:     kind     varchar  not null  body, text, path or name
-- column:     key      varchar  not null  what is shared
-- column:     hosts    bigint   not null  hosts that share it
-- column:     example  varchar  not null  the smallest of them
-- [end]
select
    host_key.kind,
    host_key.key,
    host_key.hosts,
    min(host_key.host) as example
from host_key
where host_key.hosts > cast($key_hosts_max as int)
group by host_key.kind, host_key.key, host_key.hosts
