-- stage:      text
-- reads:      fetch_fingerprint, page, page_document
-- cost:       two joins on numbers
-- why:        everything below compares documents, so equal texts are compared once
-- [generated from src/schema.rs, do not edit]
-- writes:     text  one row a document, the delegate of equal texts
-- key:        document
-- column:     document  bigint    not null  number of the delegate page
-- column:     fetch     bigint    not null  a fetch that holds the text
-- column:     tokens    int       not null  tokens of the text
-- column:     scripts   bigint    not null  bit mask of the scripts it is written in
-- column:     simhash   bigint              SimHash; NULL without shingles
-- column:     buckets   bigint[]  not null  one bucket a band
-- column:     slots     binary    not null  low 8 bits of each slot
-- [end]
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
