-- Messages that refer to others: whose words they bring is found without reading all that ever arrived.

CREATE INDEX inbound_refers ON inbound (adapter, channel) WHERE instr(body, '"refers":[') > 0;
