-- Files that went out and can still be taken back; they are few among all that was sent.

CREATE INDEX outbox_files ON outbox (created_at) WHERE kind = 'file' AND state = 'sent' AND error = '';
