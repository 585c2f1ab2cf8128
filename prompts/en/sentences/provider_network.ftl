### Why nobody got an answer: the bot cannot reach the model service.

verdict = { $place }: model service unreachable
name-not-found = Its host name is not found (DNS).
name-not-found-fix = Check base_url of { $key }, and the host's DNS resolver.
tls-fails = The TLS connection fails.
tls-fails-fix = Check the host's clock and certificates, and anything in between.
proxy-fails = The proxy is unreachable or refuses.
proxy-fails-fix = Check proxy of { $key }, or leave it empty.
no-connection = Nothing answers at its address.
no-connection-fix = Check that it runs; check base_url of { $key }, firewall, IPv6.
unreachable = The bot cannot reach it.
unreachable-fix = Check network, proxy and base_url of { $key }; `doctor` tries to connect.
service-at = The service is { $provider } at { $host }.
service-at-host = The service is { $provider } at { $host },
through-proxy = through the proxy { $proxy }.
service-by-proxy = The service is { $provider }, through the proxy { $proxy }.
tried = Tried { $count ->
    [one] once
   *[other] { $count } times
}, last { $time }.
last-good = A model last answered { $time }.
platform-reachable = { $platform } is reachable, so the network is up.
request = request, and each try
tell-operator = Tell the operator: the bot cannot reach the model service.
