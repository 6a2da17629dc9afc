-- stage:      hot_bucket
-- reads:      bucket
-- param:      bucket_limit  int  most documents of which all pairs are candidates
-- param:      centres       int  documents of a larger bucket that meet all others
-- param:      window        int  neighbours in the second order that meet
-- invariant:  left_out      pairs_emitted <= pairs_possible
-- cost:       one row a hot bucket
-- why:        what a bound leaves out is counted, never silent
-- [generated from src/schema.rs, do not edit]
-- writes:     hot_bucket  one row a bucket too large for all its pairs
-- key:        bucket
-- column:     bucket          bigint   not null  hash of band number and slots, or SimHash block
--                                                key
-- column:     source          varchar  not null  what made the bucket: minhash, simhash, sample
-- column:     documents       bigint   not null  documents in the bucket
-- column:     pairs_possible  bigint   not null  n (n - 1) / 2
-- column:     pairs_emitted   bigint   not null  pairs with a centre or inside the window
-- [end]
select
    bucket.bucket,
    bucket.source,
    bucket.documents,
    bucket.documents * (bucket.documents - 1) / 2 as pairs_possible,
    cast(
        cardinality(
            bucket_pairs(
                bucket.members,
                cast($bucket_limit as int),
                cast($centres as int),
                cast($window as int)
            )
        ) as bigint
    ) as pairs_emitted
from bucket
where bucket.documents > cast($bucket_limit as bigint)
