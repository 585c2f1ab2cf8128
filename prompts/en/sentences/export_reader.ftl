### What is wrong with a file that should be an export.

not-json = { $file } is not JSON: { $why }. Give a file that `export` wrote.
not-export = { $file } is not an export: { $where }: { $why }. `export` writes one.
not-export-whole = { $file } is not an export: the document: { $why }. `export` writes one.
other-version = { $file } is of version { $version }; this program reads version 1.
too-large = { $file } has { $bytes } bytes; no export is that large.
unpacks-too-large = { $file } unpacks to more than { $bytes } bytes; no export is that large.
ends-early = { $file } ends early: the gzip file is not whole. Copy it again.
not-unpacked = { $file } cannot be unpacked: { $why }. Copy it again.
was-cut = { $file } was cut for its reader ({ $redactions ->
    [one] 1 redaction
   *[other] { $redactions } redactions
}, { $withheld ->
    [one] 1 part withheld
   *[other] { $withheld } parts withheld
}): what was cut shows as different
