-- stage:      page_fact
-- reads:      fetch_fingerprint, parse
-- join:       hash
-- cost:       one group-by over fetches of pages; reads no text
-- why:        what a page says of itself, as its newest fetch shows it. Equal times are settled by
--             the digest of the facts, so that equal facts are chosen whatever the order of rows
-- [generated from src/schema.rs, do not edit]
-- writes:     page_fact  one row a page that was HTML
-- key:        page_id
-- column:     page_id            binary     not null  id of the page
-- column:     url_key            varchar    not null  canonical key
-- column:     fetch_time         timestamp            fetch that the facts are of
-- column:     fetch_status       int                  its HTTP status
-- column:     title              varchar              title
-- column:     canonical          varchar              the declared canonical that may be used
-- column:     canonicals         varchar[]  not null  all declared canonicals
-- column:     robots             varchar              robots directives, from header and page
-- column:     is_noindex         boolean    not null  whether they say noindex or none
-- column:     language_declared  varchar              language that the page states
-- column:     language_detected  varchar              language of the main text, if sure
-- column:     hreflang           varchar[]  not null  language and address of its versions
-- column:     final_url          varchar              where a redirect or refresh leads
-- column:     extractor          varchar              what the main text was taken from
-- column:     agreement          double               agreement with a second extractor, if asked
-- column:     heading            varchar              first heading
-- column:     link_share         double               share of link text in its text
-- column:     template           bigint               hash of the frame of its tag paths
-- column:     links              bigint     not null  distinct links
-- column:     blocks             bigint     not null  blocks of text
-- column:     charset            varchar              encoding that the body was read in
-- column:     charset_source     varchar              what named the encoding
-- column:     body_digest        binary               xxh3-128 of the body as fetched
-- [end]
with

newest as (

    select
        fetch_fingerprint.page_id,
        fetch_fingerprint.url_key,
        first_value(
            parse.fetch
            order by
                parse.fetch_time desc nulls last,
                parse.facts_digest,
                parse.fetch_status,
                parse.redirect
        ) as fetch
    from fetch_fingerprint
    inner join parse
        on fetch_fingerprint.fetch = parse.fetch
    where parse.is_html
    group by fetch_fingerprint.page_id, fetch_fingerprint.url_key

),

fact as (

    select
        parse.fetch,
        parse.fetch_time,
        parse.fetch_status,
        parse.title,
        parse.canonical,
        parse.canonicals,
        parse.robots,
        parse.is_noindex,
        parse.language_declared,
        parse.language_detected,
        parse.hreflang,
        coalesce(parse.redirect, parse.refresh) as final_url,
        parse.extractor,
        cast(parse.agreement_milli as double) / 1000 as agreement,
        parse.heading,
        cast(parse.link_share_milli as double) / 1000 as link_share,
        parse.template,
        cast(cardinality(parse.links) as bigint) as links,
        cast(cardinality(parse.blocks) as bigint) as blocks,
        parse.charset,
        parse.charset_source,
        parse.body_digest
    from parse
    where parse.is_html

)

select
    newest.page_id,
    newest.url_key,
    fact.fetch_time,
    fact.fetch_status,
    fact.title,
    fact.canonical,
    fact.canonicals,
    fact.robots,
    fact.is_noindex,
    fact.language_declared,
    fact.language_detected,
    fact.hreflang,
    fact.final_url,
    fact.extractor,
    fact.agreement,
    fact.heading,
    fact.link_share,
    fact.template,
    fact.links,
    fact.blocks,
    fact.charset,
    fact.charset_source,
    fact.body_digest
from newest
inner join fact
    on newest.fetch = fact.fetch
