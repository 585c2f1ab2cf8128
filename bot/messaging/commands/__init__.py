"""Commands that anybody may type, such as `/stop` and `/mydata`; `!cortex` is handed on."""
