-- The highest priority that a tenant may give by itself. An operator may give a higher one: such an export is urgent, and
-- goes before shares. No tenant could do that before, so what tenants have given is lowered to the cap. Failed exports may
-- go on by an operator's retry.
ALTER TABLE tenants
  ADD COLUMN priority_cap integer NOT NULL DEFAULT 99 CHECK (priority_cap BETWEEN -100 AND 100);

UPDATE exports SET priority = 99 WHERE priority > 99 AND state NOT IN ('completed', 'cancelled');
