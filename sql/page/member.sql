-- stage:      member
-- reads:      fetch_fingerprint
-- invariant:  counted  multiplicity >= 1
-- cost:       one group-by
-- why:        rows may share a URL, a text or both; none is lost
select
    fetch_fingerprint.page_id,
    fetch_fingerprint.url,
    fetch_fingerprint.id,
    count(*) as multiplicity
from fetch_fingerprint
group by fetch_fingerprint.page_id, fetch_fingerprint.url, fetch_fingerprint.id
