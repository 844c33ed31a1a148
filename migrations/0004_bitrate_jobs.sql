-- Films of a given size: segments are measured, and the film's bits allocated to them.
ALTER TABLE jobs DROP CONSTRAINT jobs_kind_check;
ALTER TABLE jobs ADD CONSTRAINT jobs_kind_check
  CHECK (kind IN ('probe', 'measure', 'allocation', 'video', 'audio', 'soundtrack', 'stitch'));
