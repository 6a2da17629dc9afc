-- stage:      page_document
-- reads:      page, proof
-- invariant:  delegate  document <= page
-- cost:       one group-by over pages that share a digest
-- why:        equal digests, confirmed, are one document; a digest alone never merges
-- [generated from src/schema.rs, do not edit]
-- writes:     page_document  one row a page that has text
-- key:        page
-- column:     page      bigint  not null  page
-- column:     document  bigint  not null  delegate: the smallest page with the same text
-- [end]
with

proved as (

    select
        page.page,
        page.text_digest,
        proof.proof
    from page
    inner join proof
        on page.page = proof.page

),

equal_text as (

    select
        proved.text_digest,
        proved.proof,
        min(proved.page) as document
    from proved
    group by proved.text_digest, proved.proof

),

delegate as (

    select
        proved.page,
        equal_text.document
    from proved
    inner join equal_text
        on proved.text_digest = equal_text.text_digest
        and proved.proof = equal_text.proof

)

select
    page.page,
    coalesce(delegate.document, page.page) as document
from page
left join delegate
    on page.page = delegate.page
where page.gate = 'ok'
