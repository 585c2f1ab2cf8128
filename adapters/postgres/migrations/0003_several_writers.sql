-- Several processes write, one transaction at a time: each begins by passing the turnstile, the one row below, which it
-- holds until its end. So what is read and numbered in it stays as it was read, as with one writer.

-- `ended`: another process took something that this one had, or it has let everything go. It never comes back.
-- `since`: since when it was heard from without a break; who only just came back from an outage ends nobody.
ALTER TABLE lease_owner
  ADD COLUMN ended boolean NOT NULL DEFAULT false,
  ADD COLUMN lasts double precision NOT NULL DEFAULT 5,
  ADD COLUMN since timestamptz NOT NULL DEFAULT clock_timestamp();
CREATE INDEX lease_of_owner ON lease (owner) WHERE owner <> '';

-- `mark` is that of the newest commit of any process, and the one before it makes room for it.
-- `swept` and `settings` are other numbers after content was deleted, and after what processes keep in memory changed.
CREATE TABLE turnstile (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  owner text COLLATE "C" NOT NULL DEFAULT '', mark text COLLATE "C" NOT NULL DEFAULT '',
  owner_before text COLLATE "C" NOT NULL DEFAULT '', mark_before text COLLATE "C" NOT NULL DEFAULT '',
  swept bigint NOT NULL DEFAULT 0, settings bigint NOT NULL DEFAULT 0
);
INSERT INTO turnstile DEFAULT VALUES;

-- The newest mark of each process that was not the last to commit.
CREATE TABLE commit_mark (owner text COLLATE "C" PRIMARY KEY, mark text COLLATE "C" NOT NULL);

-- Wait until no other transaction is under way, and leave a mark that is there with the commit alone. With a lease, the
-- rest is not done where that is gone. `known` is the newest mark that the process knows of: where it is another one's
-- turn that came before, it is told what has to be read anew, and the newest numbers.
CREATE FUNCTION pass_turnstile(by text, new_mark text, known text, wanted text, since bigint)
  RETURNS text LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    last_owner text;
    last_mark text;
  BEGIN
    LOOP
      UPDATE turnstile SET owner_before = owner, mark_before = mark, owner = by, mark = new_mark
        RETURNING owner_before, mark_before INTO last_owner, last_mark;
      EXIT WHEN FOUND;
      INSERT INTO turnstile DEFAULT VALUES ON CONFLICT DO NOTHING;
    END LOOP;
    IF wanted <> '' THEN
      PERFORM 1 FROM lease JOIN lease_owner ON lease_owner.id = lease.owner
        WHERE lease.name = wanted AND lease.epoch = pass_turnstile.since AND lease.owner = by AND NOT lease_owner.ended;
      IF NOT FOUND THEN
        RAISE EXCEPTION 'the lease % is not %''s any more', wanted, by USING ERRCODE = 'LL001';
      END IF;
    END IF;
    IF last_mark = known THEN RETURN NULL; END IF;
    IF last_owner NOT IN ('', by) THEN
      INSERT INTO commit_mark (owner, mark) VALUES (last_owner, last_mark)
        ON CONFLICT (owner) DO UPDATE SET mark = excluded.mark;
    END IF;
    RETURN (SELECT json_build_object('swept', swept, 'settings', settings,
      'numbers', (SELECT coalesce(json_object_agg(name, seq), '{}') FROM drawn))::text FROM turnstile);
  END $$;

-- Take what no living process has, at most so many and the first ones first. Who has it and was not heard from, or has
-- what excludes it, is ended. The lease `bot` and all others exclude each other.
CREATE FUNCTION take_leases(wanted text, most bigint, by text) RETURNS TABLE (name text, epoch bigint)
  LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE is_whole boolean := (wanted::json ->> 0) = 'bot';
  BEGIN
    -- most of the time there is nothing to be had, and nobody is held up by finding that out
    IF NOT EXISTS (SELECT 1 FROM json_texts(wanted) AS one WHERE NOT is_had(one.value)) OR is_excluded(is_whole, by)
    THEN RETURN; END IF;
    BEGIN
      PERFORM set_config('lock_timeout', '300ms', true);
      INSERT INTO turnstile DEFAULT VALUES ON CONFLICT DO NOTHING;
      PERFORM 1 FROM turnstile FOR UPDATE;
    EXCEPTION WHEN lock_not_available THEN RETURN;
    END;
    IF NOT EXISTS (SELECT 1 FROM lease_owner WHERE id = by AND until > clock_timestamp() AND NOT ended)
      OR is_excluded(is_whole, by) THEN RETURN; END IF;
    UPDATE lease_owner SET ended = true
      WHERE NOT ended AND until <= clock_timestamp()
        AND (is_whole OR clock_timestamp() >= (
          SELECT taker.since + make_interval(secs => lease_owner.lasts) FROM lease_owner AS taker WHERE taker.id = by))
        AND (id IN (SELECT owner FROM lease WHERE (lease.name = 'bot') <> is_whole
            OR lease.name IN (SELECT value FROM json_texts(wanted)))
          OR id IN (SELECT owner FROM outbox WHERE state IN ('new', 'sending')
            AND 'channel:' || channel IN (SELECT value FROM json_texts(wanted))));
    UPDATE lease SET owner = '' WHERE owner IN (SELECT id FROM lease_owner WHERE ended);
    RETURN QUERY INSERT INTO lease AS had (name, epoch, owner)
      SELECT one.value, 1, by FROM json_texts(wanted) AS one WHERE NOT EXISTS (
        SELECT 1 FROM lease AS old JOIN lease_owner ON lease_owner.id = old.owner WHERE old.name = one.value)
      ORDER BY one.key LIMIT most
      ON CONFLICT (name) DO UPDATE SET epoch = had.epoch + 1, owner = by
      RETURNING had.name, had.epoch;
  END $$;
CREATE FUNCTION is_had(wanted text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM lease JOIN lease_owner ON lease_owner.id = lease.owner
    WHERE lease.name = wanted AND until > clock_timestamp() AND NOT ended) $$;
CREATE FUNCTION is_excluded(is_whole boolean, by text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM lease JOIN lease_owner ON lease_owner.id = lease.owner
    WHERE (lease.name = 'bot') <> is_whole AND owner <> by AND until > clock_timestamp() AND NOT ended) $$;

-- Who is to be alone ends all who were not heard from, once none of their transactions is under way any more.
CREATE FUNCTION end_silent() RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM 1 FROM turnstile FOR UPDATE;
    UPDATE lease_owner SET ended = true WHERE until <= clock_timestamp() AND NOT ended;
    UPDATE lease SET owner = ''
      WHERE owner <> '' AND owner NOT IN (SELECT id FROM lease_owner WHERE NOT ended);
  END $$;

-- Who wrote a chunk sends it.
ALTER TABLE outbox ADD COLUMN owner text COLLATE "C" NOT NULL
  DEFAULT coalesce(current_setting('glassmind.owner', true), '');

-- Who began a turn ends it, whichever channel it is about; and who went on with a process last.
ALTER TABLE turn ADD COLUMN owner text COLLATE "C" NOT NULL
  DEFAULT coalesce(current_setting('glassmind.owner', true), '');
ALTER TABLE process ADD COLUMN owner text COLLATE "C" NOT NULL
  DEFAULT coalesce(current_setting('glassmind.owner', true), '');
CREATE FUNCTION own_row() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN NEW.owner = coalesce(current_setting('glassmind.owner', true), ''); RETURN NEW; END $$;
CREATE TRIGGER process_owned BEFORE UPDATE ON process FOR EACH ROW EXECUTE FUNCTION own_row();

-- What other processes keep in memory has to be read anew by them.
CREATE FUNCTION note_swept() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
  BEGIN UPDATE turnstile SET swept = swept + 1; RETURN NULL; END $$;
CREATE FUNCTION note_settings() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
  BEGIN UPDATE turnstile SET settings = settings + 1; RETURN NULL; END $$;
CREATE TRIGGER blob_swept AFTER UPDATE OR DELETE ON blob FOR EACH STATEMENT EXECUTE FUNCTION note_swept();
CREATE TRIGGER node_swept AFTER UPDATE OR DELETE ON node FOR EACH STATEMENT EXECUTE FUNCTION note_swept();
CREATE TRIGGER head_swept AFTER UPDATE OR DELETE ON head FOR EACH STATEMENT EXECUTE FUNCTION note_swept();
CREATE TRIGGER move_shared AFTER INSERT OR UPDATE OR DELETE ON move FOR EACH STATEMENT
  EXECUTE FUNCTION note_settings();
CREATE TRIGGER channel_shared AFTER UPDATE OF settings ON channel FOR EACH ROW
  WHEN (old.settings IS DISTINCT FROM new.settings) EXECUTE FUNCTION note_settings();
CREATE TRIGGER meta_shared AFTER INSERT OR UPDATE ON meta FOR EACH ROW
  WHEN (new.name = 'lessons' OR new.name LIKE 'opted out:%' OR new.name LIKE 'zone:%' OR new.name LIKE 'language:%')
  EXECUTE FUNCTION note_settings();
CREATE TRIGGER meta_unshared AFTER DELETE ON meta FOR EACH ROW
  WHEN (old.name = 'lessons' OR old.name LIKE 'opted out:%' OR old.name LIKE 'zone:%' OR old.name LIKE 'language:%')
  EXECUTE FUNCTION note_settings();

-- What one process heard and another one is to handle, and what one asks another.
CREATE TABLE relayed (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, platform text COLLATE "C" NOT NULL,
  channel text COLLATE "C" NOT NULL, kind text COLLATE "C" NOT NULL, key text COLLATE "C" NOT NULL,
  body text COLLATE "C" NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE UNIQUE INDEX relayed_once ON relayed (platform, key) WHERE key <> '';
CREATE INDEX relayed_to ON relayed (channel, id);
CREATE TABLE question (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, channel text COLLATE "C" NOT NULL,
  body text COLLATE "C" NOT NULL, until timestamptz NOT NULL, answer text COLLATE "C"
);
