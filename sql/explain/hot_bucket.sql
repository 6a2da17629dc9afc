-- query:      hot_bucket
-- reads:      hot_bucket, text
-- param:      document  bigint  document
-- param:      limit     bigint  rows
-- why:        where pairs may be missing, because a bucket was too large for all of them
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

touched as (

    select
        (printed.bucket | 1) - 1 as bucket
    from printed
    union all
    select
        blocked.block | 1 as bucket
    from blocked

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
