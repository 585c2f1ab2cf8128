### Warum eine Antwort ohne manche Worte kam: Der Filter des Dienstes lehnte ab, was davor gesagt wurde.

verdict = { $place }: ohne manche Worte beantwortet
filter-refused = Der Filter des Dienstes lehnte ab, was
filter-refused-more = davor gesagt wurde, nicht die Nachricht selbst.
left-out = Der Bot lässt jetzt { $names }{ $more ->
    [0] {" "}weg.
   *[other] {" "}und { $more } weitere weg.
}
request = Anfrage, wie sie gesendet wurde, ohne sie
undo = `undo { $handle }` zeigt es Modellen wieder; weggelassen seit { $time }.
