-- A probe says since then what has to be known of a film's packets to join them to others'. Films are probed again.
UPDATE assets SET facts = NULL WHERE facts #>> '{video,isStill}' = 'false' AND facts #> '{video,packets}' IS NULL;
