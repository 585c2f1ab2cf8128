### Which tool calls and which work of a turn hang, took long, failed, or were refused.

a-call = a call
