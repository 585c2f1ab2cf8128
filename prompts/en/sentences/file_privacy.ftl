### Who else could read or change a file of the operator's, and how to stop that.

anybody = anybody on this machine
group = the group { $name }
user = user { $number }
can-read = { $who } can read it (mode { $mode }). Run: chmod 600 { $file }
can-change-secret = { $who } can change it (mode { $mode }). Run: chmod 600 { $file }
can-change = { $who } can change it (mode { $mode }). Run: chmod go-w { $file }
belongs-to = it belongs to { $owner }, who can change it. Run: chown { $us } { $file }
planted = { $file } belongs to { $owner }, who could put anything there. If you trust it, run: chown { $us } { $file }
can-replace-file = { $who } can put another file in its place. Run: chmod go-w { $folder }
can-replace-folder = { $who } can put another folder in its place. Run: chmod go-w { $folder }

## What cannot be read as a file

not-a-file = it is { $kind ->
    [pipe] a pipe
    [socket] a socket
    [device] a device
    [folder] a folder
   *[other] no ordinary file
}, not a file
too-large = it is larger than { $size }
not-utf-8 = it is not UTF-8 text (byte { $byte })
