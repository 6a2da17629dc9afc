-- stage:      difference
-- reads:      candidate_component, parse, removal, resemblance, text
-- param:      resemblance_min_milli  int      least resemblance of an edge, in thousandths
-- param:      variant_min_milli      int      and of one that is varied in numbers alone
-- param:      digits                 boolean  whether the guard of numbers is on
-- param:      polarity               boolean  whether the guard of words that turn a meaning is on
-- param:      operator               boolean  whether the guard of signs between words is on
-- param:      title                  boolean  whether the guard of titles is on
-- param:      words_max              int      most words that differ and are looked at
-- param:      tokeniser              varchar  the method that cuts a text into words
-- operator:   difference words_max tokeniser
-- batch:      512  rows may be megabytes
-- join:       hash
-- invariant:  ordered  left_document < right_document
-- cost:       reads the text of documents of a near pair again; one difference of words a pair, in
--             time that grows with the words that differ; memory of one component's texts
-- why:        one number or one word can make another document of a near equal text: a guard has to
--             see the words themselves
-- [generated from src/schema.rs, do not edit]
-- writes:     difference  one row a candidate pair at or above the threshold, if its words are read
-- key:        left_document, right_document
-- column:     left_document    bigint   not null  document with the smaller number
-- column:     right_document   bigint   not null  document with the larger number
-- column:     words            int                words that differ; NULL when they are too many
-- column:     numbers          varchar  not null  what the numbers, versions, architectures that
--                                                 differ are
-- column:     is_numbers_only  boolean  not null  whether nothing but numbers differs
-- column:     is_polarity      boolean  not null  whether a word that turns the meaning differs
-- column:     is_operator      boolean  not null  whether signs between words differ
-- column:     titles           varchar  not null  equal, near, version, differ or unknown
-- [end]
with

pair as (

    select
        candidate_component.component,
        resemblance.left_document,
        resemblance.right_document
    from resemblance
    inner join candidate_component
        on resemblance.left_document = candidate_component.document
    where (
            cast($digits as boolean)
            or cast($polarity as boolean)
            or cast($operator as boolean)
            or cast($title as boolean)
        )
        and resemblance.shared * 1000
            >= (resemblance.left_shingles + resemblance.right_shingles - resemblance.shared)
                * least(
                    cast($resemblance_min_milli as bigint),
                    cast($variant_min_milli as bigint)
                )

),

needed as (

    select
        pair.component,
        pair.left_document as document
    from pair
    union
    select
        pair.component,
        pair.right_document as document
    from pair

)

select
    needed.component,
    cast(null as bigint) as left_document,
    needed.document as right_document,
    kept_text(parse.text, removal.removed) as text,
    text.title
from needed
inner join text
    on needed.document = text.document
inner join parse
    on text.fetch = parse.fetch
left join removal
    on needed.document = removal.page
union all
select
    pair.component,
    pair.left_document,
    pair.right_document,
    cast(null as varchar) as text,
    cast(null as varchar) as title
from pair
