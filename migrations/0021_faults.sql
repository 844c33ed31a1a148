-- What the farm's own processes found wrong while they ran, which `spool audit` reports for a day. Nothing depends on these
-- rows.
CREATE TABLE faults (
  rule      text NOT NULL,
  subject   text NOT NULL,
  detail    text NOT NULL,
  found_at  timestamptz NOT NULL,
  PRIMARY KEY (rule, subject)
);
