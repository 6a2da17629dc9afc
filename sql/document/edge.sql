-- stage:      edge
-- reads:      alternate_pair, difference, resemblance, text
-- param:      resemblance_min_milli  int      least resemblance of an edge, in thousandths
-- param:      variant_min_milli      int      and of one that is varied in numbers alone
-- param:      tiny_tokens_min        int      fewest tokens of a text that is equal across hosts
-- param:      short_tokens_min       int      fewest tokens of a text that is equal across titles
-- param:      article_tokens_min     int      fewest tokens of an article
-- param:      list_share_milli       int      least share of link text of a list, in thousandths
-- param:      cross_host_milli       int      least resemblance of articles of different hosts
-- param:      same_host_milli        int      of articles of one host
-- param:      medium_milli           int      of texts that are shorter than an article
-- param:      short_milli            int      of short texts
-- param:      tiny_milli             int      of tiny texts
-- param:      list_milli             int      of lists
-- param:      product_milli          int      of pages that state one product
-- param:      layout_slots_min       int      equal slots of pages with the same layout
-- param:      hreflang               boolean  whether the guard of versions for a language is on
-- param:      script                 boolean  whether the guard of scripts is on
-- param:      language               boolean  whether the guard of languages is on
-- param:      product                boolean  whether the guard of product ids is on
-- param:      price                  boolean  whether the guard of prices is on
-- param:      title                  boolean  whether the guard of titles is on
-- param:      digits                 boolean  whether the guard of numbers is on
-- param:      operator               boolean  whether the guard of signs between words is on
-- param:      polarity               boolean  whether the guard of words that turn a meaning is on
-- invariant:  threshold  shared * 1000 >= joined * least(
--             cast($resemblance_min_milli as bigint), cast($variant_min_milli as bigint))
-- invariant:  varied     shared * 1000 >= joined * cast($resemblance_min_milli as bigint)
--             or numbers in ('volatile', 'version')
-- invariant:  tiered     (guard is null) = (tier in ('merge', 'group'))
-- cost:       joins on numbers
-- why:        what a near pair is. Its class decides the least resemblance; then the first guard
--             that refuses names the pair, which is kept. What differs in numbers that change by
--             themselves, in versions and architectures, and in nothing else is near at any class
--             and from variant_min_milli on, and so are pages that name one canonical at any
--             class; versions and architectures group and never merge, and so do small texts of
--             two hosts under one title
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
-- column:     class           varchar            class of the pair, which decides the least
--                                                resemblance
-- column:     layout_slots    int                equal slots of 64 of their layouts
-- column:     words           int                words that differ; NULL when they are too many
-- column:     numbers         varchar            what the numbers, versions, architectures that
--                                                differ are
-- column:     tier            varchar            merge, group, suggest or none
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

described as (

    select
        near.left_document,
        near.right_document,
        near.shared,
        near.joined,
        near.left_shingles,
        near.right_shingles,
        hamming(left_text.simhash, right_text.simhash) as hamming,
        left_text.scripts as left_scripts,
        right_text.scripts as right_scripts,
        left_text.language as left_language,
        right_text.language as right_language,
        least(left_text.tokens, right_text.tokens) as tokens,
        greatest(left_text.link_share_milli, right_text.link_share_milli) as link_share_milli,
        coalesce(left_text.host = right_text.host, false) as is_same_host,
        left_text.hosts > 0 and right_text.hosts > 0 as is_hosted,
        product_relation(left_text.product_ids, right_text.product_ids) as products,
        -- Amounts in two currencies are two prices.
        case
            when cardinality(left_text.prices) > 0 and cardinality(right_text.prices) > 0
                and product_relation(left_text.prices, right_text.prices) <> 'same'
                then 'different'
            else product_relation(left_text.prices, right_text.prices)
        end as prices,
        equal_slots(left_text.layout, right_text.layout) as layout_slots,
        difference.words,
        coalesce(difference.numbers, 'none') as numbers,
        coalesce(difference.is_numbers_only, false) as is_numbers_only,
        coalesce(difference.is_polarity, false) as is_polarity,
        coalesce(difference.is_operator, false) as is_operator,
        coalesce(difference.titles, 'unknown') as titles,
        alternate_pair.left_document is not null as is_alternate,
        coalesce(left_text.home_key = right_text.home_key, false) as is_declared
    from near
    inner join text as left_text
        on near.left_document = left_text.document
    inner join text as right_text
        on near.right_document = right_text.document
    left join difference
        on near.left_document = difference.left_document
        and near.right_document = difference.right_document
    left join alternate_pair
        on near.left_document = alternate_pair.left_document
        and near.right_document = alternate_pair.right_document
    where near.shared * 1000 >= near.joined * cast($resemblance_min_milli as bigint)
        or (
            near.shared * 1000 >= near.joined * cast($variant_min_milli as bigint)
            and coalesce(difference.is_numbers_only, false)
            and difference.numbers in ('volatile', 'version')
        )

),

classed as (

    select
        described.left_document,
        described.right_document,
        described.shared,
        described.joined,
        described.left_shingles,
        described.right_shingles,
        described.hamming,
        described.left_scripts,
        described.right_scripts,
        described.left_language,
        described.right_language,
        described.tokens,
        described.link_share_milli,
        described.is_same_host,
        described.is_hosted,
        described.products,
        described.prices,
        described.layout_slots,
        described.words,
        described.numbers,
        described.is_numbers_only,
        described.is_polarity,
        described.is_operator,
        described.titles,
        described.is_alternate,
        described.is_declared,
        case
            when described.products = 'same' then 'product'
            when described.link_share_milli >= cast($list_share_milli as int) then 'list'
            when described.tokens < cast($tiny_tokens_min as int) then 'tiny'
            when described.tokens < cast($short_tokens_min as int) then 'short'
            when described.tokens < cast($article_tokens_min as int) then 'medium'
            when described.is_same_host then 'same_host'
            else 'cross_host'
        end as class
    from described

),

-- Whether the resemblance is enough for the class.
measured as (

    select
        classed.left_document,
        classed.right_document,
        classed.shared,
        classed.joined,
        classed.left_shingles,
        classed.right_shingles,
        classed.hamming,
        classed.left_scripts,
        classed.right_scripts,
        classed.left_language,
        classed.right_language,
        classed.is_same_host,
        classed.is_hosted,
        classed.products,
        classed.prices,
        classed.layout_slots,
        classed.words,
        classed.numbers,
        classed.is_numbers_only,
        classed.is_polarity,
        classed.is_operator,
        classed.titles,
        classed.is_alternate,
        classed.is_declared,
        classed.class,
        classed.shared * 1000 >= classed.joined * case classed.class
            when 'product' then cast($product_milli as bigint)
            when 'list' then cast($list_milli as bigint)
            when 'tiny' then cast($tiny_milli as bigint)
            when 'short' then cast($short_milli as bigint)
            when 'medium' then cast($medium_milli as bigint)
            when 'same_host' then cast($same_host_milli as bigint)
            else cast($cross_host_milli as bigint)
        end as is_enough,
        classed.is_numbers_only and classed.numbers in ('volatile', 'version') as is_varied,
        case classed.class
            when 'tiny' then classed.is_same_host or not classed.is_hosted
            when 'short'
                then classed.is_same_host or not classed.is_hosted or classed.titles = 'equal'
            when 'medium'
                then classed.titles = 'equal'
                    or classed.numbers in ('none', 'volatile')
                    or classed.is_numbers_only and classed.numbers = 'version'
            else true
        end as is_beside_class,
        -- One title on two hosts tells what a text is that is too small to tell it itself.
        classed.is_hosted
            and not classed.is_same_host
            and classed.titles = 'equal'
            and classed.numbers in ('none', 'volatile', 'version')
            and (
                classed.class = 'medium'
                or classed.class = 'tiny'
                    and classed.shared = classed.joined
                    and coalesce(classed.layout_slots >= cast($layout_slots_min as int), false)
            ) as is_titled
    from classed

),

guarded as (

    select
        measured.left_document,
        measured.right_document,
        measured.shared,
        measured.joined,
        measured.left_shingles,
        measured.right_shingles,
        measured.hamming,
        measured.class,
        measured.layout_slots,
        measured.words,
        measured.numbers,
        measured.titles,
        measured.prices,
        (measured.is_enough or measured.is_varied) and measured.is_beside_class
            or measured.is_declared as is_fit,
        case
            when cast($hreflang as boolean) and measured.is_alternate then 'hreflang'
            -- Each text has a script of its own that the other lacks: a translation, not a copy.
            when cast($script as boolean)
                and (measured.left_scripts & measured.right_scripts) <> measured.left_scripts
                and (measured.left_scripts & measured.right_scripts) <> measured.right_scripts
                then 'script'
            when cast($language as boolean)
                and measured.left_language <> measured.right_language
                then 'language'
            when cast($product as boolean) and measured.products = 'different' then 'product'
            when cast($price as boolean)
                and measured.prices = 'different'
                and measured.products <> 'same'
                then 'price'
            when cast($title as boolean)
                and measured.is_same_host
                and measured.titles = 'differ'
                then 'title'
            when cast($digits as boolean)
                and measured.numbers = 'identifying'
                and measured.products <> 'same'
                and (measured.is_numbers_only or measured.class <> 'cross_host')
                then 'digits_identifying'
            when cast($operator as boolean) and measured.is_operator then 'operator'
            when cast($polarity as boolean) and measured.is_polarity then 'polarity'
            when cast($digits as boolean)
                and measured.numbers = 'unknown'
                and measured.is_numbers_only
                then 'digits_unknown'
            when measured.is_declared or measured.is_titled then null
            when not (measured.is_enough or measured.is_varied)
                or not measured.is_beside_class
                then 'class_' || measured.class
        end as guard
    from measured

)

select
    guarded.left_document,
    guarded.right_document,
    guarded.shared,
    guarded.joined,
    guarded.left_shingles,
    guarded.right_shingles,
    guarded.hamming,
    guarded.class,
    guarded.layout_slots,
    guarded.words,
    guarded.numbers,
    case
        when guarded.guard in ('polarity', 'digits_unknown') or guarded.guard like 'class_%'
            then 'suggest'
        when guarded.guard is not null then 'none'
        when guarded.numbers = 'version'
            or guarded.titles = 'version'
            or guarded.prices = 'different'
            or not guarded.is_fit
            then 'group'
        else 'merge'
    end as tier,
    guarded.guard
from guarded
