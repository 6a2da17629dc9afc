-- stage:      shingle
-- reads:      candidate_component, fetch, text
-- param:      width  int  tokens in a shingle
-- join:       hash
-- cost:       reads the text of candidate documents again; 8 bytes a distinct shingle
-- why:        only documents of a kept candidate pair pay for an exact set
select
    candidate_component.document,
    candidate_component.component,
    shingle_set(admitted.text, cast($width as int)) as shingles
from candidate_component
inner join text
    on candidate_component.document = text.document
inner join fetch as admitted
    on text.fetch = admitted.fetch
