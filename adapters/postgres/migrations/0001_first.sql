-- The tables are those of SQLite's schema after its step 17, with the same columns in the same order: a row that is
-- copied from one to the other has the same seal. Texts are compared byte by byte, as SQLite does.
-- `row_hash` here is for what there is one of (meta, heartbeat, cursor, ratio); all other seals are made by the program.

CREATE FUNCTION hex(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN upper(encode(convert_to(value, 'UTF8'), 'hex'));
CREATE FUNCTION instr(value text, part text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN strpos(value, part);
CREATE FUNCTION instr(value bytea, part text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN position(convert_to(part, 'UTF8') IN value);
CREATE FUNCTION substr(value text, first bigint, many bigint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN pg_catalog.substr(value, first::integer, many::integer);
CREATE FUNCTION randomblob(bytes bigint) RETURNS bytea LANGUAGE sql VOLATILE
  RETURN pg_catalog.substr(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()), 1, bytes::integer);
CREATE FUNCTION strftime(form text, seconds bigint, what text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  RETURN to_char(to_timestamp(seconds) AT TIME ZONE 'UTC', 'YYYY-MM-DD');
CREATE FUNCTION json_type(value text, path text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN json_typeof(value::json #> string_to_array(substring(path FROM 3), '.'));
CREATE FUNCTION json_numbers(items text) RETURNS TABLE (key bigint, value bigint) LANGUAGE sql IMMUTABLE PARALLEL SAFE
  BEGIN ATOMIC
    SELECT place, item::bigint FROM json_array_elements_text(items::json) WITH ORDINALITY AS one (item, place);
  END;
CREATE FUNCTION json_texts(items text) RETURNS TABLE (key bigint, value text) LANGUAGE sql IMMUTABLE PARALLEL SAFE
  BEGIN ATOMIC
    SELECT place, item FROM json_array_elements_text(items::json) WITH ORDINALITY AS one (item, place);
  END;
CREATE FUNCTION json_texts_at(body text, path text) RETURNS TABLE (key bigint, value text)
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  BEGIN ATOMIC
    SELECT place, item FROM json_array_elements_text(body::json #> string_to_array(substring(path FROM 3), '.'))
      WITH ORDINALITY AS one (item, place);
  END;
CREATE FUNCTION json_items(items text) RETURNS TABLE (key bigint, value text) LANGUAGE sql IMMUTABLE PARALLEL SAFE
  BEGIN ATOMIC
    SELECT place, item::text FROM json_array_elements(items::json) WITH ORDINALITY AS one (item, place);
  END;

CREATE FUNCTION row_hash(VARIADIC parts text[]) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN substring(sha256(convert_to(array_to_string(parts, ','), 'UTF8')) FROM 1 FOR 8);
CREATE FUNCTION row_hash(first text, second text, number double precision) RETURNS bytea
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN row_hash(first, second, number::text);

-- words: what a memory is found by, made by the program; and what is said in conversations, read here
CREATE FUNCTION terms_vector(terms text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN array_to_tsvector(string_to_array(terms, ' '));
CREATE FUNCTION terms_query(question text) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN replace(replace(replace(question, '"', ''''), ' OR ', ' | '), ' AND ', ' & ')::tsquery;
CREATE FUNCTION plain_words(words text, also text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN regexp_replace(
    regexp_replace(normalize(lower(words COLLATE "pg_c_utf8"), NFKD), U&'[\0300-\036f]', '', 'g'),
    '[^[:alnum:]' || also || ']+', ' ', 'g');
CREATE FUNCTION line_vector(words text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN to_tsvector('pg_catalog.simple', plain_words(words, ''));
CREATE FUNCTION line_query(question text) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN websearch_to_tsquery('pg_catalog.simple', plain_words(question, '"'));

CREATE TABLE drawn (name text COLLATE "C" PRIMARY KEY, seq bigint NOT NULL);

CREATE TABLE meta (name text COLLATE "C" PRIMARY KEY, value text COLLATE "C" NOT NULL, h bytea);
CREATE TABLE heartbeat (agent text COLLATE "C" PRIMARY KEY, body text COLLATE "C" NOT NULL, h bytea);
CREATE TABLE cursor (
  agent text COLLATE "C" NOT NULL, adapter text COLLATE "C" NOT NULL, stream text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL, h bytea, PRIMARY KEY (agent, adapter, stream)
);
CREATE TABLE ratio (
  agent text COLLATE "C" NOT NULL, model text COLLATE "C" NOT NULL, value double precision NOT NULL, h bytea,
  PRIMARY KEY (agent, model)
);

-- Only the program's own sessions seal: whoever changes such a row otherwise leaves a seal that does not hold.
CREATE FUNCTION seal_meta() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('glassmind.seals', true) = 'on' THEN NEW.h := row_hash(hex(NEW.name), hex(NEW.value)); END IF;
  RETURN NEW;
END $$;
CREATE FUNCTION seal_heartbeat() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('glassmind.seals', true) = 'on' THEN NEW.h := row_hash(hex(NEW.agent), hex(NEW.body)); END IF;
  RETURN NEW;
END $$;
CREATE FUNCTION seal_cursor() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('glassmind.seals', true) = 'on' THEN
    NEW.h := row_hash(hex(NEW.agent), hex(NEW.adapter), hex(NEW.stream), hex(NEW.value));
  END IF;
  RETURN NEW;
END $$;
CREATE FUNCTION seal_ratio() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('glassmind.seals', true) = 'on' THEN
    NEW.h := row_hash(hex(NEW.agent), hex(NEW.model), NEW.value);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER meta_sealed BEFORE INSERT OR UPDATE ON meta FOR EACH ROW EXECUTE FUNCTION seal_meta();
CREATE TRIGGER heartbeat_sealed BEFORE INSERT OR UPDATE ON heartbeat FOR EACH ROW EXECUTE FUNCTION seal_heartbeat();
CREATE TRIGGER cursor_sealed BEFORE INSERT OR UPDATE ON cursor FOR EACH ROW EXECUTE FUNCTION seal_cursor();
CREATE TRIGGER ratio_sealed BEFORE INSERT OR UPDATE ON ratio FOR EACH ROW EXECUTE FUNCTION seal_ratio();

CREATE TABLE inbound (
  id bigint PRIMARY KEY, agent text COLLATE "C" NOT NULL, adapter text COLLATE "C" NOT NULL,
  channel text COLLATE "C" NOT NULL, message_id text COLLATE "C" NOT NULL, edit bigint NOT NULL,
  kind text COLLATE "C" NOT NULL, body text COLLATE "C" NOT NULL, text text COLLATE "C",
  text_sha256 text COLLATE "C" NOT NULL, arrived_at bigint NOT NULL, disposition text COLLATE "C" NOT NULL,
  outcome text COLLATE "C", outcome_reason text COLLATE "C" NOT NULL DEFAULT '',
  outcome_at bigint NOT NULL DEFAULT 0, redacted bigint NOT NULL DEFAULT 0, turn bigint NOT NULL DEFAULT 0, h bytea,
  UNIQUE (agent, channel, message_id, edit, kind, adapter)
);
CREATE INDEX inbound_of_channel ON inbound (agent, channel, id);
CREATE INDEX inbound_unsettled ON inbound (id) WHERE outcome IS NULL;
CREATE INDEX inbound_by_age ON inbound (arrived_at);
CREATE INDEX inbound_by_outcome ON inbound (outcome_at) WHERE outcome IS NOT NULL;
CREATE INDEX inbound_of_author
  ON inbound (
  (CASE WHEN (body IS JSON) THEN (body::json #>> '{author,user_id}') END), adapter);
CREATE INDEX inbound_refers ON inbound (adapter, channel) WHERE instr(body, '"refers":[') > 0;

CREATE TABLE stage (
  id bigint PRIMARY KEY, inbound bigint NOT NULL, at bigint NOT NULL, stage text COLLATE "C" NOT NULL,
  verdict text COLLATE "C" NOT NULL, reason text COLLATE "C" NOT NULL, detail text COLLATE "C" NOT NULL, h bytea
);
CREATE INDEX stage_of_inbound ON stage (inbound, id);

CREATE TABLE blob (
  id bigint PRIMARY KEY, hash bytea NOT NULL UNIQUE, body bytea NOT NULL
);

CREATE TABLE node (
  id bigint PRIMARY KEY, parent bigint NOT NULL, blob bigint NOT NULL, tokens bigint NOT NULL,
  UNIQUE (parent, blob, tokens)
);

CREATE TABLE head (
  id bigint PRIMARY KEY, hash bytea NOT NULL UNIQUE, plain text COLLATE "C" NOT NULL,
  system text COLLATE "C" NOT NULL, tools text COLLATE "C" NOT NULL
);

CREATE TABLE channel (
  id bigint PRIMARY KEY, agent text COLLATE "C" NOT NULL, channel text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL, place text COLLATE "C" NOT NULL, settings text COLLATE "C" NOT NULL,
  epoch bigint NOT NULL, last text COLLATE "C", last_at bigint NOT NULL, h bytea, UNIQUE (agent, channel)
);

CREATE TABLE history (
  id bigint PRIMARY KEY, agent text COLLATE "C" NOT NULL, channel text COLLATE "C" NOT NULL, epoch bigint NOT NULL,
  turn bigint NOT NULL, inbound bigint NOT NULL, at bigint NOT NULL, ambient bigint NOT NULL, blob bigint NOT NULL,
  h bytea
);
CREATE INDEX history_of_channel ON history (agent, channel, epoch, id);
CREATE INDEX history_of_inbound ON history (inbound) WHERE inbound > 0;
CREATE INDEX history_pending ON history (agent, channel, epoch) WHERE turn = 0;
CREATE INDEX history_by_age ON history (at);
CREATE INDEX history_of_turn ON history (turn) WHERE turn > 0;

CREATE TABLE turn (
  id bigint PRIMARY KEY, agent text COLLATE "C" NOT NULL, channel text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL, started_at bigint NOT NULL, status text COLLATE "C" NOT NULL,
  reason text COLLATE "C" NOT NULL DEFAULT '', ended_at bigint NOT NULL DEFAULT 0, rounds bigint NOT NULL DEFAULT 0,
  inbounds text COLLATE "C" NOT NULL, session bigint NOT NULL, h bytea
);
CREATE INDEX turn_of_channel ON turn (agent, channel, kind, id);
CREATE INDEX turn_running ON turn (id) WHERE status = 'running';
CREATE INDEX turn_by_age ON turn (started_at);

CREATE TABLE request (
  id bigint PRIMARY KEY, agent text COLLATE "C" NOT NULL, channel text COLLATE "C" NOT NULL, turn bigint NOT NULL,
  kind text COLLATE "C" NOT NULL, round bigint NOT NULL, at bigint NOT NULL, digest bytea NOT NULL,
  wire_sha256 text COLLATE "C" NOT NULL, wire_bytes bigint NOT NULL, encoder text COLLATE "C" NOT NULL,
  model text COLLATE "C" NOT NULL, head bigint, tail bigint, sections text COLLATE "C",
  stats text COLLATE "C" NOT NULL, extra text COLLATE "C" NOT NULL, fallback_of bigint NOT NULL, h bytea
);
CREATE INDEX request_of_channel ON request (agent, channel, kind, id);
CREATE INDEX request_of_turn ON request (turn, id);
CREATE INDEX request_by_age ON request (at);
CREATE INDEX request_by_head ON request (head);
CREATE INDEX request_by_tail ON request (tail);

CREATE TABLE request_memory (
  memory bigint NOT NULL, request bigint NOT NULL REFERENCES request (id) ON DELETE CASCADE,
  PRIMARY KEY (memory, request)
);
CREATE INDEX request_memory_by_request ON request_memory (request);

CREATE TABLE attempt (
  id bigint PRIMARY KEY, request bigint NOT NULL REFERENCES request (id) ON DELETE CASCADE, number bigint NOT NULL,
  at bigint NOT NULL, input bigint NOT NULL, output bigint NOT NULL, cached bigint NOT NULL,
  cost_usd double precision NOT NULL, body text COLLATE "C" NOT NULL, response text COLLATE "C", h bytea
);
CREATE INDEX attempt_of_request ON attempt (request, number, id);
CREATE INDEX attempt_by_age ON attempt (at);

CREATE TABLE tool_call (
  id bigint PRIMARY KEY, agent text COLLATE "C" NOT NULL, channel text COLLATE "C" NOT NULL, turn bigint NOT NULL,
  round bigint NOT NULL, position bigint NOT NULL, at bigint NOT NULL, body text COLLATE "C" NOT NULL,
  arguments text COLLATE "C", output text COLLATE "C", h bytea
);
CREATE INDEX tool_call_of_turn ON tool_call (turn, round, position, id);
CREATE INDEX tool_call_by_age ON tool_call (at);
CREATE INDEX tool_call_running ON tool_call (id) WHERE instr(body, '"state":"running"') > 0;

CREATE TABLE outbox (
  id bigint PRIMARY KEY, agent text COLLATE "C" NOT NULL, channel text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL, part bigint NOT NULL, inbound bigint NOT NULL, turn bigint NOT NULL,
  body text COLLATE "C" NOT NULL, text text COLLATE "C", state text COLLATE "C" NOT NULL, created_at bigint NOT NULL,
  attempts bigint NOT NULL DEFAULT 0, not_before bigint NOT NULL DEFAULT 0,
  message_id text COLLATE "C" NOT NULL DEFAULT '', receipt_at bigint NOT NULL DEFAULT 0,
  error text COLLATE "C" NOT NULL DEFAULT '', h bytea
);
CREATE INDEX outbox_pending ON outbox (id) WHERE state IN ('new', 'sending');
CREATE INDEX outbox_of_inbound ON outbox (inbound, id) WHERE inbound > 0;
CREATE INDEX outbox_of_turn ON outbox (turn, id) WHERE turn > 0;
CREATE INDEX outbox_by_message ON outbox (agent, channel, message_id) WHERE message_id <> '';
CREATE INDEX outbox_troubled ON outbox (agent, channel, state, id) WHERE state IN ('uncertain', 'dead');
CREATE INDEX outbox_by_age ON outbox (created_at);
CREATE INDEX outbox_files ON outbox (created_at) WHERE kind = 'file' AND state = 'sent' AND error = '';

CREATE TABLE memory (
  id bigint PRIMARY KEY, agent text COLLATE "C" NOT NULL, platform text COLLATE "C" NOT NULL,
  scope text COLLATE "C" NOT NULL, scope_id text COLLATE "C" NOT NULL, channel text COLLATE "C" NOT NULL,
  author text COLLATE "C" NOT NULL, created_at bigint NOT NULL, body text COLLATE "C" NOT NULL,
  content text COLLATE "C", last_accessed bigint NOT NULL DEFAULT 0, access_count bigint NOT NULL DEFAULT 0,
  forgotten_at bigint NOT NULL DEFAULT 0, version bigint NOT NULL DEFAULT 1, h bytea,
  importance double precision
    GENERATED ALWAYS AS (CASE WHEN body IS JSON THEN (body::json #>> '{importance}')::double precision END) STORED,
  kind text COLLATE "C" GENERATED ALWAYS AS (CASE WHEN body IS JSON THEN (body::json #>> '{type}') END) STORED,
  fresh_at bigint
    GENERATED ALWAYS AS (CASE WHEN body IS JSON THEN CASE WHEN (body::json #>> '{type}') = 'identity' THEN 4611686018427387904
      ELSE greatest(created_at, last_accessed) END END) STORED
);
CREATE INDEX memory_in_scope ON memory (agent, scope, scope_id, id);
CREATE INDEX memory_of_author ON memory (agent, author, created_at);
CREATE INDEX memory_of_channel ON memory (agent, channel, id);
CREATE INDEX memory_forgotten ON memory (forgotten_at) WHERE forgotten_at > 0 AND content IS NOT NULL;
CREATE INDEX memory_by_weight
  ON memory ( agent, scope, scope_id,
  (CASE WHEN (body IS JSON) THEN (body::json #>> '{importance}')::double precision END) DESC NULLS LAST,
  (CASE WHEN (body IS JSON) THEN CASE (body::json #>> '{type}') WHEN 'identity' THEN 0 WHEN 'goal' THEN 1 WHEN 'human' THEN 2
    WHEN 'decision' THEN 3 WHEN 'todo' THEN 4 WHEN 'preference' THEN 5
    WHEN 'fact' THEN 6 WHEN 'event' THEN 7 WHEN 'observation' THEN 8 END END), id )
  WHERE forgotten_at = 0;
CREATE INDEX memory_of_person ON memory (platform, author);
CREATE INDEX memory_of_turn
  ON memory ((CASE WHEN (body IS JSON) THEN (body::json #>> '{provenance,turn}')::bigint END));
CREATE INDEX memory_by_time
  ON memory (agent, scope, scope_id, created_at, id, kind, forgotten_at)
  WHERE forgotten_at = 0;
CREATE INDEX memory_by_importance
  ON memory (agent, scope, scope_id, importance, fresh_at, id, kind)
  WHERE forgotten_at = 0;
CREATE INDEX memory_by_freshness
  ON memory (agent, scope, scope_id, fresh_at, id, importance, kind)
  WHERE forgotten_at = 0;

CREATE TABLE session (
  id bigint PRIMARY KEY, agent text COLLATE "C" NOT NULL, platform text COLLATE "C" NOT NULL,
  actor text COLLATE "C" NOT NULL, dm_channel text COLLATE "C" NOT NULL, dm_thread text COLLATE "C" NOT NULL,
  last_at bigint NOT NULL, body text COLLATE "C" NOT NULL, h bytea
);
CREATE INDEX session_of_thread ON session (platform, actor, dm_channel, dm_thread, id);

CREATE TABLE proposal (
  id bigint PRIMARY KEY, agent text COLLATE "C" NOT NULL, secret_id text COLLATE "C" NOT NULL UNIQUE,
  session bigint NOT NULL, state text COLLATE "C" NOT NULL, used bigint NOT NULL DEFAULT 0,
  decided_at bigint NOT NULL DEFAULT 0, created_at bigint NOT NULL, body text COLLATE "C" NOT NULL, h bytea
);
CREATE INDEX proposal_by_age ON proposal (created_at);

CREATE TABLE audit (
  id bigint PRIMARY KEY, agent text COLLATE "C" NOT NULL, at bigint NOT NULL, platform text COLLATE "C" NOT NULL,
  actor text COLLATE "C" NOT NULL, body text COLLATE "C" NOT NULL, undoes bigint NOT NULL,
  prev_hash text COLLATE "C" NOT NULL, hash text COLLATE "C" NOT NULL
);
CREATE INDEX audit_of_person ON audit (platform, actor, id);
CREATE UNIQUE INDEX audit_undone ON audit (undoes) WHERE undoes > 0;

CREATE TABLE memory_edge (
  id bigint PRIMARY KEY, agent text COLLATE "C" NOT NULL, source bigint NOT NULL, target bigint NOT NULL,
  kind text COLLATE "C" NOT NULL, weight double precision NOT NULL, author text COLLATE "C" NOT NULL,
  turn bigint NOT NULL, at bigint NOT NULL, h bytea, UNIQUE (source, target, kind)
);
CREATE INDEX memory_edge_to ON memory_edge (target);

CREATE TABLE memory_vector (
  memory bigint PRIMARY KEY REFERENCES memory (id) ON DELETE CASCADE, model text COLLATE "C" NOT NULL,
  signs bytea NOT NULL, length double precision NOT NULL, parts bytea NOT NULL
);
CREATE INDEX memory_vector_by_model ON memory_vector (model);
-- it goes with the words that it was made of, whoever takes them away
CREATE FUNCTION forget_vector() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN DELETE FROM memory_vector WHERE memory = old.id; RETURN NULL; END $$;
CREATE TRIGGER memory_vector_goes AFTER UPDATE OF content, forgotten_at ON memory FOR EACH ROW
  WHEN (new.content IS DISTINCT FROM old.content OR new.forgotten_at <> old.forgotten_at)
  EXECUTE FUNCTION forget_vector();

CREATE TABLE move (
  id bigint PRIMARY KEY, agent text COLLATE "C" NOT NULL, old text COLLATE "C" NOT NULL,
  new text COLLATE "C" NOT NULL, at bigint NOT NULL, h bytea, UNIQUE (agent, old)
);

CREATE TABLE invitation (
  id bigint PRIMARY KEY, agent text COLLATE "C" NOT NULL, secret_id text COLLATE "C" NOT NULL UNIQUE,
  platform text COLLATE "C" NOT NULL, actor text COLLATE "C" NOT NULL, inbound bigint NOT NULL,
  created_at bigint NOT NULL, expires_at bigint NOT NULL, used_at bigint NOT NULL, h bytea
);
CREATE INDEX invitation_by_age ON invitation (created_at);

CREATE TABLE compaction (
  id bigint PRIMARY KEY, agent text COLLATE "C" NOT NULL, channel text COLLATE "C" NOT NULL, epoch bigint NOT NULL,
  at bigint NOT NULL, state text COLLATE "C" NOT NULL, reason text COLLATE "C" NOT NULL, decided_at bigint NOT NULL,
  body text COLLATE "C" NOT NULL, missing text COLLATE "C", h bytea
);
CREATE INDEX compaction_of_channel ON compaction (agent, channel, epoch, id);
CREATE INDEX compaction_by_age ON compaction (at);

CREATE TABLE compacted (
  id bigint PRIMARY KEY, compaction bigint NOT NULL REFERENCES compaction (id) ON DELETE CASCADE,
  line bigint NOT NULL, came bigint NOT NULL, place bigint NOT NULL, h bytea
);
CREATE INDEX compacted_of_compaction ON compacted (compaction, came, place);
CREATE INDEX compacted_of_line ON compacted (line, came, compaction, place);
CREATE INDEX compacted_came ON compacted (line) WHERE came <> 0;

CREATE TABLE checkpoint (
  id bigint PRIMARY KEY, agent text COLLATE "C" NOT NULL, session_id text COLLATE "C" NOT NULL, turn bigint NOT NULL,
  at bigint NOT NULL, state text COLLATE "C" NOT NULL, version bigint NOT NULL, body text COLLATE "C" NOT NULL,
  h bytea, UNIQUE (agent, session_id)
);
CREATE INDEX checkpoint_of_turn ON checkpoint (turn);
CREATE INDEX checkpoint_by_age ON checkpoint (at);

CREATE TABLE request_mark (
  request bigint PRIMARY KEY REFERENCES request (id) ON DELETE CASCADE, kind text COLLATE "C" NOT NULL,
  at bigint NOT NULL
);

CREATE TABLE process (
  id bigint PRIMARY KEY, agent text COLLATE "C" NOT NULL, channel text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL, state text COLLATE "C" NOT NULL, platform text COLLATE "C" NOT NULL,
  actor text COLLATE "C" NOT NULL, inbound bigint NOT NULL, started_at bigint NOT NULL,
  ended_at bigint NOT NULL DEFAULT 0, turns text COLLATE "C" NOT NULL, segment bigint NOT NULL,
  calls bigint NOT NULL, progress text COLLATE "C" NOT NULL, body text COLLATE "C" NOT NULL, task text COLLATE "C",
  result text COLLATE "C", reason text COLLATE "C" NOT NULL, returned bigint NOT NULL, relayed_at bigint NOT NULL,
  version bigint NOT NULL, h bytea
);
CREATE INDEX process_open ON process (id) WHERE relayed_at = 0;
CREATE INDEX process_of_channel ON process (agent, channel, id);
CREATE INDEX process_of_inbound ON process (inbound);
CREATE INDEX process_by_age ON process (started_at);
CREATE INDEX process_of_actor ON process (platform, actor);
CREATE INDEX process_of_turn
  ON process ((CASE WHEN (body IS JSON) THEN (body::json #>> '{parent_turn}')::bigint END));

CREATE TABLE erasure (
  id bigint PRIMARY KEY, agent text COLLATE "C" NOT NULL, platform text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL, at bigint NOT NULL, done_at bigint NOT NULL, channels text COLLATE "C" NOT NULL,
  h bytea
);

CREATE TABLE revision (
  id bigint PRIMARY KEY, agent text COLLATE "C" NOT NULL, kind text COLLATE "C" NOT NULL, subject bigint NOT NULL,
  number bigint NOT NULL, at bigint NOT NULL, cause text COLLATE "C" NOT NULL, process text COLLATE "C" NOT NULL,
  inbound bigint NOT NULL, turn bigint NOT NULL, content_mac text COLLATE "C" NOT NULL,
  prev_hash text COLLATE "C" NOT NULL, hash text COLLATE "C" NOT NULL, platform text COLLATE "C" NOT NULL,
  actor text COLLATE "C" NOT NULL, state text COLLATE "C", words text COLLATE "C", salt bytea,
  erased_mac text COLLATE "C"
);
CREATE INDEX revision_of_subject ON revision (kind, subject, number);
CREATE INDEX revision_of_person ON revision (platform, actor, at) WHERE actor <> '';
CREATE INDEX revision_by_age ON revision (at);

CREATE TABLE call_memory (
  memory bigint NOT NULL, call bigint NOT NULL REFERENCES tool_call (id) ON DELETE CASCADE,
  PRIMARY KEY (memory, call)
);
CREATE INDEX call_memory_by_call ON call_memory (call);
CREATE TABLE memory_fts (rowid bigint PRIMARY KEY, text tsvector NOT NULL);
CREATE INDEX memory_fts_text ON memory_fts USING gin (text) WITH (fastupdate = off);
CREATE TABLE history_fts (rowid bigint PRIMARY KEY, text tsvector NOT NULL);
CREATE INDEX history_fts_text ON history_fts USING gin (text) WITH (fastupdate = off);
