-- stage:      text
-- reads:      fetch_fingerprint, page, page_document
-- cost:       two joins on numbers
-- why:        everything below compares documents, so equal texts are compared once
with

delegate as (

    select
        page_document.document,
        page.fetch
    from page_document
    inner join page
        on page_document.page = page.page
    where page_document.document = page_document.page

)

select
    delegate.document,
    delegate.fetch,
    fetch_fingerprint.tokens,
    fetch_fingerprint.scripts,
    fetch_fingerprint.simhash,
    fetch_fingerprint.buckets,
    fetch_fingerprint.slots
from delegate
inner join fetch_fingerprint
    on delegate.fetch = fetch_fingerprint.fetch
