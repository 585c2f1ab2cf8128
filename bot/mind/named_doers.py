"""Say whether a sentence names somebody else as the one who did it, in six languages."""

from __future__ import annotations

import re

_STAFF = (
    r"(?:admins?|moderators?|mods?|owner|staff|moderator(?:en|in)?|besitzer(?:in)?|(?:moderad|administrad)or(?:a|es)?|"
    r"equipo|equipe|équipe|mod[ée]rat(?:eur|rice)s?|modo|dueño|dono|админ(?:ом|ы|ами)?|модератор(?:ом|ы|ами)?)\b"
)
_NOBODY = (
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|"
    r"november|december|christmas|easter|mail|email|sms|phone|pix|bizum|paypal|stripe|slack|discord|telegram|whatsapp|"
    r"zoom|dms?|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|me|myself|us"
)
"""What stands behind "by" with a capital and is no other person."""
_NAME = rf"(?!(?i:(?:{_NOBODY})\b)|[A-ZÀ-Þ]{{2,}}\b)@?[A-ZÀ-ÖØ-ÞА-ЯЁ][\w'’-]*"
_ARTICLES = r"one of |(?:a|an|the|our|your|einem|einer|dem|der|un|una|uno de|el|la|um|uma|le|les|des|os|l['’]) ?"
_WHO = rf"(?:(?i:{_ARTICLES})*(?i:{_STAFF})|{_NAME})"
_OPENING = (
    r"(?!(?i:i|it|that|this|there|we|you|your|the|a|an|my|done|just|have|has|already|all|yes|yep|ok|okay|ich|es|das|"
    r"du|wir|sie sind|dein\w*|die|der|schon|jetzt|ja|habe?|lo|la|las|los|el|ya|sí|tu|su|he|hemos|o|os|as|já|eu|sim|"
    r"foi|le|les|je|j['’]ai|on|c['’]est|ton|ta|il y|ça|oui|я|мы|это|всё|все|уже|да|твой|твоя|готово)\b)"
)
"""What a sentence that begins with a name does not begin with."""
_DONE_EN = r"(?!(?:been|gotten)\b)\w+(?:ed|en|n|ne|nt|ught|ut|id|ept|et|ook|ot|ade)"
_DONE_DE = r"(?:\w{0,5}ge\w+(?:t|en)|\w+iert|(?:ent|ver|be|er|zer)\w+(?:t|en))\b"
_DONE_ROMANCE = r"\w+(?:[ai]d[oa]s?|[éiu]e?s?|[ei]t[oa]s?|ites?|ises?)"
_IT_RU = r"(?:его|её|ее|их|это|этот|эту|тот|ту)"
_ALREADY_RU = r"(?:(?:уже|вчера|сегодня|только что) )*"
_BY_RU = r"(?:модератором|админом|владельцем|[А-ЯЁ][а-яё]+(?:ой|ей|ом|ем|ым|ью))\b"
_WHEN = (
    r"(?: (?:already|yesterday|today|earlier|just now|this morning|last night|over|down|off|up|out|care of|ya|ayer|hoy|"
    r"antes|já|ontem|hoje|déjà|hier|ce matin|уже|вчера|сегодня))?"
)
_HAVE_THEY = r"(?:(?:ya|já) |(?:ya |já )?(?:l[aoe]s?|[ao]s?|se l[aoe]s?) )"
_WAYS = (
    # "was removed yesterday by Sara"
    rf"\b{_DONE_EN}{_WHEN} by {_WHO}",
    # "Sara already removed it", "one of the mods has deleted that poll", "Ben took it down"
    rf"^{_OPENING}{_WHO} (?:(?:has|had|already|just|have) ){{1,2}}{_DONE_EN} (?:(?:down|off|up|out) )?"
    r"(?:it|that|this|the|them|him|her|your|those|down|off|out)\b",
    rf"^{_OPENING}{_WHO} \w+(?:ed|ade|ook|ent|ept|ut) (?:it|that|this|the|them|him|her|your|those)\b",
    # "wurde von Sara gelöscht"; "Sara hat die Umfrage schon gelöscht"
    rf"\bw[ui]rde?n? .{{0,30}}?\b(?:von|vom|durch) {_WHO}(?: \w+){{0,3}}? {_DONE_DE}",
    rf"^(?i:eine?r? |der |die )?{_OPENING}{_WHO} (?:hat|haben) (?:(?:schon|bereits|gestern|heute|gerade) )*"
    rf"(?:den|die|das|dein\w*|es|ihn|sie|ihm|ihr|eine?n?)\b.{{0,50}}?{_DONE_DE}",
    # "borrada ayer por Sara", "apagada pela Sara", "supprimé par Sara"
    rf"\b{_DONE_ROMANCE}{_WHEN} (?:por|pel[oa]s?|par) {_WHO}",
    # "Sara ya la borró", "a Sara já apagou", "un moderador ya lo ha quitado"
    rf"^(?i:ya |já )?(?i:un |una |uma? |el |la |os? |as? )?{_OPENING}{_WHO} {_HAVE_THEY}"
    r"(?:\w{2,}(?:ó|ou|eu|iu)|(?:ha|había) \w+(?:ado|ido|to))\b",
    # "Sara l'a déjà supprimé"
    rf"^(?i:un |une |la |le |l['’])?{_OPENING}{_WHO} (?:l['’]a|l['’]ont|les a|a|ont|vous l['’]a|te l['’]a) (?:déjà )?"
    r"\w{2,}(?:é|i|u|it|is)e?s?\b",
    # "удалён Сарой"; "Сара уже его удалила"
    rf"\b\w+(?:ен|ён|ан|ят|т)[аоы]?{_WHEN} {_BY_RU}",
    rf"^{_OPENING}{_WHO} {_ALREADY_RU}(?:{_IT_RU} \w+л[аи]?|\w+л[аи]? {_IT_RU})\b",
)
_ANOTHER = re.compile("|".join(_WAYS))
_SPEAKER = re.compile(r"(?:I|I['’](?:ve|m)|Ich|J['’]\w|Je|Yo|Eu|Я)\b")
"""Who begins with themselves tells of a deed of their own, whoever else is named behind it."""


def tells_of_another(sentence: str) -> bool:
    """Say whether a sentence says who did it, and that it was not the speaker."""
    return not _SPEAKER.match(sentence) and bool(_ANOTHER.search(sentence))
