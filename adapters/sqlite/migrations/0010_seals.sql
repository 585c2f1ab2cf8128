-- Rows of which there is one each are sealed as all others are: whoever writes them, the seal is made here, and a row
-- whose seal does not hold is not read. `row_hash` is ours: every connection of the program knows it; text that is
-- damaged cannot be handed to it, its bytes can.

ALTER TABLE meta ADD COLUMN h BLOB;
CREATE TRIGGER meta_new AFTER INSERT ON meta BEGIN
  UPDATE meta SET h = row_hash(hex(name), hex(value)) WHERE name = new.name;
END;
CREATE TRIGGER meta_changed AFTER UPDATE OF value ON meta BEGIN
  UPDATE meta SET h = row_hash(hex(name), hex(value)) WHERE name = new.name;
END;
UPDATE meta SET value = value;

ALTER TABLE heartbeat ADD COLUMN h BLOB;
CREATE TRIGGER heartbeat_new AFTER INSERT ON heartbeat BEGIN
  UPDATE heartbeat SET h = row_hash(hex(agent), hex(body)) WHERE agent = new.agent;
END;
CREATE TRIGGER heartbeat_changed AFTER UPDATE OF body ON heartbeat BEGIN
  UPDATE heartbeat SET h = row_hash(hex(agent), hex(body)) WHERE agent = new.agent;
END;
UPDATE heartbeat SET body = body;

ALTER TABLE cursor ADD COLUMN h BLOB;
CREATE TRIGGER cursor_new AFTER INSERT ON cursor BEGIN
  UPDATE cursor SET h = row_hash(hex(agent), hex(adapter), hex(stream), hex(value))
  WHERE agent = new.agent AND adapter = new.adapter AND stream = new.stream;
END;
CREATE TRIGGER cursor_changed AFTER UPDATE OF value ON cursor BEGIN
  UPDATE cursor SET h = row_hash(hex(agent), hex(adapter), hex(stream), hex(value))
  WHERE agent = new.agent AND adapter = new.adapter AND stream = new.stream;
END;
UPDATE cursor SET value = value;

ALTER TABLE ratio ADD COLUMN h BLOB;
CREATE TRIGGER ratio_new AFTER INSERT ON ratio BEGIN
  UPDATE ratio SET h = row_hash(hex(agent), hex(model), value) WHERE agent = new.agent AND model = new.model;
END;
CREATE TRIGGER ratio_changed AFTER UPDATE OF value ON ratio BEGIN
  UPDATE ratio SET h = row_hash(hex(agent), hex(model), value) WHERE agent = new.agent AND model = new.model;
END;
UPDATE ratio SET value = value;
