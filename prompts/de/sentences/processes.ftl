### Was Leute lesen, wo mehrere Prozesse sich die Kanäle eines Bots teilen.

press-unanswered = Der Prozess, der sich um diesen Chat kümmert, hat nicht rechtzeitig geantwortet. Sieh nach, ob etwas geschehen ist, bevor du noch einmal drückst.
press-handed-on = An den Prozess weitergegeben, der sich um den Kanal kümmert. Was daraus wird, steht gleich hier.
press-kept = Der Prozess, der sich um den Kanal kümmert, antwortet nicht. Ich bewahre das auf: Es geschieht, sobald ein anderer den Kanal hat, solange der Knopf gilt. Was daraus wird, steht dann hier.
nobody-listens = dort hört kein Prozess zu
part-unheard = kein Prozess hört dem Teil { $parts } (von { $many }) seiner Server zu
start-a-gateway = Starte einen mit glassmind run --role gateway.
