-- stage:      bucket
-- reads:      text
-- param:      bands    int      bands of a signature
-- param:      simhash  boolean  whether SimHash block keys are a second source of candidates
-- param:      samples_min  int  fewest sampled shingles of a text that may be held by another
-- invariant:  shared   documents >= 2
-- cost:       one group-by on a 64-bit integer; 20 rows a document, 10 more with SimHash
-- why:        LSH banding. A signature of 120 slots is cut into 20 bands of 6; the 6 slots of a
--             band and its number are hashed to one bucket. Two documents of resemblance J agree
--             in a slot with probability J, so they share at least one bucket with probability
--             1 - (1 - J^6)^20: 0.998 at J = 0.8, 0.27 at 0.5. SimHash block keys add the pairs
--             within three bits, all of them, by the pigeonhole principle. A text that another
--             holds is far from it by resemblance; the two share nearly all sampled shingles of the
--             shorter one. The lowest two bits of a bucket say which source made it, so that
--             grouping is on one integer.
-- [generated from src/schema.rs, do not edit]
-- writes:     bucket  one row a bucket that holds at least two documents
-- key:        bucket
-- column:     bucket     bigint    not null  hash of band number and slots, or SimHash block key
-- column:     source     varchar   not null  what made the bucket: minhash, simhash, sample
-- column:     documents  bigint    not null  documents in the bucket
-- column:     members    struct[]  not null  the documents, each with its second order
-- [end]
with

printed as (

    select
        text.document,
        text.buckets,
        text.slots,
        text.simhash
    from text
    where text.simhash is not null

),

band as (

    select
        printed.document,
        unnest(printed.buckets) as bucket,
        unnest(bucket_orders(printed.slots, cast($bands as int))) as second_order
    from printed

),

block as (

    select
        printed.document,
        unnest(simhash_blocks(printed.simhash, cast($simhash as boolean))) as bucket,
        printed.simhash as second_order
    from printed

),

sample as (

    select
        text.document,
        unnest(text.samples) as bucket,
        cast(text.tokens as bigint) as second_order
    from text
    where cardinality(text.samples) >= cast($samples_min as int)

),

entry as (

    select
        band.document,
        (band.bucket | 3) - 3 as bucket,
        band.second_order
    from band
    union all
    select
        block.document,
        (block.bucket | 3) - 2 as bucket,
        block.second_order
    from block
    union all
    select
        sample.document,
        (sample.bucket | 3) - 1 as bucket,
        sample.second_order
    from sample

),

shared as (

    select
        entry.bucket,
        count(*) as documents,
        array_agg(named_struct('order', entry.second_order, 'document', entry.document)) as members
    from entry
    group by entry.bucket
    having count(*) > 1

)

select
    shared.bucket,
    case shared.bucket & 3
        when 0 then 'minhash'
        when 1 then 'simhash'
        else 'sample'
    end as source,
    shared.documents,
    shared.members
from shared
