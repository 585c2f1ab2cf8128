### What workers are offered: files, programs, the web, a browser.

no-files = There are no workspaces here.
no-sandbox = there is no sandbox here
no-web = there is no way to the web here
no-browser = there is no browser here
no-search = no search service is configured (tools.web.search)
cannot-run = I cannot run programs: { $why }.
cannot-read = I cannot read pages: { $why }.
cannot-draw = I cannot open pages in a browser: { $why }.

## For the doctor

worker-tools = worker tools
web-tools = web tools
off = { $count ->
    [one] { $names } is off ({ $keys })
   *[other] { $names } are off ({ $keys })
}
and = { $first } and { $second }
own-workspaces = each channel has its own
web-closed = I cannot read web pages: { $why }
public-pages = public pages are read; searched with { $search }
public-pages-unsearched = public pages are read; not searched (tools.web.search)
own-hosts-read = pages are read, also from { $hosts }, which may be on your own network; searched with { $search }
own-hosts-unsearched = pages are read, also from { $hosts }, which may be on your own network; not searched (tools.web.search)
own-hosts-fix = Leave tools.web.own_hosts empty if nothing on your own network needs to be read.
not-drawn = pages are not opened: { $why }
drawn-unsafely = pages are opened without the browser's sandbox: a page that breaks out can do what the bot can
sandbox-fix = Set tools.browser.sandbox = true.
drawn = pages are opened, each in a separate browser
programs-not-offered = programs are not offered: { $why }
