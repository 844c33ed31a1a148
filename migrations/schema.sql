
CREATE FUNCTION public.count_batch_export() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  former text := CASE WHEN OLD.finished_at IS NOT NULL THEN OLD.state ELSE '' END;
  ended text := CASE WHEN NEW.finished_at IS NOT NULL THEN NEW.state ELSE '' END;
BEGIN
  UPDATE batches SET
    completed = completed + (ended = 'completed')::integer - (former = 'completed')::integer,
    failed = failed + (ended = 'failed')::integer - (former = 'failed')::integer,
    cancelled = cancelled + (ended = 'cancelled')::integer - (former = 'cancelled')::integer
  WHERE id = NEW.batch_id;
  RETURN NULL;
END $$;

CREATE FUNCTION public.count_queued_jobs() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO queue_counts AS counted (role, pool, state, backend, jobs, seconds)
    SELECT role, pool, state, pg_backend_pid(), count(*), sum(least(weight, 1e9)) FROM added
    WHERE state IN ('waiting', 'ready', 'dispatched', 'running') GROUP BY role, pool, state
    ON CONFLICT (backend, role, pool, state)
      DO UPDATE SET jobs = counted.jobs + excluded.jobs, seconds = counted.seconds + excluded.seconds;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO queue_counts AS counted (role, pool, state, backend, jobs, seconds)
    SELECT role, pool, state, pg_backend_pid(), sum(jobs), sum(seconds) FROM (
      SELECT role, pool, state, 1 AS jobs, least(weight, 1e9) AS seconds FROM added
      UNION ALL SELECT role, pool, state, -1, -least(weight, 1e9) FROM removed) AS changes
    WHERE state IN ('waiting', 'ready', 'dispatched', 'running')
    GROUP BY role, pool, state HAVING sum(jobs) <> 0 OR sum(seconds) <> 0
    ON CONFLICT (backend, role, pool, state)
      DO UPDATE SET jobs = counted.jobs + excluded.jobs, seconds = counted.seconds + excluded.seconds;
  ELSE
    INSERT INTO queue_counts AS counted (role, pool, state, backend, jobs, seconds)
    SELECT role, pool, state, pg_backend_pid(), -count(*), -sum(least(weight, 1e9)) FROM removed
    WHERE state IN ('waiting', 'ready', 'dispatched', 'running') GROUP BY role, pool, state
    ON CONFLICT (backend, role, pool, state)
      DO UPDATE SET jobs = counted.jobs + excluded.jobs, seconds = counted.seconds + excluded.seconds;
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION public.open_until(webhook bigint, export uuid) RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE
    SET enable_seqscan TO 'off'
    AS $$ BEGIN
  RETURN (SELECT max(due_at) FROM (
    SELECT due_at FROM webhook_deliveries WHERE webhook_id = webhook AND export_id = export AND state = 'pending' OFFSET 0
  ) AS pending);
END $$;

CREATE FUNCTION public.queue_publication() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO publications (export_id, destination, queued_at, due_at)
  VALUES (NEW.id, NEW.settings->>'destination', NEW.finished_at, NEW.finished_at) ON CONFLICT (export_id) DO NOTHING;
  PERFORM pg_notify('spool_publications', '');
  RETURN NULL;
END $$;

CREATE TABLE public.exports (
    id uuid NOT NULL,
    number bigint NOT NULL,
    tenant_id bigint NOT NULL,
    draft_id bigint NOT NULL,
    draft_revision integer NOT NULL,
    label text NOT NULL,
    parameters jsonb NOT NULL,
    settings jsonb NOT NULL,
    priority integer NOT NULL,
    pool text NOT NULL,
    state text NOT NULL,
    failure jsonb,
    film_key text,
    frame_count bigint,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    warnings jsonb DEFAULT '[]'::jsonb NOT NULL,
    source_places jsonb DEFAULT '{}'::jsonb NOT NULL,
    compile_attempts integer DEFAULT 0 NOT NULL,
    progress jsonb,
    moved_at timestamp with time zone,
    tags jsonb,
    metadata jsonb,
    batch_id uuid,
    batch_row integer,
    film_removed_at timestamp with time zone,
    pictures jsonb,
    picture_keys text[],
    CONSTRAINT exports_check CHECK (((finished_at IS NOT NULL) = (state = ANY (ARRAY['completed'::text, 'failed'::text, 'cancelled'::text])))),
    CONSTRAINT exports_check1 CHECK (((failure IS NOT NULL) = (state = 'failed'::text))),
    CONSTRAINT exports_check2 CHECK (((film_key IS NOT NULL) OR (state <> ALL (ARRAY['rendering'::text, 'completed'::text])))),
    CONSTRAINT exports_check3 CHECK (((progress IS NULL) OR (finished_at IS NOT NULL))),
    CONSTRAINT exports_check4 CHECK (((moved_at IS NULL) OR (progress IS NOT NULL))),
    CONSTRAINT exports_check5 CHECK (((batch_id IS NULL) = (batch_row IS NULL))),
    CONSTRAINT exports_film_removed_check CHECK (((film_removed_at IS NULL) OR (state = 'completed'::text))),
    CONSTRAINT exports_metadata_check CHECK ((jsonb_typeof(metadata) = 'object'::text)),
    CONSTRAINT exports_pictures_check CHECK (((pictures IS NULL) = (picture_keys IS NULL))),
    CONSTRAINT exports_pool_check CHECK ((pool ~ '^[a-z0-9][a-z0-9-]{0,62}$'::text)),
    CONSTRAINT exports_priority_check CHECK (((priority >= '-100'::integer) AND (priority <= 100))),
    CONSTRAINT exports_state_check CHECK ((state = ANY (ARRAY['submitted'::text, 'probing'::text, 'rendering'::text, 'completed'::text, 'failed'::text, 'cancelled'::text]))),
    CONSTRAINT exports_tags_check CHECK ((jsonb_typeof(tags) = 'object'::text))
);

CREATE FUNCTION public.queue_webhooks(export public.exports, name text, more jsonb, at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO webhook_deliveries (webhook_id, export_id, event, content, created_at, queued_at, due_at)
  SELECT webhooks.id, export.id, name, webhook_content(export, NULL) || more, at, at,
    greatest(at, open_until(webhooks.id, export.id))
  FROM webhooks WHERE tenant_id = export.tenant_id AND disabled_at IS NULL AND name = ANY(events)
  ORDER BY webhooks.id;
  IF FOUND THEN PERFORM pg_notify('spool_webhooks', ''); END IF;
END $$;

CREATE FUNCTION public.queue_webhooks_of_batch() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO webhook_deliveries (webhook_id, event, content, created_at, queued_at, due_at)
  SELECT webhooks.id, 'batch.ended', jsonb_build_object('batch', jsonb_build_object(
      'id', NEW.id, 'number', NEW.number, 'label', NEW.label, 'state', NEW.state,
      'createdAt', reference_seconds(NEW.created_at), 'endedAt', reference_seconds(NEW.ended_at),
      'rows', NEW.row_count, 'refused', NEW.refused, 'completed', NEW.completed, 'failed', NEW.failed,
      'cancelled', NEW.cancelled)),
    NEW.ended_at, NEW.ended_at, NEW.ended_at
  FROM webhooks WHERE tenant_id = NEW.tenant_id AND disabled_at IS NULL AND 'batch.ended' = ANY(events)
  ORDER BY webhooks.id;
  IF FOUND THEN PERFORM pg_notify('spool_webhooks', ''); END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION public.queue_webhooks_of_end() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM queue_webhooks(NEW, 'export.' || NEW.state, '{}', NEW.finished_at);
  RETURN NULL;
END $$;

CREATE FUNCTION public.reference_seconds(at timestamp with time zone) RETURNS double precision
    LANGUAGE sql IMMUTABLE
    AS $$ SELECT (extract(epoch FROM at) - 978307200)::double precision $$;

CREATE FUNCTION public.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  RAISE EXCEPTION 'a revision of a draft never changes';
END
$$;

CREATE FUNCTION public.require_lead(wanted bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM FROM lead WHERE epoch = wanted FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the lead of epoch % was lost', wanted USING ERRCODE = 'SP001';
  END IF;
END
$$;

CREATE FUNCTION public.settle_batch() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  NEW.state := CASE
    WHEN NEW.completed + NEW.failed + NEW.cancelled < NEW.row_count THEN 'running'
    WHEN NEW.failed > 0 THEN 'failed'
    WHEN NEW.cancelled > 0 THEN 'cancelled'
    ELSE 'completed' END;
  NEW.ended_at := CASE WHEN NEW.state <> 'running' THEN coalesce(OLD.ended_at, clock_timestamp()) END;
  RETURN NEW;
END $$;

CREATE FUNCTION public.webhook_content(export public.exports, progress integer) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$ SELECT jsonb_strip_nulls(jsonb_build_object('export', jsonb_build_object(
     'id', export.id, 'number', export.number, 'label', export.label, 'state', export.state,
     'createdAt', reference_seconds(export.created_at), 'finishedAt', reference_seconds(export.finished_at),
     'frameCount', export.frame_count, 'progress', progress,
     'failure', CASE WHEN export.failure IS NOT NULL THEN jsonb_build_object(
       'failureClass', export.failure->'failureClass', 'message', left(export.failure->>'message', 2000)) END))) $$;

CREATE TABLE public.admin_actions (
    id bigint NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    token_id bigint NOT NULL,
    tenant_id bigint NOT NULL,
    address text,
    operation text NOT NULL,
    path text NOT NULL,
    body text NOT NULL,
    status integer
);

ALTER TABLE public.admin_actions ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.admin_actions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.artifacts (
    tenant_id bigint NOT NULL,
    key text NOT NULL,
    kind text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    warnings jsonb,
    used_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.assets (
    tenant_id bigint NOT NULL,
    hash text NOT NULL,
    byte_count bigint NOT NULL,
    name text NOT NULL,
    facts jsonb,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    used_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT assets_byte_count_check CHECK ((byte_count >= 0)),
    CONSTRAINT assets_hash_check CHECK ((hash ~ '^[0-9a-f]{64}$'::text))
);

CREATE TABLE public.attempts (
    job_id bigint NOT NULL,
    number integer NOT NULL,
    state text NOT NULL,
    worker text,
    failure jsonb,
    cost jsonb,
    dispatched_at timestamp with time zone DEFAULT now() NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    log text DEFAULT ''::text NOT NULL,
    CONSTRAINT attempts_check CHECK (((finished_at IS NOT NULL) = (state <> ALL (ARRAY['dispatched'::text, 'running'::text])))),
    CONSTRAINT attempts_number_check CHECK ((number > 0)),
    CONSTRAINT attempts_state_check CHECK ((state = ANY (ARRAY['dispatched'::text, 'running'::text, 'succeeded'::text, 'failed'::text, 'lost'::text, 'returned'::text, 'cancelled'::text])))
);

CREATE TABLE public.attempts_history (
    job_id bigint NOT NULL,
    number integer NOT NULL,
    state text NOT NULL,
    worker text,
    failure jsonb,
    cost jsonb,
    dispatched_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone NOT NULL,
    log text NOT NULL
);

CREATE TABLE public.batch_rows (
    batch_id uuid NOT NULL,
    number integer NOT NULL,
    content jsonb NOT NULL,
    output text,
    tags jsonb,
    faults jsonb,
    is_waiting boolean NOT NULL,
    export_id uuid,
    CONSTRAINT batch_rows_check CHECK (((faults IS NULL) = (output IS NOT NULL))),
    CONSTRAINT batch_rows_check1 CHECK (((NOT is_waiting) OR ((faults IS NULL) AND (export_id IS NULL)))),
    CONSTRAINT batch_rows_number_check CHECK ((number > 0))
);

CREATE TABLE public.batches (
    id uuid NOT NULL,
    number bigint NOT NULL,
    tenant_id bigint NOT NULL,
    draft_id bigint NOT NULL,
    draft_revision integer NOT NULL,
    label text NOT NULL,
    parameters jsonb NOT NULL,
    columns text[] NOT NULL,
    settings jsonb NOT NULL,
    priority integer,
    exceeds_cap boolean NOT NULL,
    pool text NOT NULL,
    metadata jsonb,
    tags jsonb,
    warnings jsonb NOT NULL,
    pace double precision,
    release_at timestamp with time zone NOT NULL,
    idempotency_key text,
    body_hash text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    row_count integer NOT NULL,
    refused integer DEFAULT 0 NOT NULL,
    waiting integer NOT NULL,
    completed integer DEFAULT 0 NOT NULL,
    failed integer DEFAULT 0 NOT NULL,
    cancelled integer DEFAULT 0 NOT NULL,
    state text DEFAULT 'running'::text NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT batches_cancelled_check CHECK ((cancelled >= 0)),
    CONSTRAINT batches_check CHECK (((((waiting + completed) + failed) + cancelled) <= row_count)),
    CONSTRAINT batches_check1 CHECK (((ended_at IS NOT NULL) = (state <> 'running'::text))),
    CONSTRAINT batches_check2 CHECK (((idempotency_key IS NULL) = (body_hash IS NULL))),
    CONSTRAINT batches_completed_check CHECK ((completed >= 0)),
    CONSTRAINT batches_failed_check CHECK ((failed >= 0)),
    CONSTRAINT batches_metadata_check CHECK ((jsonb_typeof(metadata) = 'object'::text)),
    CONSTRAINT batches_pace_check CHECK ((pace > (0)::double precision)),
    CONSTRAINT batches_pool_check CHECK ((pool ~ '^[a-z0-9][a-z0-9-]{0,62}$'::text)),
    CONSTRAINT batches_priority_check CHECK (((priority >= '-100'::integer) AND (priority <= 100))),
    CONSTRAINT batches_refused_check CHECK ((refused >= 0)),
    CONSTRAINT batches_row_count_check CHECK ((row_count > 0)),
    CONSTRAINT batches_state_check CHECK ((state = ANY (ARRAY['running'::text, 'completed'::text, 'failed'::text, 'cancelled'::text]))),
    CONSTRAINT batches_tags_check CHECK ((jsonb_typeof(tags) = 'object'::text)),
    CONSTRAINT batches_waiting_check CHECK ((waiting >= 0))
);

ALTER TABLE public.batches ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.batches_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.cost_models (
    machine text NOT NULL,
    job_class text NOT NULL,
    fit jsonb NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT cost_models_machine_check CHECK (((length(machine) >= 1) AND (length(machine) <= 128)))
);

CREATE TABLE public.dead_letters (
    job_id bigint NOT NULL,
    export_id uuid NOT NULL,
    tenant_id bigint NOT NULL,
    kind text NOT NULL,
    ordinal integer NOT NULL,
    attempts integer NOT NULL,
    workers text[] DEFAULT '{}'::text[] NOT NULL,
    failure jsonb NOT NULL,
    died_at timestamp with time zone NOT NULL
);

CREATE TABLE public.draft_revisions (
    draft_id bigint NOT NULL,
    revision integer NOT NULL,
    content text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT draft_revisions_revision_check CHECK ((revision > 0))
);

CREATE TABLE public.drafts (
    id bigint NOT NULL,
    tenant_id bigint NOT NULL,
    name text,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE public.drafts ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.drafts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.events (
    id bigint NOT NULL,
    export_id uuid NOT NULL,
    job_id bigint,
    kind text NOT NULL,
    message text NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.events_history (
    id bigint NOT NULL,
    export_id uuid NOT NULL,
    job_id bigint,
    kind text NOT NULL,
    message text NOT NULL,
    at timestamp with time zone NOT NULL
);

ALTER TABLE public.events ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.events_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.export_sources (
    export_id uuid NOT NULL,
    location text NOT NULL,
    facts jsonb,
    fault jsonb,
    location_key text GENERATED ALWAYS AS (md5(location)) STORED NOT NULL,
    CONSTRAINT export_sources_check CHECK (((facts IS NULL) OR (fault IS NULL)))
);

ALTER TABLE public.exports ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.exports_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.farm (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    only_one boolean DEFAULT true NOT NULL,
    has_store boolean DEFAULT false NOT NULL,
    CONSTRAINT farm_only_one_check CHECK (only_one)
);

CREATE TABLE public.faults (
    rule text NOT NULL,
    subject text NOT NULL,
    detail text NOT NULL,
    found_at timestamp with time zone NOT NULL
);

CREATE TABLE public.idempotency_keys (
    tenant_id bigint NOT NULL,
    key text NOT NULL,
    body_hash text NOT NULL,
    export_id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.jobs (
    id bigint NOT NULL,
    export_id uuid NOT NULL,
    tenant_id bigint NOT NULL,
    kind text NOT NULL,
    role text NOT NULL,
    ordinal integer NOT NULL,
    artifact_key text NOT NULL,
    work jsonb NOT NULL,
    frame_count bigint NOT NULL,
    weight double precision NOT NULL,
    priority integer NOT NULL,
    pool text NOT NULL,
    state text NOT NULL,
    attempt integer DEFAULT 0 NOT NULL,
    failures jsonb DEFAULT '{}'::jsonb NOT NULL,
    excluded_workers text[] DEFAULT '{}'::text[] NOT NULL,
    worker text,
    not_before timestamp with time zone DEFAULT now() NOT NULL,
    reused boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    ready_at timestamp with time zone,
    dispatched_at timestamp with time zone,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    missed_artifacts integer DEFAULT 0 NOT NULL,
    memory bigint DEFAULT 0 NOT NULL,
    processors double precision DEFAULT 1 NOT NULL,
    original integer,
    copy_ended boolean DEFAULT false NOT NULL,
    source bigint DEFAULT 0 NOT NULL,
    CONSTRAINT jobs_attempt_check CHECK ((attempt >= 0)),
    CONSTRAINT jobs_check CHECK (((finished_at IS NOT NULL) = (state = ANY (ARRAY['done'::text, 'failed'::text, 'cancelled'::text])))),
    CONSTRAINT jobs_check1 CHECK (((attempt > 0) OR (state <> ALL (ARRAY['dispatched'::text, 'running'::text])))),
    CONSTRAINT jobs_frame_count_check CHECK ((frame_count >= 0)),
    CONSTRAINT jobs_kind_check CHECK ((kind = ANY (ARRAY['probe'::text, 'measure'::text, 'allocation'::text, 'video'::text, 'audio'::text, 'soundtrack'::text, 'stitch'::text, 'picture'::text]))),
    CONSTRAINT jobs_missed_artifacts_check CHECK ((missed_artifacts >= 0)),
    CONSTRAINT jobs_ordinal_check CHECK ((ordinal >= 0)),
    CONSTRAINT jobs_role_check CHECK ((role = ANY (ARRAY['video'::text, 'audio'::text, 'stitch'::text]))),
    CONSTRAINT jobs_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'ready'::text, 'dispatched'::text, 'running'::text, 'done'::text, 'failed'::text, 'cancelled'::text]))),
    CONSTRAINT jobs_weight_check CHECK ((weight >= (0)::double precision))
);

CREATE TABLE public.jobs_history (
    id bigint NOT NULL,
    export_id uuid NOT NULL,
    tenant_id bigint NOT NULL,
    kind text NOT NULL,
    role text NOT NULL,
    ordinal integer NOT NULL,
    artifact_key text NOT NULL,
    pool text NOT NULL,
    priority integer NOT NULL,
    frame_count bigint NOT NULL,
    state text NOT NULL,
    attempt integer NOT NULL,
    worker text,
    reused boolean NOT NULL,
    created_at timestamp with time zone NOT NULL,
    dispatched_at timestamp with time zone,
    started_at timestamp with time zone,
    finished_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone NOT NULL,
    weight double precision,
    memory bigint DEFAULT 0 NOT NULL,
    processors double precision DEFAULT 1 NOT NULL
);

ALTER TABLE public.jobs ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.jobs_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.keyed_answers (
    tenant_id bigint NOT NULL,
    key text NOT NULL,
    request_hash text NOT NULL,
    began_at timestamp with time zone NOT NULL,
    status integer,
    content_type text,
    location text,
    body text,
    is_secret boolean DEFAULT false NOT NULL
);

CREATE TABLE public.lead (
    only_one boolean DEFAULT true NOT NULL,
    epoch bigint NOT NULL,
    holder text,
    renewed_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT lead_only_one_check CHECK (only_one)
);

CREATE TABLE public.pauses (
    role text NOT NULL,
    paused_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT pauses_role_check CHECK ((role = ANY (ARRAY['video'::text, 'audio'::text, 'stitch'::text])))
);

CREATE TABLE public.publications (
    export_id uuid NOT NULL,
    destination text NOT NULL,
    state text DEFAULT 'pending'::text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    queued_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone NOT NULL,
    attempted_at timestamp with time zone,
    ended_at timestamp with time zone,
    message text,
    files jsonb DEFAULT '[]'::jsonb NOT NULL,
    CONSTRAINT publications_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT publications_check CHECK (((ended_at IS NULL) = (state = 'pending'::text))),
    CONSTRAINT publications_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'published'::text, 'failed'::text])))
);

CREATE TABLE public.queue_counts (
    role text NOT NULL,
    pool text NOT NULL,
    state text NOT NULL,
    backend integer NOT NULL,
    jobs bigint NOT NULL,
    seconds double precision DEFAULT 0 NOT NULL
);

CREATE TABLE public.recordings (
    id uuid NOT NULL,
    tenant_id bigint NOT NULL,
    version integer NOT NULL,
    state text NOT NULL,
    content jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT recordings_state_check CHECK ((state = ANY (ARRAY['open'::text, 'recording'::text, 'full'::text, 'finished'::text, 'discarded'::text]))),
    CONSTRAINT recordings_version_check CHECK ((version > 0))
);

CREATE TABLE public.remote_sources (
    tenant_id bigint NOT NULL,
    location_key text NOT NULL,
    content_hash text NOT NULL,
    byte_count bigint NOT NULL,
    etag text,
    last_modified text,
    fetched_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT remote_sources_byte_count_check CHECK ((byte_count >= 0))
);

CREATE TABLE public.schema_migrations (
    version integer NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.tenants (
    id bigint NOT NULL,
    name text NOT NULL,
    weight integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    priority_cap integer DEFAULT 99 NOT NULL,
    source_addresses text[] DEFAULT '{*}'::text[] NOT NULL,
    max_open_exports bigint,
    max_asset_bytes bigint,
    max_open_jobs bigint,
    CONSTRAINT tenants_max_asset_bytes_check CHECK ((max_asset_bytes > 0)),
    CONSTRAINT tenants_max_open_exports_check CHECK ((max_open_exports > 0)),
    CONSTRAINT tenants_max_open_jobs_check CHECK ((max_open_jobs > 0)),
    CONSTRAINT tenants_name_check CHECK ((name ~ '^[a-z0-9][a-z0-9-]{0,62}$'::text)),
    CONSTRAINT tenants_priority_cap_check CHECK (((priority_cap >= '-100'::integer) AND (priority_cap <= 100))),
    CONSTRAINT tenants_weight_check CHECK (((weight >= 1) AND (weight <= 1000)))
);

ALTER TABLE public.tenants ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.tenants_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.tokens (
    id bigint NOT NULL,
    tenant_id bigint NOT NULL,
    name text NOT NULL,
    hash text NOT NULL,
    scopes text[] NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    revoked_at timestamp with time zone,
    expires_at timestamp with time zone,
    last_used_at timestamp with time zone,
    CONSTRAINT tokens_hash_check CHECK ((hash ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT tokens_scopes_check CHECK (((cardinality(scopes) > 0) AND (scopes <@ ARRAY['submit'::text, 'read'::text, 'admin'::text, 'work'::text])))
);

ALTER TABLE public.tokens ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.tokens_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.webhook_deliveries (
    id bigint NOT NULL,
    webhook_id bigint NOT NULL,
    export_id uuid,
    event text NOT NULL,
    message_id text DEFAULT ('msg_'::text || replace((gen_random_uuid())::text, '-'::text, ''::text)) NOT NULL,
    content jsonb NOT NULL,
    progress integer,
    state text DEFAULT 'pending'::text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    queued_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone NOT NULL,
    attempted_at timestamp with time zone,
    ended_at timestamp with time zone,
    status integer,
    message text,
    CONSTRAINT webhook_deliveries_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT webhook_deliveries_check CHECK (((ended_at IS NULL) = (state = 'pending'::text))),
    CONSTRAINT webhook_deliveries_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
);

ALTER TABLE public.webhook_deliveries ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.webhook_deliveries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.webhooks (
    id bigint NOT NULL,
    tenant_id bigint NOT NULL,
    address text NOT NULL,
    secret text NOT NULL,
    events text[] NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    label text DEFAULT ''::text NOT NULL,
    progress_step integer DEFAULT 25 NOT NULL,
    former_secret text,
    former_secret_until timestamp with time zone,
    failing_since timestamp with time zone,
    disabled_at timestamp with time zone,
    disabled_reason text,
    CONSTRAINT webhooks_check CHECK (((former_secret IS NULL) = (former_secret_until IS NULL))),
    CONSTRAINT webhooks_check1 CHECK (((disabled_at IS NULL) = (disabled_reason IS NULL))),
    CONSTRAINT webhooks_events_check CHECK ((cardinality(events) > 0)),
    CONSTRAINT webhooks_progress_step_check CHECK (((progress_step >= 1) AND (progress_step <= 50)))
);

ALTER TABLE public.webhooks ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.webhooks_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.workers (
    id text NOT NULL,
    host text NOT NULL,
    roles text[] NOT NULL,
    pools text[] NOT NULL,
    slots integer NOT NULL,
    version text NOT NULL,
    started_at timestamp with time zone NOT NULL,
    last_seen_at timestamp with time zone NOT NULL,
    CONSTRAINT workers_slots_check CHECK ((slots > 0))
);

ALTER TABLE ONLY public.admin_actions
    ADD CONSTRAINT admin_actions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.artifacts
    ADD CONSTRAINT artifacts_pkey PRIMARY KEY (tenant_id, key);

ALTER TABLE ONLY public.assets
    ADD CONSTRAINT assets_pkey PRIMARY KEY (tenant_id, hash);

ALTER TABLE ONLY public.attempts_history
    ADD CONSTRAINT attempts_history_pkey PRIMARY KEY (job_id, number);

ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (job_id, number);

ALTER TABLE ONLY public.batch_rows
    ADD CONSTRAINT batch_rows_pkey PRIMARY KEY (batch_id, number);

ALTER TABLE ONLY public.batches
    ADD CONSTRAINT batches_number_key UNIQUE (number);

ALTER TABLE ONLY public.batches
    ADD CONSTRAINT batches_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.cost_models
    ADD CONSTRAINT cost_models_pkey PRIMARY KEY (machine, job_class);

ALTER TABLE ONLY public.dead_letters
    ADD CONSTRAINT dead_letters_pkey PRIMARY KEY (job_id);

ALTER TABLE ONLY public.draft_revisions
    ADD CONSTRAINT draft_revisions_pkey PRIMARY KEY (draft_id, revision);

ALTER TABLE ONLY public.drafts
    ADD CONSTRAINT drafts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.drafts
    ADD CONSTRAINT drafts_tenant_id_name_key UNIQUE (tenant_id, name);

ALTER TABLE ONLY public.events_history
    ADD CONSTRAINT events_history_pkey PRIMARY KEY (export_id, id);

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.export_sources
    ADD CONSTRAINT export_sources_pkey PRIMARY KEY (export_id, location_key);

ALTER TABLE ONLY public.exports
    ADD CONSTRAINT exports_number_key UNIQUE (number);

ALTER TABLE ONLY public.exports
    ADD CONSTRAINT exports_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.farm
    ADD CONSTRAINT farm_pkey PRIMARY KEY (only_one);

ALTER TABLE ONLY public.faults
    ADD CONSTRAINT faults_pkey PRIMARY KEY (rule, subject);

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (tenant_id, key);

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_export_id_kind_ordinal_key UNIQUE (export_id, kind, ordinal);

ALTER TABLE ONLY public.jobs_history
    ADD CONSTRAINT jobs_history_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.keyed_answers
    ADD CONSTRAINT keyed_answers_pkey PRIMARY KEY (tenant_id, key);

ALTER TABLE ONLY public.lead
    ADD CONSTRAINT lead_epoch_key UNIQUE (epoch);

ALTER TABLE ONLY public.lead
    ADD CONSTRAINT lead_pkey PRIMARY KEY (only_one);

ALTER TABLE ONLY public.pauses
    ADD CONSTRAINT pauses_pkey PRIMARY KEY (role);

ALTER TABLE ONLY public.publications
    ADD CONSTRAINT publications_pkey PRIMARY KEY (export_id);

ALTER TABLE ONLY public.queue_counts
    ADD CONSTRAINT queue_counts_pkey PRIMARY KEY (backend, role, pool, state);

ALTER TABLE ONLY public.recordings
    ADD CONSTRAINT recordings_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.remote_sources
    ADD CONSTRAINT remote_sources_pkey PRIMARY KEY (tenant_id, location_key);

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (version);

ALTER TABLE ONLY public.tenants
    ADD CONSTRAINT tenants_name_key UNIQUE (name);

ALTER TABLE ONLY public.tenants
    ADD CONSTRAINT tenants_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_hash_key UNIQUE (hash);

ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.workers
    ADD CONSTRAINT workers_pkey PRIMARY KEY (id);

CREATE INDEX artifacts_by_use ON public.artifacts USING btree (used_at);

CREATE INDEX assets_by_use ON public.assets USING btree (used_at);

CREATE INDEX attempts_gone_wrong ON public.attempts USING btree (finished_at) WHERE (state = ANY (ARRAY['failed'::text, 'lost'::text]));

CREATE INDEX attempts_history_logged ON public.attempts_history USING btree (finished_at) WHERE (log <> ''::text);

CREATE UNIQUE INDEX attempts_one_winner ON public.attempts USING btree (job_id) WHERE (state = 'succeeded'::text);

CREATE INDEX batch_rows_waiting ON public.batch_rows USING btree (batch_id, number) WHERE is_waiting;

CREATE INDEX batches_ended ON public.batches USING btree (ended_at) WHERE (ended_at IS NOT NULL);

CREATE UNIQUE INDEX batches_keys ON public.batches USING btree (tenant_id, idempotency_key) WHERE (idempotency_key IS NOT NULL);

CREATE INDEX batches_of_draft ON public.batches USING btree (draft_id, draft_revision);

CREATE INDEX batches_of_tenant ON public.batches USING btree (tenant_id, number DESC);

CREATE INDEX batches_to_release ON public.batches USING btree (release_at, number) WHERE (waiting > 0);

CREATE INDEX dead_letters_of_export ON public.dead_letters USING btree (export_id);

CREATE INDEX dead_letters_of_tenant ON public.dead_letters USING btree (tenant_id, job_id);

CREATE INDEX events_history_at ON public.events_history USING btree (at);

CREATE INDEX events_of_export ON public.events USING btree (export_id, id);

CREATE INDEX events_of_job ON public.events USING btree (job_id, id) WHERE (job_id IS NOT NULL);

CREATE INDEX exports_finished ON public.exports USING btree (finished_at, number) WHERE (finished_at IS NOT NULL);

CREATE UNIQUE INDEX exports_of_batch ON public.exports USING btree (batch_id, batch_row) WHERE (batch_id IS NOT NULL);

CREATE INDEX exports_of_draft ON public.exports USING btree (draft_id, draft_revision);

CREATE INDEX exports_of_film ON public.exports USING btree (tenant_id, film_key) WHERE (film_key IS NOT NULL);

CREATE INDEX exports_of_picture ON public.exports USING gin (picture_keys) WHERE (picture_keys IS NOT NULL);

CREATE INDEX exports_of_tenant ON public.exports USING btree (tenant_id, number DESC);

CREATE INDEX exports_open_of_tenant ON public.exports USING btree (tenant_id) WHERE (state = ANY (ARRAY['submitted'::text, 'probing'::text, 'rendering'::text]));

CREATE INDEX exports_rendering ON public.exports USING btree (number) WHERE (state = 'rendering'::text);

CREATE INDEX exports_to_compile ON public.exports USING btree (tenant_id, priority DESC, number) WHERE (state = ANY (ARRAY['submitted'::text, 'probing'::text]));

CREATE INDEX exports_to_move ON public.exports USING btree (finished_at, number) WHERE ((finished_at IS NOT NULL) AND (moved_at IS NULL));

CREATE INDEX exports_with_metadata ON public.exports USING gin (metadata jsonb_path_ops) WHERE (metadata IS NOT NULL);

CREATE INDEX exports_with_tags ON public.exports USING gin (tags jsonb_path_ops) WHERE (tags IS NOT NULL);

CREATE INDEX idempotency_keys_of_export ON public.idempotency_keys USING btree (export_id);

CREATE INDEX jobs_finished ON public.jobs USING btree (finished_at) INCLUDE (role, state) WHERE (finished_at IS NOT NULL);

CREATE INDEX jobs_history_ended ON public.jobs_history USING btree (ended_at, id);

CREATE INDEX jobs_history_of_export ON public.jobs_history USING btree (export_id, id);

CREATE INDEX jobs_of_export ON public.jobs USING btree (export_id, kind, state);

CREATE UNIQUE INDEX jobs_one_render ON public.jobs USING btree (tenant_id, artifact_key) WHERE (state = ANY (ARRAY['dispatched'::text, 'running'::text]));

CREATE INDEX jobs_ready ON public.jobs USING btree (role, ready_at) WHERE (state = 'ready'::text);

CREATE INDEX jobs_started ON public.jobs USING btree (started_at) INCLUDE (role, ready_at) WHERE (started_at IS NOT NULL);

CREATE INDEX jobs_wanting ON public.jobs USING btree (tenant_id, artifact_key) WHERE (state = ANY (ARRAY['waiting'::text, 'ready'::text, 'dispatched'::text, 'running'::text]));

CREATE INDEX keyed_answers_by_age ON public.keyed_answers USING btree (began_at);

CREATE INDEX publications_due ON public.publications USING btree (due_at) WHERE (state = 'pending'::text);

CREATE INDEX recordings_of_tenant ON public.recordings USING btree (tenant_id, created_at DESC, id);

CREATE INDEX remote_sources_content ON public.remote_sources USING btree (tenant_id, content_hash);

CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (webhook_id, due_at, id) WHERE (state = 'pending'::text);

CREATE INDEX webhook_deliveries_ended ON public.webhook_deliveries USING btree (ended_at) WHERE (ended_at IS NOT NULL);

CREATE INDEX webhook_deliveries_of_webhook ON public.webhook_deliveries USING btree (webhook_id, id);

CREATE INDEX webhook_deliveries_open ON public.webhook_deliveries USING btree (webhook_id, export_id, id) WHERE (state = 'pending'::text);

CREATE INDEX webhook_deliveries_progress ON public.webhook_deliveries USING btree (webhook_id, export_id, progress) WHERE (progress IS NOT NULL);

CREATE INDEX webhooks_of_tenant ON public.webhooks USING btree (tenant_id);

CREATE TRIGGER batches_ended BEFORE UPDATE ON public.batches FOR EACH ROW EXECUTE FUNCTION public.settle_batch();

CREATE TRIGGER batches_told AFTER UPDATE ON public.batches FOR EACH ROW WHEN (((old.ended_at IS NULL) AND (new.ended_at IS NOT NULL))) EXECUTE FUNCTION public.queue_webhooks_of_batch();

CREATE TRIGGER draft_revisions_immutable BEFORE UPDATE ON public.draft_revisions FOR EACH ROW EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER exports_ended AFTER UPDATE OF state ON public.exports FOR EACH ROW WHEN (((old.state IS DISTINCT FROM new.state) AND (new.finished_at IS NOT NULL))) EXECUTE FUNCTION public.queue_webhooks_of_end();

CREATE TRIGGER exports_of_batch_ended AFTER UPDATE OF state ON public.exports FOR EACH ROW WHEN (((new.batch_id IS NOT NULL) AND ((old.finished_at IS NULL) <> (new.finished_at IS NULL)))) EXECUTE FUNCTION public.count_batch_export();

CREATE TRIGGER exports_with_destination AFTER UPDATE OF state ON public.exports FOR EACH ROW WHEN (((new.state = 'completed'::text) AND (old.state <> 'completed'::text) AND (new.settings ? 'destination'::text))) EXECUTE FUNCTION public.queue_publication();

CREATE TRIGGER jobs_added AFTER INSERT ON public.jobs REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.count_queued_jobs();

CREATE TRIGGER jobs_changed AFTER UPDATE ON public.jobs REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.count_queued_jobs();

CREATE TRIGGER jobs_removed AFTER DELETE ON public.jobs REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION public.count_queued_jobs();

ALTER TABLE ONLY public.admin_actions
    ADD CONSTRAINT admin_actions_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);

ALTER TABLE ONLY public.artifacts
    ADD CONSTRAINT artifacts_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);

ALTER TABLE ONLY public.assets
    ADD CONSTRAINT assets_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);

ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT attempts_job_id_fkey FOREIGN KEY (job_id) REFERENCES public.jobs(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.batch_rows
    ADD CONSTRAINT batch_rows_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES public.batches(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.batches
    ADD CONSTRAINT batches_draft_id_draft_revision_fkey FOREIGN KEY (draft_id, draft_revision) REFERENCES public.draft_revisions(draft_id, revision);

ALTER TABLE ONLY public.batches
    ADD CONSTRAINT batches_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);

ALTER TABLE ONLY public.dead_letters
    ADD CONSTRAINT dead_letters_export_id_fkey FOREIGN KEY (export_id) REFERENCES public.exports(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.dead_letters
    ADD CONSTRAINT dead_letters_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);

ALTER TABLE ONLY public.draft_revisions
    ADD CONSTRAINT draft_revisions_draft_id_fkey FOREIGN KEY (draft_id) REFERENCES public.drafts(id);

ALTER TABLE ONLY public.drafts
    ADD CONSTRAINT drafts_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_export_id_fkey FOREIGN KEY (export_id) REFERENCES public.exports(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_job_id_fkey FOREIGN KEY (job_id) REFERENCES public.jobs(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.export_sources
    ADD CONSTRAINT export_sources_export_id_fkey FOREIGN KEY (export_id) REFERENCES public.exports(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.exports
    ADD CONSTRAINT exports_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES public.batches(id);

ALTER TABLE ONLY public.exports
    ADD CONSTRAINT exports_draft_id_draft_revision_fkey FOREIGN KEY (draft_id, draft_revision) REFERENCES public.draft_revisions(draft_id, revision);

ALTER TABLE ONLY public.exports
    ADD CONSTRAINT exports_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_export_id_fkey FOREIGN KEY (export_id) REFERENCES public.exports(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_export_id_fkey FOREIGN KEY (export_id) REFERENCES public.exports(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);

ALTER TABLE ONLY public.keyed_answers
    ADD CONSTRAINT keyed_answers_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.publications
    ADD CONSTRAINT publications_export_id_fkey FOREIGN KEY (export_id) REFERENCES public.exports(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.recordings
    ADD CONSTRAINT recordings_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);

ALTER TABLE ONLY public.remote_sources
    ADD CONSTRAINT remote_sources_tenant_id_content_hash_fkey FOREIGN KEY (tenant_id, content_hash) REFERENCES public.assets(tenant_id, hash) ON DELETE CASCADE;

ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);

ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);

