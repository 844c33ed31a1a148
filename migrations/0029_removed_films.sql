-- When a client removed the film of a completed export. The export keeps its row, and no longer needs the film.
ALTER TABLE exports
  ADD COLUMN film_removed_at timestamptz,
  ADD CONSTRAINT exports_film_removed_check CHECK (film_removed_at IS NULL OR state = 'completed');
