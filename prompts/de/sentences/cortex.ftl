### Was in einem privaten Gespräch über einen Kanal an mehreren Stellen gesagt wird.

under-way = Ich lese den Prompt; ein Bericht folgt.
goes-on = Es geht weiter, wo es aufgehört hat; ein Bericht folgt.
may-go-on = Es kann weitergehen, wo es aufgehört hat; nichts wird doppelt nachgesehen.
no-more-to-resume = Diese Untersuchung läuft schon wieder, ist zu Ende oder nicht mehr gespeichert. Frag stattdessen noch einmal.
cut-off = Der Bot wurde während der Untersuchung angehalten. Was die Regeln oben gefunden haben, gilt. Frag später noch einmal.
busy = Ich bin noch bei deiner letzten Frage. Diese kommt danach.
not-taken-up = Der Bot wurde angehalten, bevor ich zu deiner letzten Frage kam. Stell sie noch einmal.
talk-cut-off = Der Bot wurde angehalten, während ich an deiner Frage saß. Stell sie noch einmal.
withheld-answer = Es gibt eine Antwort, aber du darfst diesen Kanal nicht mehr untersuchen, deshalb zeige ich sie nicht.
changed-meanwhile = Eine Erinnerung, die du vergessen lassen wolltest, hat sich inzwischen geändert. Frag noch einmal, um zu sehen, wie sie jetzt ist.
no-right = Du darfst diesen Kanal gerade nicht untersuchen. Es wurde nichts geändert.
broken = In mir ist etwas schiefgegangen, während ich geantwortet habe. Es steht im Log; frag noch einmal oder versuch `doctor`.
too-fast = Das ist mehr, als ich in einer Minute schaffe. Frag gleich noch einmal.
not-kept = Ich habe diese Frage nicht mehr, oder sie bedeutet jetzt etwas anderes. Stell sie noch einmal.
no-such-record = So einen Eintrag, den du öffnen darfst, gibt es nicht.
no-such-record-here = So einen Eintrag, den du öffnen darfst, gibt es nicht. Sag es in einem Gespräch über seinen Kanal: `use #name`.
not-the-channels = Diese Anfrage gehört zu einer Untersuchung. Gezeigt werden nur die eigenen Anfragen des Kanals.
made-of = woraus sie entstand
back = Ich antworte hier wieder. Was geschrieben wurde, während ich still war, habe ich nicht beantwortet; sag es noch einmal, wenn es noch wichtig ist.
trouble = Ich habe hier gerade Schwierigkeiten zu antworten. Das ist bekannt; bitte frag später noch einmal.
unreachable = Ich konnte dir nicht privat schreiben.
ended = Was nur du siehst, endet nach 15 Minuten und wenn ich neu starte. Frag noch einmal, wo du gefragt hast.
a-private-chat = ein Privatchat
could-not-answer = Das konnte ich nicht beantworten: { $why }.
not-ours = Dieser Knopf ist nicht von mir, oder sein Angebot ist weg. Es wurde nichts geändert.
not-yours = Das kann nur drücken, für wen es gemacht wurde.
