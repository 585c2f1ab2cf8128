"""Say whether a text asks the bot for silence, in six languages: a sign beside others, and no proof.

That somebody else is quiet, a title, and how an answer is to be written (short, in French, without lists) are none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.mind import silence_phrases as phrases
from bot.text.phrase_table import LEADS, PhraseTable, is_word, words_of
from bot.text.terms import plain

_MAX_CHARS = 2_000
_QUOTED = re.compile(r"\"[^\"\n]{1,200}\"|“[^“”\n]{1,200}”|„[^„“”\n]{1,200}[“”]|«[^«»\n]{1,200}»")
_SENTENCE = re.compile(r"[^.!?;\n]+")
_SPEAK = (
    r"(?:answer|repl|respon|react|speak|talk|chim|step(?:s|ping)? in|jump in|join|engag|listen(?:s|"
    r"ing)?(?= (?:to|only))|obey|contact|discuss|says?\b"
    r"|chat|write|antwort|reagier|misch|meld|sprech|sprich|red(?:e|et|en)\b|sag|schreib|hor(?:e|st|t|en)?\b|"
    r"gehorch|geh(?:e|st)? "
    r"|contest|habl|interven|atiend|atend|met(?:as|er|e|en|endo|ido)\b|opin|escrib|coment|fal[aeo]|diz\b|dig|"
    r"intervir|intervenha"
    r"|repond|parl|interv|ecout|obei|reag|ouvr(?:es|ir|e)\b|derang|отвеч|ответ|говор|пиш|писать|реагир|слуша|"
    r"подчин|вмешива|вступа"
    r"|голос|обсужда|общ)"
)
_ONLY = (
    r"(?:only|solely|exclusively|just|sole|nur|ausschliesslich|bloss|allein|solo|solamente|unicamente|nomas|"
    r"apenas|somente"
    r"|exclusivamente|so|uniquement|seulement|exclusivement|только|исключительно|лишь)"
)
_WHEN = (
    r"(?:if|when|once|unless|to|wenn|falls|sobald|auf|an|si|cuando|a|se|quando|quand|lorsque|pour|если|"
    r"когда|кто|кому|на|от|from)"
)
_NOT = (
    r"(?:not|never|no|nobody|none|don'?t|doesn'?t|won'?t|mustn'?t|shouldn'?t|nicht|nichts|nie|niemals|"
    r"niemand\w*|kein\w*|nunca"
    r"|jamas|nadie|nada|nao|ninguem|nem|ni|ne|pas|plus|rien|jamais|personne|не|ничего|никогда|никто|никому|ни)"
)
_MANNER = (
    r"(?: \w+){0,2} (?:with|mit|con|com|avec|without|ohne|sin|sem|sans|без|as|als|como|comme|de usted|de tu|in|"
    r"auf|en|em|по|на"
    r"|капсом|матом|стихами|списками|транслитом|too|so|zu|muy|muito|trop|слишком) ?(?!dem|der|die|den|this|the|"
    r"here|este|esse|ce|этом|private|dms?\b)\w*"
    r"|,? ?\b(?:dass|that|que|qu'|что)\b"
)
_TO_BOT = re.compile(
    r"\b(?:you|your|yourself|bot|assistant|du|dich|dir|tu|te|ti|contigo|usted|voce|vc|tua|teu|seu|toi|vous|ты|"
    r"тебе|тебя|вы|вам|бот\w*"
    r"|must|should|shall|may not|are to|is to be|be ignored|soll\w*|darf|durfen|muss|debes?|deben|puedes?|deve|"
    r"devem|podes?|pode"
    r"|dois|doit|faut|должен|должна|надо|нужно|нельзя|policy|rule|decision|decid\w+|regel|beschl\w+|norma|regla|"
    r"regra|decis\w+"
    r"|regle|правило|решение|решили|wants? silence|asked? to)\b"
)
_ORDERS_FIRST = re.compile(
    r"^\W*(?:please |bitte |por favor |пожалуйста,? )?(?:stay|remain|be|keep|go|ignore|disregard|skip|mute|stop|"
    r"avoid|refrain|don'?t|do not"
    r"|never|no (?:answer|repl|respons)\w*|let|leave|hold|silence|quiet|sei|bleib\w*|schweig\w*|ignorier\w*|"
    r"halt\w*|nicht|nie|keine?|sag|sprich|schreib|red|rede|hor|di |dile|fala |diga|dis |parle|reponds|habla|"
    r"responde|contesta|скажи|говори|пиши"
    r"|antworte\w*|reagier\w*|lass\w*|misch\w*|guarda\w*|calla\w*|callate|ignora\w*|no |nunca|ni |evita\w*|"
    r"deja\w*|mantente|quedate"
    r"|fica\w*|cala\w*|ignore\w*|nao |deixa\w*|evite\w*|mantenha\w*|garde\w*|tais|taisez|ignore\w*|ne |"
    r"laisse\w*|evite\w*|reste\w*|plus "
    r"|молч\w*|игнориру\w*|не |никогда|никому|оставь\w*)(?:(?<=\s)|(?!\w))"
)
_QUIET = re.compile(
    r"\b(?:quiet|silen[ctz]\w*|ignor\w+|muted?|mute|schweig\w*|still(?: sein| bleiben| halten)?\b|stumm|"
    r"callad\w*|calla[rs]?|calle"
    r"|cale|calar|mudo|tais|taire|taise|muet|молч\w+|тишин\w*)\b"
)
_QUIET_MATTER = re.compile(
    r"\bignor\w+ (?:\w+ ){0,2}?(?:typo|error|spelling|grammar|whitespace|noise|emoji|format|tippfehler|"
    r"rechtschreib|fehler|errata"
    r"|falta|erro|faute|orthograph|опечат|ошибк)\w*"
)
_OTHER_VERB = re.compile(
    r"\b(?:no|nao|ne|nicht|don'?t|not|never|не|nunca|nie) (?:us[ae]|utili[zs]|verwend|benutz|emplo|использ|испол"
    r"|be (?:afraid|shy|scared)|hesit|zoger|dud[ea]|temas|стесня|бойся|scheu|tenhas? (?:medo|vergonha))"
)
_IDIOMS = re.compile(
    r"\b(?:float by|slide by|let (?:it|them|those|that) (?:go|pass|slide|be)\b|stay out of|keep out of|butt out|"
    r"sit (?:this|it) out"
    r"|hands off|zip it|lips sealed|mum'?s the word|radio silence|lurk\w*|read[- ]only|hold (?:your|its) tongue|"
    r"speak when spoken"
    r"|halt dich raus|raushalten|halte dich zuruck|halt(?:e)? die klappe|klappe halten|mund halten|funkstille|"
    r"sendepause|links liegen"
    r"|nicht beachten|luft fur dich|gehst du nicht|nicht mehr ein|nur mitlesen|mitlesen"
    r"|ni caso|ni pio|hazte el (?:sordo|mudo|muerto)|calladit\w+|pico cerrado|boca cerrada|no te metas|"
    r"como si no (?:existiera|estuviera)"
    r"|solo lectura|pasa de (?:el|ella|todo)|sordo y mudo"
    r"|bico (?:calado|fechado)|boca (?:fechada|de siri)|faz de conta|finge que nao|so leitura|nao (?:da|des|"
    r"de) bola|nao (?:te )?liga[sr]?\b"
    r"|passa batido|deixa passar|nao (?:se )?mete\w*|se metendo"
    r"|fais le mort|fait le mort|bouche cousue|motus|plus un mot|pas un mot|laisse (?:tomber|passer|courir|"
    r"couler)|lecture seule"
    r"|ne merite(?:nt)? pas|n'y prete pas|fais comme s|reste en retrait|l'ouvres que|pas de reaction"
    r"|нем(?:а|ой)? как рыба|как рыба|молчок|рот на замок|ни слова|ни звука|будто его нет|как будто (?:его|ее|"
    r"их) нет|пропускай\w* мимо"
    r"|nao precisam? de (?:resposta|retorno)|no (?:necesitan?|merecen?) (?:respuesta|contest\w+)|"
    r"brauch\w+ keine antwort"
    r"|pretend (?:\w+ ){1,4}?(?:isn'?t|is not|doesn'?t|does not)|tu so,? als|als gabe es|haz como si|"
    r"fais comme si|сделай вид"
    r"|(?:quedate|mantente|fica|fique|bleib\w*|sei|stay|keep|remain|be|reste|sois|будь|"
    r"оставайся) (?:\w+ )?(?:callad|quiet|mudo|still\b|stumm"
    r"|silen|muet|тих)\w*|mitgelesen|только чита\w+"
    r"|nichts? (?:antworten|reagieren|einmischen|beachten|kommentieren)|no (?:responder|contestar|intervenir)|"
    r"ne pas (?:repondre|intervenir|reagir)"
    r"|nao (?:responder|intervir)|не (?:отвечать|реагировать|вмешиваться)"
    r"|no (?:(?:le|les|me|nos|lo|la) )?(?:respond|contest|habl|met)(?:as|es|an|en)\b(?! (?:con|en|de|como|sin|"
    r"mas de)\b)"
    r"|nao (?:(?:lhe|lhes|me) )?(?:respondas?|fales?|intervenhas?)\b(?! (?:com|em|de|como|sem)\b)"
    r"|(?:^|tu |, |: )ne (?:lui |leur |en )?(?:reponds|parles?|dis|donnes? suite)\b \w++(?! (?:en|avec|de facon|"
    r"comme|sans)\b)"
    r"|(?:calla|callas|callate|schweigst|schweig|tais-toi|cala-te|молчи|молчишь)\b|(?:wird|"
    r"werden)\b.{0,60}?\b(?:nicht|nichts|kein\w*)\b.{0,20}?(?:gesagt|geantwortet|gesprochen|besprochen|"
    r"kommentiert|geredet)"
    r"|(?:is|are) (?:not|never) (?:to be )?(?:answered|discussed|commented)|no se (?:habla|responde|contesta|"
    r"comenta|opina)|needs? no (?:answer|reply|response)|не требу\w+ ответа|мимо ушей|не лезь|не встревай|"
    r"только читай\w*|в режиме чтения)"
)
_BY_TIME = re.compile(
    r"\b(?:bot|assistant|бот\w*|assistent\w*|asistente|assistente)\b.{0,40}\b(?:rests?|sleeps?|off\b|is off|"
    r"offline|frei|pause|schlaft|ruht"
    r"|feierabend|descans\w+|duerme|no (?:atiende|trabaja|habla)|dorme|folga|caminha|nao atende|dort|repos\w*|"
    r"conge|отдыха\w+|спит"
    r"|выходной|не работает|не пишет)"
    r"|\bу бота\b.{0,30}\b(?:выходной|перерыв|отдых)"
)
_OTHERS_FIRST = re.compile(
    r"\b(?:(?:let|give|leave) (?:the )?(?:people|humans?|members|folks|others)|humans? first|people first|"
    r"wait (?:for|until)"
    r"|(?:lass|gib) (?:erst )?(?:die |den )?(?:leute|menschen|anderen|mitglieder)|erst (?:die )?(?:menschen|"
    r"leute|anderen)|warte\w* (?:bis|ab)"
    r"|(?:primero|deja) (?:que )?(?:\w+ )?(?:las personas|la gente|los demas|los humanos)|espera a que"
    r"|deixa (?:a galera|o pessoal|as pessoas|a gente|os outros)|primeiro (?:as pessoas|os humanos|a galera)|"
    r"espera (?:que )?alguem"
    r"|laisse (?:les gens|les humains|les autres|les membres)|priorite aux|attend\w* que|d'abord les"
    r"|дай (?:людям|другим|сначала)|сначала люди|пусть сначала|подожди,? пока)\b.{0,80}?"
    r"(?:answer|talk|first|only if|hour|minute|before|step in|antwort|red|zuerst|erst|bevor|contest|respond|"
    r"nadie sabe|charl|antes"
    r"|convers|respond|fal|repond|parl|avant|intervenir|ответ|поговор|прежде|если)"
)
_TOLD_ONLY = re.compile(
    rf"\b{_SPEAK}\w*\W+(?:\w+\W+){{0,3}}?{_ONLY}\W+(?:\w+\W+){{0,1}}?{_WHEN}\b"
    rf"|\b{_ONLY}\W+(?:\w+\W+){{0,3}}?{_SPEAK}\w*\W+(?:\w+\W+){{0,3}}?{_WHEN}\b"
    rf"|\b{_SPEAK}\w*\W+{_ONLY}\b(?!{_MANNER})"
    r"|\bne\b(?:\W+\w+){1,4}?\W+qu(?:e|')\W*(?:si|quand|lorsqu|a\b|pour|sur)"
    r"|\b(?:sole|only) (?:person|one|user)\b(?: (?:it|you|the bot)\b)?|\b(?:apenas|so|somente|solo|solamente|nur|только"
    r"|uniquement)\b(?:\W+\w+){1,4}?\W+"
    r"(?:pode|podem|puede|pueden|darf|durfen|может|могут|peut|peuvent)\b|\bonly (?:\w+ ){1,4}?(?:may|"
    r"can) (?:give|ask|tell|talk|order)"
)
_WITHIN = "(?:in|im|en|em|dans|nas|nos|в|во|when|wenn|quando|cuando|quand|когда)"
"""What is forbidden inside of answers forbids none."""
_ONLY_ONE = re.compile(r"(?:sole|only) (?:person|one|user) (?:it|you|the bot)\b")
_PEOPLE = re.compile(
    r"\b(?:people|human|person|member|folk|other|some|any|users?\b|leute|mensch|ander|mitglied|jemand|gente|demas|algu"
    r"|nadie|galera|pessoa|outr|gens\b|autre|membre|quelqu|люд|друг|кто|участник|сначала|humain|hour|minute)"
)
_UNSPOKEN = re.compile(
    rf"\b{_NOT}\b\W+(?:(?!{_WITHIN}\b)[\w']+\W+){{0,3}}?{_SPEAK}\w*+(?!{_MANNER})|"
    rf"\b{_SPEAK}\w*\W+(?:[\w']+\W+){{0,3}}?{_NOT}\b(?!{_MANNER})"
)
_ORDERS = PhraseTable(phrases.ORDERS, phrases.CLASSES)
_OF_BOT = PhraseTable(phrases.OF_BOT, phrases.CLASSES)
_MATTERS = PhraseTable(phrases.MATTERS, phrases.CLASSES)
_YOU = "you you're you'll your du dir dich tu te ti usted voce vc toi vous ты тебя тебе вы вас"
_NAMES_BOT = frozenset((*_YOU.split(), *phrases.CLASSES["BOT"].split()))
_SUBJECT_WORDS = 6
_ANSWERS = ("answer", "repl", "respon", "antwort", "contest", "repond", "отвеч", "пиш", "говор", "parl", "fal", "habl")
_HOW = re.compile(
    r"^\S+ (?:\w+ ){0,2}?(?:with|mit|con|com|avec|without|ohne|sin|sem|sans|без|с|as|als|como|comme)\b"
    r"|\b(?:in|auf|en|em|на|по) (?:\w+ )?(?:engl|germ|deuts|fren|fran|span|espa|portu|port|russ|ital|ingl|alem|allem"
    r"|angl|англ|нем|русс|фран|испан|vers|list|caps|rhym|reim|rima|majus|mayus|maius|стих|спис|bullet|stich|prosa|slang)"
)


def speaks_of_silence(text: str) -> bool:
    """Say whether a text asks the bot to be silent: towards somebody, at times, in a place, or about a matter."""
    return any(_asks(sentence[0]) for sentence in _SENTENCE.finditer(_QUOTED.sub(" ", text[:_MAX_CHARS])))


def _asks(sentence: str) -> bool:
    words = words_of(sentence)
    if _MATTERS.holds(words):
        return False
    folded = plain(sentence).replace("’", "'").strip()
    if any(not _is_manner(words, *place) for place in _ORDERS.found(words)):
        return True
    if any(_is_of_bot(words, *place) for place in _OF_BOT.found(words)):
        return True
    if _IDIOMS.search(folded) or _BY_TIME.search(folded) or _waits(folded) or _is_told_only(folded):
        return True
    if (
        not (_QUIET.search(folded) or _UNSPOKEN.search(folded))
        or _QUIET_MATTER.search(folded)
        or _OTHER_VERB.search(folded)
    ):
        return False
    return bool(_ORDERS_FIRST.search(folded) or _TO_BOT.search(folded))


def _is_of_bot(words: Sequence[str], at: int, end: int) -> bool:
    """Say whether the bot is what something is said of: it is named right before or behind it."""
    return not _NAMES_BOT.isdisjoint((*words[max(0, at - _SUBJECT_WORDS) : at], *words[end : end + 2]))


def _is_manner(words: Sequence[str], at: int, end: int) -> bool:
    """Say whether an order says how to answer, and not whether: without lists, in another language."""
    if not any(word.startswith(_ANSWERS) for word in words[at:end]):
        return False
    behind = " ".join(words[end - 1 : end + 4])
    return _HOW.search(behind) is not None


def _waits(folded: str) -> bool:
    """Say whether others are to answer first; that bread has to cool first is told of bread."""
    return _OTHERS_FIRST.search(folded) is not None and _PEOPLE.search(folded) is not None


def _is_told_only(folded: str) -> bool:
    """Say whether the bot is to answer some only; that the cat listens to one person is told of the cat."""
    found = _TOLD_ONLY.search(folded)
    if found is None:
        return False
    if _ONLY_ONE.match(found[0]):
        return True
    before = [word for word in words_of(folded[: found.start()]) if word not in LEADS]
    return not before or not is_word(before[-1]) or not _NAMES_BOT.isdisjoint(words_of(folded))
