-- stage:      page
-- reads:      fetch_fingerprint
-- invariant:  counted  fetches >= 1
-- cost:       one group-by on the page id
-- why:        equal digests under one key are one page, however often it was fetched
select
    fetch_fingerprint.page_id,
    fetch_fingerprint.url_key,
    fetch_fingerprint.text_digest,
    min(fetch_fingerprint.fetch) as fetch,
    count(*) as fetches,
    max(
        case
            when coalesce(fetch_fingerprint.fetch_status, 200) = 200
                then fetch_fingerprint.fetch_time
        end
    ) as newest_ok,
    case when bool_and(fetch_fingerprint.is_empty) then 'empty' else 'ok' end as gate,
    min(fetch_fingerprint.tokens) as tokens,
    min(fetch_fingerprint.simhash) as simhash
from fetch_fingerprint
group by
    fetch_fingerprint.page_id,
    fetch_fingerprint.url_key,
    fetch_fingerprint.text_digest
