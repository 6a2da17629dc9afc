-- stage:      proof
-- reads:      page, parse, reduced, removal
-- join:       hash
-- cost:       reads the text again, hashes only texts whose digest two pages share
-- why:        xxh3 can be collided on purpose, and a collision would let a stranger take over a
--             page's identity; BLAKE3 of every text would cost as much as the fingerprint
-- [generated from src/schema.rs, do not edit]
-- writes:     proof  one row a page whose digest another page shares
-- key:        page
-- column:     page   bigint  not null  page
-- column:     proof  binary  not null  BLAKE3-128 of the normalised text
-- [end]
with

final as (

    select
        page.page,
        page.fetch,
        coalesce(reduced.text_digest, page.text_digest) as text_digest
    from page
    left join reduced
        on page.page = reduced.page
    where page.gate = 'ok'

),

repeated as (

    select final.text_digest
    from final
    group by final.text_digest
    having count(*) > 1

),

claimed as (

    select
        final.page,
        final.fetch
    from final
    inner join repeated
        on final.text_digest = repeated.text_digest

)

select
    claimed.page,
    text_proof(kept_text(parse.text, removal.removed)) as proof
from claimed
inner join parse
    on claimed.fetch = parse.fetch
left join removal
    on claimed.page = removal.page
