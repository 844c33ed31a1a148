-- Source facts of version 5 tell which pictures have an ICC profile, and the colours of their samples after it. The facts
-- of assets go, so that assets are probed again.
UPDATE assets SET facts = NULL WHERE facts IS NOT NULL;
-- Exports that are being rendered, or that an operator may retry, keep their facts and are rendered as they were planned.
UPDATE export_sources SET facts = facts || '{"version": 5}' WHERE facts IS NOT NULL;
