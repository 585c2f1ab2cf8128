"""How rows are written and read: connections, batches, sealed rows, migrations, damage."""
