-- stage:      edge
-- reads:      resemblance, text
-- param:      resemblance_min_milli  int      least resemblance of an edge, in thousandths
-- param:      guard_script           boolean  whether the guard against other scripts is on
-- invariant:  threshold  shared * 1000 >= joined * cast($resemblance_min_milli as bigint)
-- cost:       two joins on numbers
-- why:        a pair at or above the threshold that a guard refused is kept with its name
-- [generated from src/schema.rs, do not edit]
-- writes:     edge  one row a candidate pair at or above the threshold
-- key:        left_document, right_document
-- column:     left_document   bigint   not null  document with the smaller number
-- column:     right_document  bigint   not null  document with the larger number
-- column:     shared          bigint   not null  shingles that both hold
-- column:     joined          bigint   not null  shingles that at least one holds
-- column:     left_shingles   bigint   not null  distinct shingles of the left document
-- column:     right_shingles  bigint   not null  distinct shingles of the right document
-- column:     hamming         int      not null  bits in which the SimHashes differ
-- column:     guard           varchar            the guard that refused the pair; NULL when
--                                                accepted
-- [end]
with

near as (

    select
        resemblance.left_document,
        resemblance.right_document,
        resemblance.shared,
        resemblance.left_shingles + resemblance.right_shingles - resemblance.shared as joined,
        resemblance.left_shingles,
        resemblance.right_shingles
    from resemblance

),

verified as (

    select
        near.left_document,
        near.right_document,
        near.shared,
        near.joined,
        near.left_shingles,
        near.right_shingles,
        hamming(left_text.simhash, right_text.simhash) as hamming,
        left_text.scripts as left_scripts,
        right_text.scripts as right_scripts
    from near
    inner join text as left_text
        on near.left_document = left_text.document
    inner join text as right_text
        on near.right_document = right_text.document
    where near.shared * 1000 >= near.joined * cast($resemblance_min_milli as bigint)

),

-- Each text has a script of its own that the other lacks: a translation, not a copy.
guard_script as (

    select
        verified.left_document,
        verified.right_document,
        'script' as guard
    from verified
    where cast($guard_script as boolean)
        and (verified.left_scripts & verified.right_scripts) <> verified.left_scripts
        and (verified.left_scripts & verified.right_scripts) <> verified.right_scripts

)

select
    verified.left_document,
    verified.right_document,
    verified.shared,
    verified.joined,
    verified.left_shingles,
    verified.right_shingles,
    verified.hamming,
    guard_script.guard
from verified
left join guard_script
    on verified.left_document = guard_script.left_document
    and verified.right_document = guard_script.right_document
