-- stage:      candidate
-- reads:      bucket, declared_pair, text
-- param:      bucket_limit     int  most documents of which all pairs are candidates
-- param:      centres          int  documents of a larger bucket that meet all others
-- param:      window           int  neighbours in the second order that meet
-- param:      equal_slots_min  int  equal stored slots below which a pair is dropped
-- param:      hamming_max      int  SimHash bits within which a pair is kept all the same
-- param:      samples_min      int  fewest shared samples of a pair that is kept all the same
-- param:      samples_share_milli  int  and least share of the shorter text's, in thousandths
-- invariant:  ordered          left_document < right_document
-- invariant:  met              shared_bands + shared_blocks + shared_samples >= 1 or is_declared
-- cost:       per bucket of n documents n (n - 1) / 2 pairs up to bucket_limit, above it
--             n (centres + window)
-- why:        documents that share a bucket meet (see bucket.sql), and a page meets the page that
--             it declares as its canonical. The estimate from the stored
--             slots drops pairs about four standard errors below the threshold before any exact
--             work; the row stays, so that what was dropped can be counted.
-- [generated from src/schema.rs, do not edit]
-- writes:     candidate  one row a pair of documents that share a bucket or a declaration
-- key:        left_document, right_document
-- column:     left_document   bigint   not null  document with the smaller number
-- column:     right_document  bigint   not null  document with the larger number
-- column:     shared_bands    bigint   not null  MinHash buckets in which the pair meets
-- column:     shared_blocks   bigint   not null  SimHash block keys in which the pair meets
-- column:     shared_samples  bigint             sampled shingles that both hold
-- column:     is_declared     boolean  not null  whether one names the other as canonical
-- column:     equal_slots     int      not null  stored slots that are equal
-- column:     hamming         int      not null  bits in which the SimHashes differ
-- column:     is_kept         boolean  not null  whether the estimate is near enough to verify
-- [end]
with

meeting as (

    select
        bucket.source,
        unnest(
            bucket_pairs(
                bucket.members,
                cast($bucket_limit as int),
                cast($centres as int),
                cast($window as int)
            )
        ) as pair
    from bucket

),

met as (

    select
        meeting.pair['left'] as left_document,
        meeting.pair['right'] as right_document,
        meeting.source
    from meeting
    union all
    select
        declared_pair.left_document,
        declared_pair.right_document,
        'declared' as source
    from declared_pair

),

pair as (

    select
        met.left_document,
        met.right_document,
        sum(case when met.source = 'minhash' then 1 else 0 end) as shared_bands,
        sum(case when met.source = 'simhash' then 1 else 0 end) as shared_blocks,
        sum(case when met.source = 'sample' then 1 else 0 end) as shared_samples,
        bool_or(met.source = 'declared') as is_declared
    from met
    group by met.left_document, met.right_document

),

estimated as (

    select
        pair.left_document,
        pair.right_document,
        pair.shared_bands,
        pair.shared_blocks,
        pair.shared_samples,
        least(cardinality(left_text.samples), cardinality(right_text.samples)) as samples,
        pair.is_declared,
        equal_slots(left_text.slots, right_text.slots) as equal_slots,
        hamming(left_text.simhash, right_text.simhash) as hamming
    from pair
    inner join text as left_text
        on pair.left_document = left_text.document
    inner join text as right_text
        on pair.right_document = right_text.document

)

select
    estimated.left_document,
    estimated.right_document,
    estimated.shared_bands,
    estimated.shared_blocks,
    estimated.shared_samples,
    estimated.is_declared,
    estimated.equal_slots,
    estimated.hamming,
    (
        estimated.is_declared
        or estimated.equal_slots >= cast($equal_slots_min as int)
        or (estimated.shared_blocks > 0 and estimated.hamming <= cast($hamming_max as int))
        or (
            estimated.shared_samples >= cast($samples_min as int)
            and estimated.shared_samples * 1000
                >= estimated.samples * cast($samples_share_milli as bigint)
        )
    ) as is_kept
from estimated
