-- A probe says since then how many bits samples have and what light a source speaks of. What may have more than 8 bits is probed again.
UPDATE assets SET facts = NULL
  WHERE facts #>> '{video,pixelFormat}' ~ '(9|10|12|14|16|48|64)(le|be)$' OR facts #>> '{video,color,transfer}' IN ('pq', 'hlg');
