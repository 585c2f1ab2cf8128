### Was an einer Datei nicht stimmt, die ein Export sein sollte.

not-json = { $file } ist kein JSON: { $why }. Gib eine Datei an, die `export` geschrieben hat.
not-export = { $file } ist kein Export: { $where }: { $why }. `export` schreibt einen.
not-export-whole = { $file } ist kein Export: das Dokument: { $why }. `export` schreibt einen.
other-version = { $file } ist von Version { $version }; dieses Programm liest Version 1.
too-large = { $file } hat { $bytes } Bytes; so groß ist kein Export.
unpacks-too-large = { $file } entpackt sich auf mehr als { $bytes } Bytes; so groß ist kein Export.
ends-early = { $file } endet zu früh: Die gzip-Datei ist nicht vollständig. Kopier sie noch einmal.
not-unpacked = { $file } lässt sich nicht entpacken: { $why }. Kopier sie noch einmal.
was-cut = { $file } wurde für den Leser gekürzt ({ $redactions ->
    [one] 1 Schwärzung
   *[other] { $redactions } Schwärzungen
}, { $withheld ->
    [one] 1 Teil zurückgehalten
   *[other] { $withheld } Teile zurückgehalten
}): Gekürztes erscheint als verschieden
