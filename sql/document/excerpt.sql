-- stage:      excerpt
-- reads:      candidate, document_page, page, resemblance, text
-- param:      excerpt_milli        int  least share of the shorter text's shingles, in thousandths
-- param:      excerpt_size_milli   int  most share of the longer text's length, in thousandths
-- param:      excerpt_shingles_min int  fewest shingles of an excerpt
-- invariant:  share    containment between 0 and 1
-- cost:       joins on numbers
-- why:        a print version, a teaser, a cut copy or one page of several is held by a longer text
--             and is not that text: a directed row, never an edge
-- [generated from src/schema.rs, do not edit]
-- writes:     excerpt  one row a page and a longer page that holds its text
-- key:        page_id, whole_page_id
-- column:     page_id            binary   not null  the page that is held
-- column:     whole_page_id      binary   not null  the page that holds it
-- column:     containment        double   not null  share of its shingles in the whole
-- column:     containment_whole  double   not null  share of the whole's shingles in it
-- column:     is_same_host       boolean  not null  whether both stand on one host
-- column:     source             varchar  not null  how it was found: sample, bucket or declared
-- [end]
with

directed as (

    select
        resemblance.left_document,
        resemblance.right_document,
        resemblance.shared,
        least(resemblance.left_shingles, resemblance.right_shingles) as shingles,
        greatest(resemblance.left_shingles, resemblance.right_shingles) as whole_shingles,
        case
            when resemblance.left_shingles < resemblance.right_shingles
                then resemblance.left_document
            else resemblance.right_document
        end as document,
        case
            when resemblance.left_shingles < resemblance.right_shingles
                then resemblance.right_document
            else resemblance.left_document
        end as whole
    from resemblance

),

held as (

    select
        directed.left_document,
        directed.right_document,
        directed.shared,
        directed.shingles,
        directed.whole_shingles,
        directed.document,
        directed.whole
    from directed
    where directed.shared * 1000 >= directed.shingles * cast($excerpt_milli as bigint)
        and directed.shingles * 1000
            <= directed.whole_shingles * cast($excerpt_size_milli as bigint)
        and directed.shingles >= cast($excerpt_shingles_min as bigint)

)

select
    page.page_id,
    whole_page.page_id as whole_page_id,
    cast(held.shared as double) / cast(held.shingles as double) as containment,
    cast(held.shared as double) / cast(held.whole_shingles as double) as containment_whole,
    coalesce(text.host = whole_text.host, false) as is_same_host,
    case
        when candidate.shared_bands + candidate.shared_blocks > 0 then 'bucket'
        when candidate.shared_samples > 0 then 'sample'
        else 'declared'
    end as source
from held
inner join candidate
    on held.left_document = candidate.left_document
    and held.right_document = candidate.right_document
inner join text
    on held.document = text.document
inner join text as whole_text
    on held.whole = whole_text.document
inner join document_page
    on held.document = document_page.document
inner join document_page as whole_document_page
    on held.whole = whole_document_page.document
inner join page
    on document_page.page = page.page
inner join page as whole_page
    on whole_document_page.page = whole_page.page
