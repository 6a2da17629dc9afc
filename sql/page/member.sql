-- stage:      member
-- reads:      fetch_fingerprint
-- invariant:  counted  multiplicity >= 1
-- cost:       one group-by
-- why:        rows may share a URL, a text or both; none is lost
-- [generated from src/schema.rs, do not edit]
-- writes:     member  one row a page, raw URL and id; equal input rows are counted
-- key:        page_id, url, id
-- column:     page_id       binary   not null  id of the page
-- column:     url           varchar            raw URL
-- column:     id            varchar            the input's own id, as text
-- column:     multiplicity  bigint   not null  equal input rows
-- [end]
select
    fetch_fingerprint.page_id,
    fetch_fingerprint.url,
    fetch_fingerprint.id,
    count(*) as multiplicity
from fetch_fingerprint
group by fetch_fingerprint.page_id, fetch_fingerprint.url, fetch_fingerprint.id
