-- A probe says since then whether a source is an animated picture, such as a GIF.
UPDATE assets SET facts = jsonb_set(facts, '{video,isAnimatedPicture}', to_jsonb(facts->>'container' IN ('gif', 'apng')))
  WHERE jsonb_typeof(facts->'video') = 'object';
UPDATE export_sources SET facts = jsonb_set(facts, '{video,isAnimatedPicture}', to_jsonb(facts->>'container' IN ('gif', 'apng')))
  WHERE jsonb_typeof(facts->'video') = 'object';
