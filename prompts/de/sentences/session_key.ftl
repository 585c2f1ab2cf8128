### Warum der Bot von vorher nichts weiß: Das Gespräch geht an einem anderen Ort weiter.

verdict = { $place }: beginnt ohne Verlauf
own-conversation = Jeder Ort ist hier ein eigenes Gespräch.
answered-before = Der Bot antwortete derselben Person kurz davor
answered-in = in { $name }, wozu dieser Thread gehört.
nth-thread = Das ist Thread { $count } derselben Person
one-question = in einer halben Stunde, mit je einer Frage.
request = Anfrage, wie sie gesendet wurde, ohne früheren Turn
answered-other = beantwortet { $time }, im anderen
go-on-parent = Mach dort weiter, wo es gesagt wurde, oder sag hier, was er wissen muss; `context` zeigt, was er weiß.
go-on-thread = Mach in einem Thread weiter, oder sag hier, was er wissen muss; `context` zeigt, was er weiß.
settle = was fehlte der Antwort?
