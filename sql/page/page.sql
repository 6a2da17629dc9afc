-- stage:      page
-- reads:      fetch_fingerprint
-- invariant:  counted  fetches >= 1
-- cost:       one group-by on the page id
-- why:        equal digests under one key are one page, however often it was fetched;
--             one fetch that passes the gate lets the page pass
-- [generated from src/schema.rs, do not edit]
-- writes:     page  one row a key with one text digest
-- key:        page_id
-- column:     page_id      binary     not null  BLAKE3-128 of key and digest
-- column:     page         bigint     not null  number of the page within this generation
-- column:     url_key      varchar    not null  key of the URL, or of the id
-- column:     text_digest  binary     not null  xxh3-128 of the normalised text
-- column:     fetch        bigint     not null  one fetch that holds its text
-- column:     fetches      bigint     not null  input rows that map to it
-- column:     newest_ok    timestamp            newest fetch that passed
-- column:     newest       timestamp            newest fetch
-- column:     gate         varchar    not null  may it be compared: ok, or why not
-- column:     tokens       int        not null  tokens of the text
-- column:     simhash      bigint               SimHash; NULL without shingles
-- [end]
select
    fetch_fingerprint.page_id,
    fetch_fingerprint.url_key,
    fetch_fingerprint.text_digest,
    min(fetch_fingerprint.fetch) as fetch,
    count(*) as fetches,
    max(
        case when fetch_fingerprint.gate = 'ok' then fetch_fingerprint.fetch_time end
    ) as newest_ok,
    max(fetch_fingerprint.fetch_time) as newest,
    case
        when bool_or(fetch_fingerprint.gate = 'ok') then 'ok'
        else min(fetch_fingerprint.gate)
    end as gate,
    min(fetch_fingerprint.tokens) as tokens,
    min(fetch_fingerprint.simhash) as simhash
from fetch_fingerprint
group by
    fetch_fingerprint.page_id,
    fetch_fingerprint.url_key,
    fetch_fingerprint.text_digest
