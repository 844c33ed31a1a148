-- How often compiling the export has begun without an end: a document that ends the compiler's process would otherwise end each
-- coordinator in turn.
ALTER TABLE exports ADD COLUMN compile_attempts integer NOT NULL DEFAULT 0;
