-- query:      hot_bucket
-- reads:      hot_bucket, text
-- param:      document  bigint  document
-- param:      limit     bigint  rows
-- why:        where pairs may be missing, because a bucket was too large for all of them
with

touched as (

    select
        unnest(text.buckets) as bucket,
        'minhash' as source
    from text
    where text.document = cast($document as bigint)
    union all
    select
        unnest(simhash_blocks(text.simhash)) as bucket,
        'simhash' as source
    from text
    where text.document = cast($document as bigint)

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
