### Was eine Zeile einer Anfrage verdächtig macht.

sign = { $sign ->
    [names-the-asker] nennt den Fragenden
    [is-about-the-asker] handelt vom Fragenden
    [fits-its-reason] passt zu seinem Grund
    [an-earlier-silence] ein früheres Schweigen
    [speaks-of-silence] spricht vom Schweigen
    [says-how-others-are-treated] sagt, wie andere behandelt werden
    [new-since-the-last-reply] neu seit der letzten Antwort
   *[by-a-non-admin] von jemandem, der kein Admin ist
}
