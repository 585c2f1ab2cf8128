-- Calls that go on in the background: found at a start, so that those whose process died are not waited for.
CREATE INDEX tool_call_running ON tool_call (id) WHERE instr(body, '"state":"running"') > 0;
