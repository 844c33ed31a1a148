-- Source facts and stored jobs have the glossary's field names, and facts have a version. Facts of assets are removed:
-- each asset is probed again when an export next needs it.
UPDATE assets SET facts = NULL WHERE facts IS NOT NULL;

-- Exports whose sources are being probed begin again with probes of this version.
DELETE FROM jobs USING exports WHERE exports.id = jobs.export_id AND exports.state = 'probing';
DELETE FROM export_sources USING exports WHERE exports.id = export_sources.export_id AND exports.state = 'probing';
UPDATE exports SET state = 'submitted', compile_attempts = 0 WHERE state = 'probing';

-- Exports that are being rendered, or that an operator may retry, keep their facts and jobs under the new names.
CREATE FUNCTION pg_temp.renamed(object jsonb, before text, now text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN object ? before THEN (object - before) || jsonb_build_object(now, object -> before) ELSE object END $$;

UPDATE export_sources SET facts = pg_temp.renamed(facts, 'document', 'auxiliaryKind') || '{"version": 2}'
  WHERE facts IS NOT NULL;
UPDATE export_sources SET facts = jsonb_set(facts, '{video}', pg_temp.renamed(
    pg_temp.renamed(facts -> 'video', 'light', 'hdrMetadata'), 'promisedDuration', 'declaredDuration'))
  WHERE facts -> 'video' ?| '{light,promisedDuration}';
UPDATE export_sources SET facts = jsonb_set(facts, '{audio}', pg_temp.renamed(
    facts -> 'audio', 'promisedDuration', 'declaredDuration'))
  WHERE facts -> 'audio' ? 'promisedDuration';

DROP FUNCTION pg_temp.renamed(jsonb, text, text);

-- The text of jsonb has one form: a space behind each colon, and keys ordered by their length. A quotation mark within a
-- value is escaped, so the patterns find keys only; the next key makes sure that it is a key of the plan.
UPDATE jobs SET work = regexp_replace(
    work::text, '"light": (\{"(contentLight|masteringDisplay)": )', '"hdrMetadata": \1', 'g')::jsonb
  FROM exports WHERE exports.id = jobs.export_id AND exports.state IN ('rendering', 'failed')
    AND jobs.kind IN ('measure', 'video', 'stitch') AND work::text ~ '"light": \{"(contentLight|masteringDisplay)": ';
UPDATE jobs SET work = replace(work::text, '"stretches": [{"source": ', '"ranges": [{"source": ')::jsonb
  FROM exports WHERE exports.id = jobs.export_id AND exports.state IN ('rendering', 'failed')
    AND jobs.kind = 'stitch' AND work::text ~ '"stretches": \[\{"source": ';
UPDATE jobs SET work = regexp_replace(regexp_replace(regexp_replace(
    work::text, '"stretch": (\{"(legs|pitch)": )', '"timeStretch": \1', 'g'),
    '"legs": (\[\{"sampleCount": )', '"speedRanges": \1', 'g'),
    '"bend": (\[\{"sampleCount": )', '"varispeed": \1', 'g')::jsonb
  FROM exports WHERE exports.id = jobs.export_id AND exports.state IN ('rendering', 'failed')
    AND jobs.kind = 'audio' AND work::text ~ '"(stretch|legs|bend)": [\[{]';
