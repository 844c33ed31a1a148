-- Tokens can expire, and tell when they were last used.
ALTER TABLE tokens
  ADD COLUMN expires_at timestamptz,
  -- Noted at most once a minute.
  ADD COLUMN last_used_at timestamptz;
