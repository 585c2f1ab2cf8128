"""Tools from MCP servers. What a server says is untrusted text; what it may do, the configuration says."""
