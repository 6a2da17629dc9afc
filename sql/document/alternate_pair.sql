-- stage:      alternate_pair
-- reads:      page, page_document, parse
-- param:      url_policy  varchar  policy and heuristic rules of URL keys
-- invariant:  ordered     left_document < right_document
-- join:       hash
-- cost:       one key a listed version, joins on keys
-- why:        what a page lists as its version in another language or for another country is
--             another document, however near the texts are
-- [generated from src/schema.rs, do not edit]
-- writes:     alternate_pair  one row a pair of documents that are versions of one another
-- key:        left_document, right_document
-- column:     left_document   bigint  not null  document with the smaller number
-- column:     right_document  bigint  not null  document with the larger number
-- [end]
with

listed as (

    select
        parse.fetch,
        unnest(parse.hreflang) as version
    from parse
    where cardinality(parse.hreflang) > 0

),

keyed as (

    select distinct
        page_document.document,
        page.url_key,
        url_key(split_part(listed.version, ' ', 2), cast($url_policy as varchar))['key']
            as target_key
    from listed
    inner join page
        on listed.fetch = page.fetch
    inner join page_document
        on page.page = page_document.page
    where split_part(listed.version, ' ', 1) <> 'x-default'

),

pair as (

    select distinct
        least(keyed.document, page_document.document) as left_document,
        greatest(keyed.document, page_document.document) as right_document
    from keyed
    inner join page
        on keyed.target_key = page.url_key
    inner join page_document
        on page.page = page_document.page
    where keyed.target_key <> keyed.url_key
        and keyed.document <> page_document.document

)

select
    pair.left_document,
    pair.right_document
from pair
