### What to do when a model service fails.

auth = Check api_key, and that base_url belongs to the same service.
credit = Top up the account of the key.
not-found = Check base_url: it usually ends in /v1. Then the model's name.
unreachable = Check base_url, the network, the proxy, and that the service runs.
timeout = Ask again: a server that is loading a model answers later. Then look at the network.
rate = Wait, or raise the limit of the key.
later = Try again later; see the service's status page.
region = The service does not serve this country: use another service, or a proxy it allows.
address = Check base_url: it usually ends in /v1.
verification = Verify the account at the service, or use a model that does not require it.
blocked = A firewall at the service blocks this machine: use another network, or ask the service.
loading = Wait until the model is loaded.
garbage = Check base_url: it usually ends in /v1, and something else may be answering there.
its-words = The service's own words say what is wrong.
