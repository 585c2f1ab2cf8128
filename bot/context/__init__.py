"""From state to request: gather (reads), then assemble (pure); and what people and branches see of it."""
