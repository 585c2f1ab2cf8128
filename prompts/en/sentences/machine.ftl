### What is in the way on this machine: ports, programs, browsers, the network.

port-taken = Port { $port } of { $host } cannot be used: { $why }. Name another.

## The network, as a failure is told

dns = the host name cannot be resolved
tls = the TLS connection could not be made
proxy = the proxy cannot be reached or refused
timeout = no answer in time
connect = no connection
answer = what came back is not HTTP, or not JSON
cut = the connection was cut before the answer was complete
no-answer-within = no answer within { $seconds } s
no-connection-in-time = no connection in time
internal = the call failed

## Programs in a sandbox

not-linux = programs can only be sandboxed on Linux, and this is another system
programs-missing = { $names } not found. Install them: apt-get install { $packages }
and = { $one } and { $other }
root-without-uid = the bot runs as root, to which process limits do not apply. Set tools.shell.uid to a user id that nobody has
uid-taken = the user id { $uid } is that of { $owner }. Set tools.shell.uid to one that nobody has
place-readable = programs can read { $shown }, where { $place } is. Keep the bot's data and configuration elsewhere
no-proc = no fresh /proc can be mounted, as in most containers. Run the bot on the host, or in a container that may ({ $said })
root-in-container = the bot is root and may not make namespaces, as inside of most containers. Run it as an unprivileged user ({ $said })
no-namespaces = this kernel lets only root make namespaces. Allow them: `sysctl kernel.unprivileged_userns_clone=1` (Debian), `kernel.apparmor_restrict_unprivileged_userns=0` or a profile for bwrap (Ubuntu), `RestrictNamespaces=` in the unit (systemd), a security option of the container ({ $said })
does-not-start = it does not start: { $said }
without-a-word = without a word
sandboxed = programs run in a sandbox ({ $form }), { $network ->
    [host] with the host's network
   *[none] without network
}{ $filter ->
    [yes] {""}
   *[no] , without a filter of system calls (none is known for { $machine })
}
sandbox-fix = See the reason given; without a sandbox, workers cannot run programs.

## A browser

no-such-browser = there is no program { $program } (tools.browser.program); correct it, or install Chromium
no-browser = no Chromium is installed; install one (Debian: apt install chromium), or set tools.browser.program
browser-as-root = Chromium keeps its sandbox for users other than root; run the bot as one of them (or set tools.browser.sandbox = false, which lets a page that breaks out do what root may)
