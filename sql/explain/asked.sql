-- query:      asked
-- param:      asked       varchar  what the user typed
-- param:      url_policy  varchar  policy and heuristic rules of the generation
-- why:        the key that the generation's own method gives to it, as a URL and as an id
select
    parsed.url_key['key'] as url_key,
    parsed.url_key['host'] as url_host_name,
    parsed.url_key['rules'] as rules,
    parsed.url_key['refused'] as refused,
    parsed.id_key
from (
    select
        url_key(cast($asked as varchar), cast($url_policy as varchar)) as url_key,
        id_key(cast($asked as varchar)) as id_key
) as parsed
