-- stage:      proof
-- reads:      page, parse
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

repeated as (

    select page.text_digest
    from page
    where page.gate = 'ok'
    group by page.text_digest
    having count(*) > 1

),

claimed as (

    select
        page.page,
        page.fetch
    from page
    inner join repeated
        on page.text_digest = repeated.text_digest

)

select
    claimed.page,
    text_proof(parse.text) as proof
from claimed
inner join parse
    on claimed.fetch = parse.fetch
