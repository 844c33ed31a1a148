-- How many jobs of a tenant's exports may be open at a time; further exports wait until some have ended. NULL: any number.
ALTER TABLE tenants ADD COLUMN max_open_jobs bigint CHECK (max_open_jobs > 0);
