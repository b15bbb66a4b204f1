-- The log. Only the functions below write it; triggers refuse every change, to the owner too.
CREATE SCHEMA log;

CREATE SEQUENCE log.event_position AS bigint CACHE 1;

-- The head row of a stream: what an append compares and sets. The hash covers the key, never the id, so a
-- dump restored elsewhere verifies.
CREATE TABLE log.stream (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key         text COLLATE "C" NOT NULL UNIQUE,
    version     integer NOT NULL,
    hash        bytea NOT NULL,
    gaming_date date NOT NULL
) WITH (fillfactor = 80);

CREATE TABLE log.event (
    position       bigint PRIMARY KEY,
    stream_id      bigint NOT NULL,
    version        integer NOT NULL,
    type           text NOT NULL,
    schema_version smallint NOT NULL,
    gaming_date    date NOT NULL,
    table_code     text,
    round_no       integer,
    seat           smallint,
    in_cents       bigint NOT NULL,
    out_cents      bigint NOT NULL,
    occurred_at    timestamptz NOT NULL,
    recorded_at    timestamptz NOT NULL,
    actor          text NOT NULL,
    command        text,
    correlation    text,
    source         text NOT NULL,
    source_seq     bigint,
    payload        text NOT NULL,
    hash           bytea NOT NULL,
    UNIQUE (stream_id, version)
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_freeze_min_age = 0);

CREATE INDEX event_recorded_at ON log.event USING brin (recorded_at) WITH (pages_per_range = 32, autosummarize = on);

-- One row a command, kept as long as the log: who sent which key with what content, and what came of it. The
-- command's events carry its principal as their actor and its key, and their hashes cover the whole row.
CREATE TABLE log.command (
    principal      text NOT NULL,
    key            text NOT NULL,
    content        text NOT NULL,
    first_position bigint NOT NULL,
    last_position  bigint NOT NULL,
    PRIMARY KEY (principal, key)
);

-- Work that an append made due. A queue, not a record: rows go when the work is done.
CREATE TABLE log.due (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    queue        text NOT NULL,
    stream       text COLLATE "C" NOT NULL,
    due_at       timestamptz NOT NULL,
    set_aside_at timestamptz,
    error        text
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, fillfactor = 50);

-- One row: the position below which the log is final (see horizon.py), and how many seals there are, so that the
-- last one can't go unnoticed.
CREATE TABLE log.horizon (
    single boolean PRIMARY KEY DEFAULT true CHECK (single),
    mark   bigint NOT NULL,
    seals  integer NOT NULL
);
INSERT INTO log.horizon (mark, seals) VALUES (0, 0);

-- Unsigned seals: each digests a range of positions below the mark and names the seal before it, so a deleted
-- stream or tail, which chains alone would miss, shows.
CREATE TABLE log.seal (
    number        integer PRIMARY KEY,
    from_position bigint NOT NULL,
    to_position   bigint NOT NULL,
    count         bigint NOT NULL,
    holes         text NOT NULL,
    digest        bytea NOT NULL,
    previous      bytea NOT NULL,
    hash          bytea NOT NULL,
    sealed_at     timestamptz NOT NULL
);

-- ------------------------------------------------------------------------------------------ append-only

CREATE FUNCTION log.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'The log only grows: % on log.% is refused.', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'CL009', HINT = 'Record a further event that corrects the first.';
END $$;

-- A head row only moves forward. That it moved with its events, and as the append would have moved it, is what
-- `verify` proves: a trigger can't tell an append from an owner's UPDATE.
CREATE FUNCTION log.refuse_rewind() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.version <= OLD.version OR NEW.id <> OLD.id OR NEW.key <> OLD.key OR NEW.gaming_date <> OLD.gaming_date THEN
        RAISE EXCEPTION 'The head of stream % only moves forward.', OLD.key USING ERRCODE = 'CL009';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON log.event FOR EACH ROW EXECUTE FUNCTION log.refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON log.command FOR EACH ROW EXECUTE FUNCTION log.refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON log.seal FOR EACH ROW EXECUTE FUNCTION log.refuse_change();
CREATE TRIGGER forward_only BEFORE UPDATE ON log.stream FOR EACH ROW EXECUTE FUNCTION log.refuse_rewind();
CREATE TRIGGER never_deleted BEFORE DELETE ON log.stream FOR EACH ROW EXECUTE FUNCTION log.refuse_change();
CREATE TRIGGER never_emptied BEFORE TRUNCATE ON log.event FOR EACH STATEMENT EXECUTE FUNCTION log.refuse_change();
CREATE TRIGGER never_emptied BEFORE TRUNCATE ON log.command FOR EACH STATEMENT EXECUTE FUNCTION log.refuse_change();
CREATE TRIGGER never_emptied BEFORE TRUNCATE ON log.seal FOR EACH STATEMENT EXECUTE FUNCTION log.refuse_change();
CREATE TRIGGER never_emptied BEFORE TRUNCATE ON log.stream FOR EACH STATEMENT EXECUTE FUNCTION log.refuse_change();
-- ALWAYS: session_replication_role = replica must not switch them off.
ALTER TABLE log.event ENABLE ALWAYS TRIGGER append_only, ENABLE ALWAYS TRIGGER never_emptied;
ALTER TABLE log.command ENABLE ALWAYS TRIGGER append_only, ENABLE ALWAYS TRIGGER never_emptied;
ALTER TABLE log.seal ENABLE ALWAYS TRIGGER append_only, ENABLE ALWAYS TRIGGER never_emptied;
ALTER TABLE log.stream ENABLE ALWAYS TRIGGER forward_only, ENABLE ALWAYS TRIGGER never_deleted,
                       ENABLE ALWAYS TRIGGER never_emptied;

-- ------------------------------------------------------------------------------------------ the append

-- Appends events to one or more streams in one transaction and one round trip.
--   c_*  idempotency: one row a command; the same key and content answers what it answered before (replayed)
--   s_*  streams: key, version expected (0 = new), gaming date, table, round, and by index into c_* the command that
--        its events belong to, whose principal is then their actor
--   e_*  events, each naming its stream by index into s_*; every stream has at least one, and those of a stream
--        stand together, in order; e_occurred in microseconds since 1970
--   g_*  guards: streams that must stand at a version until this transaction ends; version 0 = must not exist,
--        which holds only under another lock that its writers share (looked at after all locks are taken)
--   d_*  work made due, each naming its stream by index
-- SQLSTATE CL001 version conflict, CL002 guard, CL003 key used for other content; DETAIL holds the key.
-- Lock order, for every append: command keys in order, then guards and existing streams together in key order (the
-- stronger lock first where a stream is both), then new streams in key order. Commands, streams and guards are given
-- in that order and refused otherwise, which costs less than to sort them here. Callers make one append a
-- transaction, and a settler claims its due rows before it, without waiting; so no two can wait for each other.
-- Most appends are one command and one stream: what a common append doesn't need is behind an IF, and an event costs
-- a few expressions, not a statement.
CREATE FUNCTION log.append(
    p_actor text, p_source text, p_correlation text,
    c_principal text[], c_key text[], c_content text[],
    s_key text[], s_expected int[], s_date date[], s_table text[], s_round int[], s_command int[],
    e_stream int[], e_type text[], e_schema int[], e_seat int[], e_in bigint[], e_out bigint[],
    e_occurred bigint[], e_seq bigint[], e_payload text[],
    g_key text[], g_version int[],
    d_stream int[], d_queue text[],
    OUT first_position bigint, OUT last_position bigint, OUT replayed boolean
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = log, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    n          constant int := cardinality(e_type);
    streams    constant int := cardinality(s_key);
    guards     constant int := cardinality(g_key);
    now_at     timestamptz;
    now_us     bigint;
    positions  bigint[];
    hashes     bytea[] := array_fill(''::bytea, ARRAY[n]);
    stream_ids bigint[] := array_fill(0::bigint, ARRAY[streams]);
    heads      bytea[] := array_fill(''::bytea, ARRAY[streams]);
    tops       int[] := s_expected;
    before     int[] := s_expected;  -- an event's place among all events of the append, less its version
    known      command;
    head       stream;
    shared     bytea;
    h          bytea;
    c          int;
    s          int := 1;
    g          int := 1;
    j          int := 0;
BEGIN
    IF n = 0 OR streams = 0 THEN
        RAISE EXCEPTION 'An append needs at least one event for every stream.' USING ERRCODE = 'CL008';
    END IF;
    -- The transaction id comes before the first position: the horizon rests on it (horizon.py).
    PERFORM pg_current_xact_id();
    positions := ARRAY(SELECT nextval('log.event_position') FROM generate_series(1, n));
    first_position := positions[1];
    last_position := positions[n];
    replayed := false;

    FOR i IN 1 .. cardinality(c_key) LOOP
        IF i > 1 AND (c_principal[i - 1] COLLATE "C", c_key[i - 1] COLLATE "C") > (c_principal[i], c_key[i]) THEN
            RAISE EXCEPTION 'Commands must be given in the order of their keys.' USING ERRCODE = 'CL008';
        END IF;
        INSERT INTO command VALUES (c_principal[i], c_key[i], c_content[i], first_position, last_position)
            ON CONFLICT DO NOTHING;
        CONTINUE WHEN FOUND;
        SELECT * INTO known FROM command k WHERE k.principal = c_principal[i] AND k.key = c_key[i];
        IF known.content <> c_content[i] OR cardinality(c_key) > 1 THEN
            RAISE EXCEPTION 'The key % was used before.', c_key[i] USING ERRCODE = 'CL003', DETAIL = c_key[i];
        END IF;
        first_position := known.first_position;
        last_position := known.last_position;
        replayed := true;
        RETURN;
    END LOOP;

    WHILE s <= streams OR g <= guards LOOP
        IF g > guards OR (s <= streams AND s_key[s] COLLATE "C" <= g_key[g]) THEN
            IF s > 1 AND s_key[s - 1] COLLATE "C" > s_key[s] THEN
                RAISE EXCEPTION 'Streams must be given in the order of their keys.' USING ERRCODE = 'CL008';
            END IF;
            IF s_expected[s] > 0 THEN
                SELECT * INTO head FROM stream t WHERE t.key = s_key[s] FOR NO KEY UPDATE;
                IF NOT FOUND OR head.version <> s_expected[s] THEN
                    RAISE EXCEPTION 'The stream % is not at version %.', s_key[s], s_expected[s]
                        USING ERRCODE = 'CL001', DETAIL = s_key[s];
                END IF;
                stream_ids[s] := head.id;
                heads[s] := head.hash;
            END IF;
            s := s + 1;
        ELSE
            IF g > 1 AND g_key[g - 1] COLLATE "C" > g_key[g] THEN
                RAISE EXCEPTION 'Guards must be given in the order of their keys.' USING ERRCODE = 'CL008';
            END IF;
            IF g_version[g] > 0 THEN
                SELECT * INTO head FROM stream t WHERE t.key = g_key[g] FOR SHARE;
                IF NOT FOUND OR head.version <> g_version[g] THEN
                    RAISE EXCEPTION 'The guarded stream % has moved.', g_key[g]
                        USING ERRCODE = 'CL002', DETAIL = g_key[g];
                END IF;
            END IF;
            g := g + 1;
        END IF;
    END LOOP;

    IF 0 = ANY (g_version) THEN
        SELECT t.* INTO head FROM stream t JOIN unnest(g_key, g_version) AS u(key, expected) ON u.key = t.key
         WHERE u.expected = 0 LIMIT 1;
        IF FOUND THEN
            RAISE EXCEPTION 'The guarded stream % has come to be.', head.key USING ERRCODE = 'CL002', DETAIL = head.key;
        END IF;
    END IF;

    -- Chain: hash = sha256(hash before it in its stream || sha256(shared text) || own text), format 1. The shared
    -- text is what the events of one stream and append have in common, so it is hashed once. Both are whole numbers
    -- between bars, then texts with their length in bytes; canonical.py writes the same from Python, and golden
    -- vectors hold both to it.
    now_at := clock_timestamp();
    now_us := (extract(epoch FROM now_at) * 1000000)::bigint;
    FOR i IN 1 .. n LOOP
        IF j <> e_stream[i] THEN
            IF j > 0 THEN
                heads[j] := h;
                tops[j] := i - 1 - before[j];
            END IF;
            j := e_stream[i];
            IF tops[j] <> s_expected[j] THEN
                RAISE EXCEPTION 'The events of a stream must stand together.' USING ERRCODE = 'CL008';
            END IF;
            h := heads[j];
            before[j] := i - 1 - s_expected[j];
            c := s_command[j];
            shared := sha256(convert_to(concat('1|', s_date[j] - DATE '1970-01-01', '|', s_round[j], '|', now_us,
                CASE WHEN c IS NULL THEN '||' ELSE '|' || first_position || '|' || last_position END, '|',
                octet_length(s_key[j]), ':', s_key[j], coalesce(octet_length(s_table[j]) || ':' || s_table[j], '~'),
                octet_length(coalesce(c_principal[c], p_actor)), ':', coalesce(c_principal[c], p_actor),
                coalesce(octet_length(c_key[c]) || ':' || c_key[c], '~'),
                coalesce(octet_length(c_content[c]) || ':' || c_content[c], '~'),
                coalesce(octet_length(p_correlation) || ':' || p_correlation, '~'),
                octet_length(p_source), ':', p_source), 'UTF8'));
        END IF;
        h := sha256(h || shared || convert_to(concat(
            '1|', positions[i], '|', i - before[j], '|', e_schema[i], '|', e_seat[i], '|', e_in[i], '|', e_out[i], '|',
            e_occurred[i], '|', e_seq[i], '|', octet_length(e_type[i]), ':', e_type[i], octet_length(e_payload[i]), ':',
            e_payload[i]), 'UTF8'));
        hashes[i] := h;
    END LOOP;
    heads[j] := h;
    tops[j] := n - before[j];

    FOR i IN 1 .. streams LOOP
        IF tops[i] = s_expected[i] THEN
            RAISE EXCEPTION 'An append needs at least one event for every stream.' USING ERRCODE = 'CL008';
        END IF;
        IF s_expected[i] > 0 THEN
            UPDATE stream t SET version = tops[i], hash = heads[i] WHERE t.id = stream_ids[i];
            CONTINUE;
        END IF;
        INSERT INTO stream (key, version, hash, gaming_date) VALUES (s_key[i], tops[i], heads[i], s_date[i])
            ON CONFLICT DO NOTHING RETURNING id INTO head.id;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'The stream % exists already.', s_key[i] USING ERRCODE = 'CL001', DETAIL = s_key[i];
        END IF;
        stream_ids[i] := head.id;
    END LOOP;

    -- Hours and the rest apart: an interval is multiplied in floating point, exact only while the number is small.
    INSERT INTO event
        SELECT positions[i], stream_ids[e_stream[i]], i - before[e_stream[i]], e_type[i], e_schema[i], s_date[e_stream[i]],
               s_table[e_stream[i]], s_round[e_stream[i]], e_seat[i], e_in[i], e_out[i],
               timestamptz 'epoch' + e_occurred[i] / 3600000000 * interval '1 hour'
                 + e_occurred[i] % 3600000000 * interval '1 microsecond', now_at,
               coalesce(c_principal[s_command[e_stream[i]]], p_actor), c_key[s_command[e_stream[i]]], p_correlation,
               p_source, e_seq[i], e_payload[i], hashes[i]
          FROM generate_series(1, n) AS i;
    IF cardinality(d_stream) > 0 THEN
        INSERT INTO due (queue, stream, due_at)
            SELECT d_queue[i], s_key[d_stream[i]], now_at FROM generate_series(1, cardinality(d_stream)) AS i;
    END IF;
END $$;

-- ------------------------------------------------------------------------------------------ due work

CREATE FUNCTION log.claim_due(p_queue text, p_limit int, p_id bigint DEFAULT NULL)
RETURNS TABLE (id bigint, stream text) LANGUAGE sql SECURITY DEFINER SET search_path = log, pg_temp AS $$
    SELECT d.id, d.stream FROM due d
     WHERE d.queue = p_queue AND d.set_aside_at IS NULL AND (p_id IS NULL OR d.id = p_id)
     ORDER BY d.id LIMIT p_limit FOR UPDATE SKIP LOCKED
$$;

CREATE FUNCTION log.finish_due(p_ids bigint[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = log, pg_temp AS $$
    DELETE FROM due WHERE id = ANY (p_ids)
$$;

CREATE FUNCTION log.set_aside_due(p_id bigint, p_error text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = log, pg_temp AS $$
    UPDATE due SET set_aside_at = clock_timestamp(), error = p_error WHERE id = p_id
$$;

-- Puts set-aside work back into its queue, once its cause is mended.
CREATE FUNCTION log.retry_due(p_id bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = log, pg_temp AS $$
    UPDATE due SET set_aside_at = NULL, error = NULL WHERE id = p_id
$$;

-- ------------------------------------------------------------------------------------------ mark and seals

-- The mark moves forward, and never beyond the last position drawn: no caller can make followers step over events
-- that are still to come.
CREATE FUNCTION log.advance_mark(p_mark bigint) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = log, pg_temp AS $$
    UPDATE horizon SET mark = greatest(mark, least(p_mark,
               (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM event_position)))
    RETURNING mark
$$;

-- Seals the events above the last seal, at most p_limit of them, up to the mark; false when there was nothing.
CREATE FUNCTION log.seal(p_limit int) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = log, pg_temp AS $$
DECLARE
    before seal;
    start  bigint;
    upto   bigint;
    n      bigint;
    gaps   text;
    d      bytea;
    now_at timestamptz := clock_timestamp();
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('log.seal'));
    SELECT * INTO before FROM seal ORDER BY number DESC LIMIT 1;
    start := coalesce(before.to_position, 0) + 1;
    SELECT least(mark, (SELECT max(e.position) FROM (SELECT position FROM event WHERE position >= start
                                                      ORDER BY position LIMIT p_limit) e)) INTO upto FROM horizon;
    IF upto IS NULL OR upto < start THEN
        RETURN false;
    END IF;
    SELECT count(*), coalesce(sha256(string_agg(hash, ''::bytea ORDER BY position)), sha256('')) INTO n, d
      FROM event WHERE position BETWEEN start AND upto;
    IF n = 0 THEN
        RETURN false;
    END IF;
    SELECT coalesce(range_agg(int8range(e.prev + 1, e.position)), '{}')::text INTO gaps
      FROM (SELECT position, lag(position, 1, start - 1) OVER (ORDER BY position) AS prev
              FROM (SELECT position FROM event WHERE position BETWEEN start AND upto
                    UNION ALL SELECT upto + 1) p) e
     WHERE e.position > e.prev + 1;
    INSERT INTO seal (number, from_position, to_position, count, holes, digest, previous, hash, sealed_at)
    VALUES (coalesce(before.number, 0) + 1, start, upto, n, gaps, d, coalesce(before.hash, ''::bytea),
            sha256(convert_to('1|' || coalesce(before.number, 0) + 1 || '|' || start || '|' || upto || '|' || n || '|'
                   || gaps || '|' || (extract(epoch FROM now_at) * 1000000)::bigint || '|', 'UTF8')
                   || d || coalesce(before.hash, ''::bytea)),
            now_at);
    UPDATE horizon SET seals = seals + 1;
    RETURN true;
END $$;

-- ------------------------------------------------------------------------------------------ rights

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA log FROM PUBLIC;
GRANT USAGE ON SCHEMA log TO casino_app;
GRANT SELECT ON ALL TABLES IN SCHEMA log TO casino_app;
GRANT SELECT ON SEQUENCE log.event_position TO casino_app;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA log TO casino_app;
