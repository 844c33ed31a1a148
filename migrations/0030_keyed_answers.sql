-- The answers to requests with an Idempotency-Key, so that a repeated request is not carried out twice. Submissions of
-- exports and batches keep their keys with what they made.
CREATE TABLE keyed_answers (
  tenant_id    bigint NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  key          text NOT NULL,
  -- The sha256 of the method, the address and the body.
  request_hash text NOT NULL,
  began_at     timestamptz NOT NULL,
  -- NULL while the request is under way.
  status       integer,
  -- NULL where there is none, or where it has a secret and is not kept.
  content_type text,
  location     text,
  body         text,
  is_secret    boolean NOT NULL DEFAULT false,
  PRIMARY KEY (tenant_id, key)
);
CREATE INDEX keyed_answers_by_age ON keyed_answers (began_at);
