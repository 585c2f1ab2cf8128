"""Slang, double negatives and Italian: kind, the line that answers it, the words.

`SLANG` was written before the reader was taught them, `SLANG_LAST` afterwards; nothing was changed after that.
"""

from __future__ import annotations

SLANG = (
    ("why silent", "", "why ain't it sayin nothin"),
    ("why silent", "", "perché non risponde?"),
    ("why silent", "", "yo why aint u answerin"),
    ("why silent", "", "how come this bot don't say nothing"),
    ("why silent", "", "it aint doin nuthin, what gives"),
    ("why silent", "", "bot aint workin"),
    ("why silent", "", "why you never say nothin no more"),
    ("why silent", "", "it don't answer nobody, why"),
    ("why silent", "", "why ain't nothin comin back from this thing"),
    ("why silent", "", "perché il bot non risponde?"),
    ("why silent", "", "perche sta zitto"),
    ("why silent", "", "come mai non dice più niente?"),
    ("why silent", "", "il bot non funziona, che succede?"),
    ("why this answer", "", "why'd it say that, it ain't even true"),
    ("left over", "", "dlaczego bot nie odpowiada?"),
    ("left over", "", "waarom zegt hij niks?"),
    ("left over", "", "neden cevap vermiyor?"),
)

SLANG_LAST = (
    ("why silent", "", "why it ain't said nothin since lunch"),
    ("why silent", "", "u broke or sumthin? aint gettin no answers"),
    ("why silent", "", "this thing don't work no more"),
    ("why silent", "", "ain't nobody gettin a reply in here"),
    ("why silent", "", "it just sits there doin nothin"),
    ("why silent", "", "bot don't wanna talk to nobody"),
    ("why silent", "", "perché non parla più con noi"),
    ("why silent", "", "il bot è morto?"),
    ("why silent", "", "non mi ha ancora risposto"),
    ("why silent", "", "come mai tace da stamattina"),
    ("why silent", "", "nessuna risposta alla mia domanda"),
    ("why this answer", "", "perché ha detto che costa 40 euro"),
    ("why this answer", "", "why's it tellin me to reboot, that don't make no sense"),
    ("did it know", "", "it don't remember nothin bout my dog"),
    ("did it do it", "", "it said it saved it but it aint there"),
    ("where is", "work", "is it still workin on my report"),
    ("left over", "", "miksi se ei vastaa?"),
    ("left over", "", "hvorfor svarer den ikke?"),
    ("left over", "", "the shop ain't open on sundays, put that in a table"),
)
