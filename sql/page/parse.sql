-- stage:      parse
-- reads:      fetch
-- param:      html_bytes  int      longest body that is parsed
-- param:      html_nodes  int      most tags of a body
-- param:      html_depth  int      deepest nesting of a body
-- batch:      64  rows may be megabytes
-- invariant:  body        is_html or fault is null
-- cost:       one tree a page; nothing later reads a body
-- why:        a page is parsed once, whatever the policy of its URL, and all that is known of it is
--             kept beside its text. A body
--             that breaks a limit keeps its row and its reason; the row goes to quarantine
-- [generated from src/schema.rs, do not edit]
-- writes:     parse  one row an admitted input row
-- key:        fetch
-- column:     fetch              bigint     not null  number of the row within this run
-- column:     url                varchar              raw URL
-- column:     id                 varchar              the input's own id, as text
-- column:     fetch_time         timestamp            when it was fetched
-- column:     fetch_status       int                  HTTP status; NULL counts as fetched
-- column:     is_html            boolean    not null  whether there was a body to parse
-- column:     text               varchar    not null  main text of a page, or the plain text
-- column:     full_text          varchar              all visible text of a page
-- column:     extractor          varchar              what the text was taken from; NULL for text
-- column:     agreement_milli    int                  thousandths in which two extractors agree
-- column:     title              varchar              title of a page
-- column:     heading            varchar              first heading of a page
-- column:     canonical          varchar              the declared canonical that may be used
-- column:     canonicals         varchar[]  not null  all declared canonicals
-- column:     robots             varchar              robots directives, from header and page
-- column:     is_noindex         boolean    not null  whether they say noindex or none
-- column:     language_declared  varchar              language that the page states
-- column:     language_detected  varchar              language of the main text, if sure
-- column:     hreflang           varchar[]  not null  language and address of its versions
-- column:     redirect           varchar              absolute target of a redirect
-- column:     refresh            varchar              absolute target of a refresh
-- column:     refresh_delay      int                  seconds before a refresh
-- column:     links              varchar[]  not null  absolute targets of its links
-- column:     link_share_milli   int                  link text, thousandths of its text
-- column:     blocks             bigint[]   not null  hash of each block of text
-- column:     main_blocks        bigint[]             hash of each line of the main text
-- column:     main_flags         bigint[]             what each of these lines is, a bit mask
-- column:     main_tokens        bigint[]             tokens of each of these lines
-- column:     layout             binary               slots of the set of its tag paths
-- column:     template           bigint               hash of the frame of its tag paths
-- column:     passwords          bigint               visible fields for a password
-- column:     marks              varchar[]            marks of walls and of parked domains
-- column:     facts              struct[]             what it states of itself and of its owner
-- column:     product_ids        varchar[]            ids of the one product it is about
-- column:     prices             varchar[]            prices of that product
-- column:     charset            varchar              encoding that the body was read in
-- column:     charset_source     varchar              what named the encoding
-- column:     body_digest        binary               xxh3-128 of the body as fetched
-- column:     facts_digest       binary               xxh3-128 of all that was parsed
-- column:     fault              varchar              why the body was not parsed
-- column:     fault_detail       varchar              what was found and wanted
-- [end]
with

read as (

    select
        admitted.fetch,
        admitted.url,
        admitted.id,
        admitted.fetch_time,
        admitted.fetch_status,
        admitted.fetch_redirect,
        admitted.html is not null as is_html,
        admitted.text,
        admitted.links,
        html_page(
            admitted.html,
            admitted.is_decoded,
            admitted.url,
            admitted.content_type,
            admitted.charset,
            admitted.headers,
            cast($html_bytes as int),
            cast($html_nodes as int),
            cast($html_depth as int)
        ) as page
    from fetch as admitted

)

select
    read.fetch,
    read.url,
    read.id,
    read.fetch_time,
    read.fetch_status,
    read.is_html,
    coalesce(read.page['main_text'], read.text, '') as text,
    read.page['full_text'] as full_text,
    read.page['extractor'] as extractor,
    read.page['agreement_milli'] as agreement_milli,
    read.page['title'] as title,
    read.page['heading'] as heading,
    read.page['canonical'] as canonical,
    read.page['canonicals'] as canonicals,
    read.page['robots'] as robots,
    read.page['is_noindex'] as is_noindex,
    read.page['language_declared'] as language_declared,
    read.page['language_detected'] as language_detected,
    read.page['hreflang'] as hreflang,
    case
        when coalesce(read.fetch_status in (301, 302, 303, 307, 308), true)
            then url_resolve(read.url, read.fetch_redirect)
    end as redirect,
    read.page['refresh'] as refresh,
    read.page['refresh_delay'] as refresh_delay,
    case
        when read.is_html or read.links is null then read.page['links']
        else read.links
    end as links,
    read.page['link_share_milli'] as link_share_milli,
    read.page['blocks'] as blocks,
    read.page['main_blocks'] as main_blocks,
    read.page['main_flags'] as main_flags,
    read.page['main_tokens'] as main_tokens,
    read.page['layout'] as layout,
    read.page['template'] as template,
    coalesce(read.page['passwords'], 0) as passwords,
    read.page['marks'] as marks,
    read.page['facts'] as facts,
    read.page['product_ids'] as product_ids,
    read.page['prices'] as prices,
    read.page['charset'] as charset,
    read.page['charset_source'] as charset_source,
    read.page['body_digest'] as body_digest,
    read.page['facts_digest'] as facts_digest,
    read.page['fault'] as fault,
    read.page['fault_detail'] as fault_detail
from read
