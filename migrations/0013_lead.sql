-- Who leads the farm: one row, which is a lease. An advisory lock lived as long as its session, and so a coordinator that was
-- stopped, or whose host was lost, kept the lead.
--
-- The epoch is a key, so that taking the lead, which changes it, waits for every transaction that holds the row FOR KEY SHARE,
-- and a renewal, which changes only renewed_at, does not.
CREATE TABLE lead (
  only_one    boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  epoch       bigint NOT NULL UNIQUE,
  holder      text,
  renewed_at  timestamptz NOT NULL DEFAULT now()
);

INSERT INTO lead (epoch) VALUES (0);

-- Holds the lead of an epoch until the end of the transaction, or refuses the transaction because the lead was lost.
CREATE FUNCTION require_lead(wanted bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM lead WHERE epoch = wanted FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the lead of epoch % was lost', wanted USING ERRCODE = 'SP001';
  END IF;
END
$$;
