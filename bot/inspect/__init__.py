"""What anybody sees of a context: captured, compared, counted, drawn. Nothing here builds one."""
