-- stage:      common_path
-- reads:      edge, host_page, prefix_swap, resemblance, text
-- param:      page_tokens_min       int  fewest tokens of a page that says something of its host
-- param:      full_hamming_max      int  most differing bits of full texts that count as equal
-- param:      contained_milli       int  least share of one text in the other that makes them one
-- param:      contrary_tokens_min   int  fewest tokens of both texts of a contrary path
-- param:      contrary_slots_max    int  most equal slots of such texts
-- join:       hash
-- cost:       one join on host and path per tested swap
-- why:        each path that both hosts have, and what both show there: the same content, the same
--             full text, another language, another offer, something else altogether. A text that is
--             whole in the other is the same, with lines of a template around it; else numbers that
--             identify make another offer, also where the texts are near enough for one document
-- [generated from src/schema.rs, do not edit]
-- writes:     common_path  one row a path that both hosts have under their prefixes
-- key:        left_host, left_prefix, right_host, right_prefix, suffix
-- column:     left_host          varchar  not null  scheme, name and port
-- column:     left_prefix        varchar  not null  prefix of its paths
-- column:     right_host         varchar  not null  scheme, name and port
-- column:     right_prefix       varchar  not null  prefix of its paths
-- column:     suffix             varchar  not null  the path behind the prefixes, with its slash
-- column:     stratum            varchar  not null  its folders, with digits as 0
-- column:     place              bigint   not null  its place in the order of the pair
-- column:     left_content       bigint             content of the left page
-- column:     right_content      bigint             content of the right page
-- column:     is_compared        boolean  not null  whether both pages say something
-- column:     is_same            boolean  not null  whether the contents are one
-- column:     is_full_same       boolean  not null  whether all visible text is nearly equal
-- column:     is_other_language  boolean  not null  whether the languages differ
-- column:     is_other_offer     boolean  not null  whether prices or numbers differ
-- column:     is_contrary        boolean  not null  whether the texts have little in common
-- [end]
with

aligned as (

    select
        prefix_swap.left_host,
        prefix_swap.left_prefix,
        prefix_swap.right_host,
        prefix_swap.right_prefix,
        substr(left_page.path, character_length(prefix_swap.left_prefix)) as suffix,
        left_page.gate as left_gate,
        right_page.gate as right_gate,
        left_page.document as left_document,
        right_page.document as right_document,
        left_page.content as left_content,
        right_page.content as right_content,
        least(left_page.tokens, right_page.tokens) as tokens,
        left_page.language as left_language,
        right_page.language as right_language,
        left_page.full_digest as left_digest,
        right_page.full_digest as right_digest,
        left_page.full_simhash as left_simhash,
        right_page.full_simhash as right_simhash
    from prefix_swap
    inner join host_page as left_page
        on prefix_swap.left_host = left_page.host
    inner join host_page as right_page
        on prefix_swap.right_host = right_page.host
        and prefix_swap.right_prefix
            || substr(left_page.path, character_length(prefix_swap.left_prefix) + 1)
            = right_page.path
    where starts_with(left_page.path, prefix_swap.left_prefix)

),

described as (

    select
        aligned.left_host,
        aligned.left_prefix,
        aligned.right_host,
        aligned.right_prefix,
        aligned.suffix,
        aligned.left_content,
        aligned.right_content,
        aligned.left_gate = 'ok'
            and aligned.right_gate = 'ok'
            and aligned.tokens >= cast($page_tokens_min as int)
            as is_compared,
        coalesce(aligned.left_content = aligned.right_content, false) as is_same,
        coalesce(
            aligned.left_digest = aligned.right_digest
            or hamming(aligned.left_simhash, aligned.right_simhash)
                <= cast($full_hamming_max as int),
            false
        ) as is_full_same,
        coalesce(aligned.left_language <> aligned.right_language, false) as is_other_language,
        coalesce(
            resemblance.shared * 1000
                >= least(resemblance.left_shingles, resemblance.right_shingles)
                    * cast($contained_milli as bigint),
            false
        ) as is_contained,
        coalesce(
            edge.numbers = 'identifying'
                or edge.guard in ('price', 'product', 'digits_identifying', 'digits_unknown'),
            false
        ) as is_other_offer,
        edge.left_document is null
            and aligned.tokens >= cast($contrary_tokens_min as int)
            and coalesce(
                equal_slots(left_text.slots, right_text.slots)
                    <= cast($contrary_slots_max as int),
                false
            ) as is_contrary
    from aligned
    left join text as left_text
        on aligned.left_document = left_text.document
    left join text as right_text
        on aligned.right_document = right_text.document
    left join edge
        on least(aligned.left_document, aligned.right_document) = edge.left_document
        and greatest(aligned.left_document, aligned.right_document) = edge.right_document
    left join resemblance
        on least(aligned.left_document, aligned.right_document) = resemblance.left_document
        and greatest(aligned.left_document, aligned.right_document) = resemblance.right_document

)

select
    described.left_host,
    described.left_prefix,
    described.right_host,
    described.right_prefix,
    described.suffix,
    path_stratum(described.suffix) as stratum,
    path_order(described.left_host, described.right_host, described.suffix) as place,
    described.left_content,
    described.right_content,
    described.is_compared,
    described.is_contained or (described.is_same and not described.is_other_offer) as is_same,
    described.is_full_same,
    described.is_other_language
        and not described.is_same
        and not described.is_contained
        as is_other_language,
    described.is_other_offer and not described.is_contained as is_other_offer,
    described.is_contrary
        and not described.is_same
        and not described.is_contained
        as is_contrary
from described
