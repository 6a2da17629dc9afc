-- stage:      parse
-- reads:      fetch
-- param:      url_policy  varchar  policy and heuristic rules of URL keys
-- param:      html_bytes  int      longest body that is parsed
-- param:      html_nodes  int      most tags of a body
-- param:      html_depth  int      deepest nesting of a body
-- batch:      64  rows may be megabytes
-- invariant:  body        is_html or fault is null
-- cost:       one tree a page; nothing later reads a body
-- why:        a page is parsed once, and all that is known of it is kept beside its text. A body
--             that breaks a limit keeps its row and its reason; the row goes to quarantine
-- [generated from src/schema.rs, do not edit]
-- writes:     parse  one row an admitted input row
-- key:        fetch
-- column:     fetch              bigint     not null  number of the row within this run
-- column:     url_key            varchar              key of the URL, or of the id; NULL when
--                                                     refused
-- column:     url                varchar              raw URL
-- column:     id                 varchar              the input's own id, as text
-- column:     fetch_time         timestamp            when it was fetched
-- column:     fetch_status       int                  HTTP status; NULL counts as fetched
-- column:     is_html            boolean    not null  whether there was a body to parse
-- column:     text               varchar    not null  main text of a page, or the plain text
-- column:     full_text          varchar              all visible text of a page
-- column:     extractor          varchar              what the text was taken from; NULL for text
-- column:     title              varchar              title of a page
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
-- column:     blocks             bigint[]   not null  hash of each block of text
-- column:     charset            varchar              encoding that the body was read in
-- column:     charset_source     varchar              what named the encoding
-- column:     body_digest        binary               xxh3-128 of the body as fetched
-- column:     facts_digest       binary               xxh3-128 of all that was parsed
-- column:     fault              varchar              why the body was not parsed
-- column:     fault_detail       varchar              what was found and wanted
-- [end]
with

keyed as (

    select
        admitted.fetch,
        case
            when admitted.url is null then id_key(admitted.id)
            else url_key(admitted.url, cast($url_policy as varchar))['key']
        end as url_key,
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
    keyed.fetch,
    keyed.url_key,
    keyed.url,
    keyed.id,
    keyed.fetch_time,
    keyed.fetch_status,
    keyed.is_html,
    coalesce(keyed.page['main_text'], keyed.text, '') as text,
    keyed.page['full_text'] as full_text,
    keyed.page['extractor'] as extractor,
    keyed.page['title'] as title,
    keyed.page['canonical'] as canonical,
    keyed.page['canonicals'] as canonicals,
    keyed.page['robots'] as robots,
    keyed.page['is_noindex'] as is_noindex,
    keyed.page['language_declared'] as language_declared,
    keyed.page['language_detected'] as language_detected,
    keyed.page['hreflang'] as hreflang,
    case
        when keyed.fetch_status in (301, 302, 303, 307, 308)
            then url_resolve(keyed.url, keyed.fetch_redirect)
    end as redirect,
    keyed.page['refresh'] as refresh,
    keyed.page['refresh_delay'] as refresh_delay,
    case
        when keyed.is_html or keyed.links is null then keyed.page['links']
        else keyed.links
    end as links,
    keyed.page['blocks'] as blocks,
    keyed.page['charset'] as charset,
    keyed.page['charset_source'] as charset_source,
    keyed.page['body_digest'] as body_digest,
    keyed.page['facts_digest'] as facts_digest,
    keyed.page['fault'] as fault,
    keyed.page['fault_detail'] as fault_detail
from keyed
