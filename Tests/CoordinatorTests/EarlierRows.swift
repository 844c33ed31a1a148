/// Rows that earlier versions stored, with the field names that they used. `scripts/check-words` leaves this file out.
///
/// They are a finished export, an export that is being rendered, an export whose source is being probed, a film that was
/// probed without packet facts, and a sound.
enum EarlierRows {
    static let sql = #"""
        INSERT INTO tenants (name) VALUES ('studio');
        INSERT INTO drafts (tenant_id) VALUES (1);
        INSERT INTO draft_revisions (draft_id, revision, content) VALUES (1, 1, '{}');
        INSERT INTO exports (id, tenant_id, draft_id, draft_revision, label, parameters, settings, priority, pool, state,
          film_key, frame_count, finished_at) VALUES
          ('00000000-0000-4000-8000-000000000001', 1, 1, 1, 'old', '{}', '{}', 0, 'default', 'completed', 'aa', 30, now()),
          ('00000000-0000-4000-8000-000000000002', 1, 1, 1, 'new', '{}', '{}', 0, 'default', 'rendering', 'bb', 30, NULL),
          ('00000000-0000-4000-8000-000000000003', 1, 1, 1, 'newest', '{}', '{}', 0, 'default', 'probing', NULL, NULL, NULL);
        INSERT INTO jobs (export_id, tenant_id, kind, role, ordinal, artifact_key, work, frame_count, weight, priority, pool, state,
          ready_at, attempt) VALUES
          ('00000000-0000-4000-8000-000000000002', 1, 'stitch', 'stitch', 0, 'bb', '{
            "metadata": {"title": "\"light\": {\"contentLight\": ", "light": "x"},
            "light": {"contentLight": {"maxContent": 1}}, "copied": {"stretches": [{"source": "a"}]}}',
           30, 1, 0, 'default', 'ready', now(), 0),
          ('00000000-0000-4000-8000-000000000002', 1, 'video', 'video', 0, 'cc',
           '{"color": {"light": {"masteringDisplay": {}}}}', 30, 1, 0, 'default', 'waiting', NULL, 0),
          ('00000000-0000-4000-8000-000000000002', 1, 'audio', 'audio', 0, 'dd', '{"inputs": [
            {"stretch": {"pitch": 0, "legs": [{"sampleCount": 1}]}}, {"bend": [{"sampleCount": 1}]}]}',
           0, 1, 0, 'default', 'waiting', NULL, 0),
          ('00000000-0000-4000-8000-000000000003', 1, 'probe', 'video', 0, 'ee', '{}', 0, 1, 0, 'default', 'dispatched', now(), 1);
        INSERT INTO export_sources (export_id, location, facts) VALUES
          ('00000000-0000-4000-8000-000000000002', '/media/a.mp4', '{"container": "mp4",
            "video": {"light": {"contentLight": {"maxContent": 1}}, "promisedDuration": "7/2", "isAnimatedPicture": false},
            "audio": {"promisedDuration": 4}}'),
          ('00000000-0000-4000-8000-000000000002', '/media/a.srt', '{"container": "srt", "document": "captions"}'),
          ('00000000-0000-4000-8000-000000000003', '/media/b.srt', '{"container": "srt", "document": "captions"}');
        INSERT INTO assets (tenant_id, hash, name, byte_count, facts) VALUES
          (1, repeat('a', 64), 'a.mp4', 10, '{"container": "mp4", "video": {"isStill": false, "pixelFormat": "yuv420p"}}'),
          (1, repeat('b', 64), 'b.mp3', 10, '{"container": "mp3"}');
        INSERT INTO artifacts (tenant_id, key, kind) VALUES (1, 'aa', 'stitch');
        """#
}
