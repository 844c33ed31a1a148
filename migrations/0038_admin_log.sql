-- What operators changed over the API: who, from where, what, and with which outcome. Nothing removes these rows.
CREATE TABLE admin_actions (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at          timestamptz NOT NULL DEFAULT now(),
  -- The token may be removed one day; the number stays.
  token_id    bigint NOT NULL,
  tenant_id   bigint NOT NULL REFERENCES tenants,
  -- The client's address as limits count it; NULL where the request did not come over a network.
  address     text,
  operation   text NOT NULL,
  path        text NOT NULL,
  -- The beginning of the request's body.
  body        text NOT NULL,
  -- NULL while the request is carried out, and where the coordinator died with it.
  status      integer
);
