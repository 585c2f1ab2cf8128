### Was in einem Vergleich neben den geänderten Worten steht.

changed = { $number }) { $what } { $how ->
    [added] hinzugekommen
    [removed] weg
    [changed] geändert
    [moved] verschoben
   *[other] { $how }
}
changed-tokens = { $changed }, { $tokens } Token
more-causes = { $count ->
    [one] und { $count } weitere Ursache
   *[other] und { $count } weitere Ursachen
}
from = aus · { $sources }
left-out = weggelassen · { $why }
not-shown = (anders nur in dem, was dir nicht gezeigt wird)
line = @ Zeile { $line }
more-lines = ({ $count ->
    [one] { $count } weitere Zeile
   *[other] { $count } weitere Zeilen
})
more-pieces = { $mark } … { $count } weitere
