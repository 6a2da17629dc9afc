-- stage:      shingle
-- reads:      candidate_component, parse, removal, text
-- param:      width  int  tokens in a shingle
-- join:       hash
-- cost:       reads the text of candidate documents again; 8 bytes a distinct shingle
-- why:        only documents of a kept candidate pair pay for an exact set
-- [generated from src/schema.rs, do not edit]
-- writes:     shingle  one row a document of a kept candidate pair
-- key:        document
-- column:     document   bigint  not null  document
-- column:     component  bigint  not null  component of candidates it belongs to
-- column:     shingles   binary  not null  its sorted shingle set, 8 bytes each
-- [end]
select
    candidate_component.document,
    candidate_component.component,
    shingle_set(kept_text(parse.text, removal.removed), cast($width as int)) as shingles
from candidate_component
inner join text
    on candidate_component.document = text.document
inner join parse
    on text.fetch = parse.fetch
left join removal
    on candidate_component.document = removal.page
