-- stage:      reduced
-- reads:      parse, removal
-- param:      width   int  tokens in a shingle
-- param:      slots   int  slots of a signature
-- param:      bands   int  bands of a signature
-- param:      sample  boolean  whether sampled shingles are a third source of candidates
-- batch:      512  rows may be megabytes
-- join:       hash
-- cost:       reads the main text of pages that lose a line once more
-- why:        the fingerprint of what is left; a page that loses nothing keeps the one it has
-- [generated from src/schema.rs, do not edit]
-- writes:     reduced  one row a page that lost a block
-- key:        page
-- column:     page         bigint    not null  page
-- column:     tokens       int       not null  tokens of what is left
-- column:     scripts      bigint    not null  bit mask of the scripts it is written in
-- column:     text_digest  binary    not null  xxh3-128 of what is left, normalised
-- column:     simhash      bigint              SimHash; NULL without shingles
-- column:     buckets      bigint[]  not null  one bucket a band; empty without shingles
-- column:     slots        binary    not null  low 8 bits of each slot; empty without shingles
-- column:     samples      bigint[]  not null  sampled shingles
-- [end]
with

printed as (

    select
        removal.page,
        fingerprint(
            kept_text(parse.text, removal.removed),
            cast($width as int),
            cast($slots as int),
            cast($bands as int)
        ) as print
    from removal
    inner join parse
        on removal.fetch = parse.fetch
    where removal.verdict = 'removed'

)

select
    printed.page,
    printed.print['tokens'] as tokens,
    printed.print['scripts'] as scripts,
    printed.print['text_digest'] as text_digest,
    printed.print['simhash'] as simhash,
    printed.print['buckets'] as buckets,
    printed.print['slots'] as slots,
    case when cast($sample as boolean) then printed.print['samples'] else cast([] as bigint[]) end
        as samples
from printed
