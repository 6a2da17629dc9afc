-- query:      candidate
-- reads:      candidate
-- param:      document  bigint  document
-- why:        how many documents it met, and how many of them the estimate left out
select
    count(*) as met,
    count(*) filter (where candidate.shared_bands = 0 and candidate.shared_blocks > 0)
        as met_by_simhash_alone,
    count(*) filter (
        where candidate.shared_bands = 0
            and candidate.shared_blocks = 0
            and candidate.shared_samples > 0
    ) as met_by_sample_alone,
    count(*) filter (where not candidate.is_kept) as dropped,
    count(*) filter (where candidate.is_kept) as verified
from candidate
where candidate.left_document = cast($document as bigint)
    or candidate.right_document = cast($document as bigint)
