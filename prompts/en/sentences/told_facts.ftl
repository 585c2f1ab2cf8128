### What a line of the prompt is.

persona = its persona
memory = a memory
file = a file
not-told = not told any more
summary = a summary
message = a message
tool = what a tool returned
answer = its own earlier answer
line = a line
with-handle = { $what } ({ $handle })
