-- Which processes there are, and what each of them may do alone. Only this server's clock is asked, so that a machine
-- whose clock is wrong takes nothing too early. `until` is renewed by one row, whatever a process has.
CREATE TABLE lease_owner (
  id text COLLATE "C" PRIMARY KEY, process text COLLATE "C" NOT NULL, until timestamptz NOT NULL
);

-- Each taking raises the epoch. A transaction of the owner locks its row by name, epoch and owner: who has slept
-- meanwhile finds none. An empty owner has given it back.
CREATE TABLE lease (name text COLLATE "C" PRIMARY KEY, epoch bigint NOT NULL, owner text COLLATE "C" NOT NULL);

-- What follows in the transaction is not done where the lease is gone: nobody has to wait for the answer to know that.
CREATE FUNCTION must_have_lease(wanted text, since bigint, by text) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM 1 FROM lease WHERE name = wanted AND epoch = since AND owner = by FOR SHARE;
    IF NOT FOUND THEN RAISE EXCEPTION 'the lease % is not %''s any more', wanted, by USING ERRCODE = 'LL001'; END IF;
  END $$;
