### Was die Knöpfe unter einem Bericht antworten.

button-does-nothing = Dieser Knopf tut nichts mehr.
no-evidence = Keine Belege zu öffnen: Es wurde kein Fehler gefunden.
waits-no-more = Diese Nachricht wartet nicht mehr. Es wurde nichts getan.
cannot-answer-now = Diese Nachricht kann nicht mehr beantwortet werden, oder der Bot antwortet schon.
answering = Ich beantworte { $handle } jetzt; was daraus wird, steht dann hier.
unread = ○ nicht einsehbar: { $what }
