-- stage:      page_document
-- reads:      page, page_trait, proof, reduced
-- param:      tiny_tokens_min    int  fewest tokens of a text that is equal across hosts
-- invariant:  delegate  document <= page
-- cost:       one group-by over pages that share a digest
-- why:        equal digests, confirmed, are one document; a digest alone never merges. Nor do equal
--             texts of pages that state different titles, products, prices or languages, nor very
--             short texts of different hosts: these are compared as pairs
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
        coalesce(reduced.text_digest, page.text_digest) as text_digest,
        proof.proof,
        case
            when coalesce(reduced.tokens, page.tokens) < cast($tiny_tokens_min as int)
                then coalesce(page.host, '')
            else coalesce(page_trait.title, '')
        end as place,
        coalesce(array_to_string(page_trait.product_ids, ' '), '') as product_ids,
        coalesce(array_to_string(page_trait.prices, ' '), '') as prices,
        coalesce(page_trait.version_of, '') as version_of
    from page
    inner join proof
        on page.page = proof.page
    left join reduced
        on page.page = reduced.page
    left join page_trait
        on page.page = page_trait.page

),

equal_text as (

    select
        proved.text_digest,
        proved.proof,
        proved.place,
        proved.product_ids,
        proved.prices,
        proved.version_of,
        min(proved.page) as document
    from proved
    group by
        proved.text_digest,
        proved.proof,
        proved.place,
        proved.product_ids,
        proved.prices,
        proved.version_of

),

delegate as (

    select
        proved.page,
        equal_text.document
    from proved
    inner join equal_text
        on proved.text_digest = equal_text.text_digest
        and proved.proof = equal_text.proof
        and proved.place = equal_text.place
        and proved.product_ids = equal_text.product_ids
        and proved.prices = equal_text.prices
        and proved.version_of = equal_text.version_of

)

select
    page.page,
    coalesce(delegate.document, page.page) as document
from page
left join delegate
    on page.page = delegate.page
where page.gate = 'ok'
