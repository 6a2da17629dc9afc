-- query:      hot_bucket
-- reads:      hot_bucket, text
-- param:      document  bigint  document
-- param:      limit     bigint  rows
-- why:        where pairs may be missing, because a bucket was too large for all of them. The
--             lowest two bits of a bucket say what made it; in older generations the lowest one
with

printed as (

    select
        unnest(text.buckets) as bucket
    from text
    where text.document = cast($document as bigint)

),

blocked as (

    select
        unnest(simhash_blocks(text.simhash, true)) as block
    from text
    where text.document = cast($document as bigint)

),

sampled as (

    select
        unnest(text.samples) as sample
    from text
    where text.document = cast($document as bigint)

),

touched as (

    select
        (printed.bucket | 3) - 3 as bucket,
        'minhash' as source
    from printed
    union
    select
        (printed.bucket | 1) - 1 as bucket,
        'minhash' as source
    from printed
    union
    select
        (blocked.block | 3) - 2 as bucket,
        'simhash' as source
    from blocked
    union
    select
        blocked.block | 1 as bucket,
        'simhash' as source
    from blocked
    union
    select
        (sampled.sample | 3) - 1 as bucket,
        'sample' as source
    from sampled

),

hot as (

    select
        hot_bucket.bucket as key,
        hot_bucket.source,
        hot_bucket.documents,
        hot_bucket.pairs_possible,
        hot_bucket.pairs_emitted,
        count(*) over () as total
    from hot_bucket
    inner join touched
        on hot_bucket.bucket = touched.bucket
        and hot_bucket.source = touched.source

)

select
    cast(hot.key as varchar) as bucket,
    hot.source,
    hot.documents,
    hot.pairs_possible,
    hot.pairs_emitted,
    hot.total
from hot
order by hot.documents desc, hot.source, hot.key
limit cast($limit as bigint)
