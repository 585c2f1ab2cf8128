"""A model looks at a captured context, and code checks what it says."""
