### Warum keine Antwort zu sehen ist: Sie wurde zugestellt, und jemand hat sie gelöscht.

verdict = { $place }: beantwortet, dann gelöscht
went-out = { $parts ->
    [whole] Die Antwort ging
   *[other] { $parts } von { $of } Teilen der Antwort gingen
} { $time } hinaus
deleted-after = und wurde { $age } später gelöscht.
by-program = Das Audit-Log von { $name } nennt niemanden: Ein Bot war es.
by = Das Audit-Log von { $name } nennt { $who }.
by-unknown-fast = { $name } sagt nicht, wer; so schnell ist ein Programm.
by-unknown = { $name } sagt nicht, wer es war.
record = die Antwort, die gelöscht wurde
ask-moderators = Frag die Moderatoren, oder sieh ins Log des Moderations-Bots; dann frag noch einmal.
leave-alone = Lass die Moderation des Servers (ihre Bots, ihre Regeln) Nachrichten dieses Bots in Ruhe lassen.
