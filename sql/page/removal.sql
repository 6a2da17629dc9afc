-- stage:      removal
-- reads:      page, parse, repeated_block
-- param:      long_tokens         int  tokens of a repeated block that is content all the same
-- param:      vanish_share_milli  int  share of its tokens that no page may lose, in thousandths
-- param:      vanish_tokens       int  if it would be left with fewer tokens
-- param:      tokens_min          int  fewest tokens of a page with HTML that is compared
-- invariant:  counted  cardinality(removed) <= removed_blocks
-- join:       hash
-- cost:       one row a page and line of its main text; one join on integers
-- why:        which lines of a main text go. Heads of tables and first headings stay, and headings
--             of what stays; a long repeated block is repeated content; a page that would lose
--             nearly all of its text, and be left with next to nothing, keeps it
-- [generated from src/schema.rs, do not edit]
-- writes:     removal  one row a page whose main text holds a repeated block
-- key:        page
-- column:     page            bigint    not null  page
-- column:     fetch           bigint    not null  one fetch that holds its text
-- column:     removed         bigint[]  not null  hashes of the lines that go
-- column:     removed_blocks  int       not null  lines that go
-- column:     verdict         varchar   not null  removed, kept_long, kept_whole or kept_frame
-- [end]
with

line as (

    select
        page.page,
        page.host,
        unnest(parse.main_blocks) as block
    from page
    inner join parse
        on page.fetch = parse.fetch
    where page.gate = 'ok'
        and page.host is not null
        and cardinality(parse.main_blocks) > 0

),

repeated as (

    select
        line.page,
        array_agg(distinct line.block order by line.block) as blocks
    from line
    inner join repeated_block
        on line.host = repeated_block.host
        and line.block = repeated_block.block
    group by line.page

),

judged as (

    select
        page.page,
        page.fetch,
        removed_lines(
            parse.main_blocks,
            parse.main_flags,
            parse.main_tokens,
            repeated.blocks,
            cast($long_tokens as int),
            cast($vanish_share_milli as int),
            cast($vanish_tokens as int),
            cast($tokens_min as int)
        ) as removal
    from repeated
    inner join page
        on repeated.page = page.page
    inner join parse
        on page.fetch = parse.fetch

)

select
    judged.page,
    judged.fetch,
    judged.removal['removed'] as removed,
    judged.removal['removed_blocks'] as removed_blocks,
    judged.removal['verdict'] as verdict
from judged
