"""Say whether an answer takes a deed that was asked for as done, in six languages, whatever words it uses for that.

The ways to say that something is done have no end, and the ways not to say it are few: to refuse, to fail, to ask back,
to offer, to set a condition, to tell somebody what to do, to name who else decides. What stands first counts: whoever
says "done" and then "you can write again" offers nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.mind.claim_forms import ClaimedAction
from bot.text.phrase_table import PhraseTable, is_word, words_of

A = ClaimedAction
_CLASSES = {
    "PERSON": "admin admins moderator moderators mod mods owner staff team support bank shop chef besitzer moderatoren "
    "moderation leitung dueño dueno moderador moderadores soporte equipo dono moderacao suporte equipe moderateur "
    "moderateurs proprio админ админы админа модератор модераторы модераторов владелец поддержка поддержку",
}
_REFUSES = """
can't, cannot, couldn't, can not, have not, has not, haven't, hasn't, had not, unable, i won't, i will not
won't be able, i don't, i do not, i didn't, i did not
i haven't, i've not, i'm not, i am not, i've no, i've got no, i have no, i've never, i never, i wouldn't
i'd rather not, i doubt, no way for, no way to, not possible, impossible, not able, not allowed, not something i
isn't something i, not my, isn't mine, aren't mine, not mine, beyond me, beyond my, above my, out of my, not in this
not here, not from here, didn't work, doesn't work, not working, went wrong, failed, fails, an error, timed out
gave an error, crashed, afraid, unfortunately, sadly, i wish, sorry but, made .. up, i lied, only said, nothing i
nothing was, nothing has, nothing went, nope, no idea, no clue, no access, no permission, no tool, without permission
lack the, lacks the, missing the, am just, am only, i'm just, i'm only, don't have, does not exist, doesn't exist
isn't a thing, no such, have no view, not part of, kann ich nicht/leider/hier/dir/gar, ich .. kann .. nicht
ich .. kann .. kein*, kann .. kein* .., leider, nicht moglich, geht nicht, geht leider, geht bei mir, ist nicht drin
nicht drin, nee, darf .. nicht, darf .. nur, darf ich nicht, ich .. darf .. kein*, hab ich kein*/nicht/nie/gar
habe ich kein*/nicht/nie/gar, ich habe .. kein*/nicht, ich hab .. kein*/nicht, keinen zugriff, keine rechte
keine berechtigung, keine ahnung, kein recht, fehlt mir, fehlen mir, mir fehlt, mir fehlen, fehlgeschlagen
schiefgegangen, schiefgelaufen, fehler, nicht geklappt, klappt nicht, hat nicht funktioniert, funktioniert .. nicht
gar nichts, ich .. niemand*, ich .. nicht, nicht meine*, bin .. bloss, bin .. nur, werde .. nicht, weiss .. nicht
nicht zustandig, keinen einblick, brauchte, brauchte es, bringe ich nicht, nicht von hier, nichts gespeichert
nicht verfugbar, dafur brauch*, no puedo, no podria, no tengo, no tenemos, no soy, no estoy, no se me, no me es
no hago, no toco, no me dejan, no dispongo, no he, no hay forma, no hay manera, no es posible, imposible, lo siento
perdon, perdona, lamento, lamentablemente, desgraciadamente, no va a poder, no manejo, no gestiono, no llego
no alcanzo, ojala, ha fallado, fallo, fallado, no funciono, error al, hubo un error, dio error, no cuento con
sin permiso*, sin acceso, no compre, no envie, no guarde, ni puedo, ni loco, no me corresponde, no veo, no esta en mi
no depende, me temo, la verdad es que no, no consigo, no pude, no sirvo, nao posso, nao consigo, nao consegui
nao tenho, nao sou, nao estou, nao to, nao faco, nao sei, nao mexo, nao rola, nao da, nao deu, nao e possivel
nao dou, nao vejo, nao cuido, nao sai, nao pude, nao tem como, infelizmente, desculpa, impossivel, falhou, deu erro
ocorreu um erro, erro ao, sem permissao, sem acesso, nao enviei, nao criei, nao chego, nao alcanco, ainda nao
nao funciona, so funciono, nao depende, nao salvei, nao gravei, nem se, quem dera, nao e comigo, nao me deixa*, je ne
je n', je peux pas, je sais pas, j' ai pas, je suis pas, malheureusement, desole, desolee, navre*, pas possible
pas ici, pas en mesure, pas acces, pas les droits, pas le droit, pas la permission, aucun moyen, aucun acces
a echoue, echoue, erreur, n' a pas marche, n' a pas fonctionne, ca marche pas, rate, n' existe pas, depasse
hors de ma portee, pas de mon ressort, ce n' est pas, c' est pas, n' est pas possible, j' aimerais bien, helas
je crains, pas autorise*, me manque, не могу, не смогу, не смог, не смогла, не умею, не вижу, не знаю, не имею
не получится, не получилось, не удалось, не вышло, не работаю, не работает, не прошла, не прошло, не буду, не стану
не занимаюсь, не управляю, не обращался, не отправлял*, не забронир*, не сохран*, не записал*, не создавал*, не звоню
не делал*, не имел*, не дано, нет доступа, доступа нет, доступа .. нет, нет прав, прав нет, нет такой
нет возможности, нет поиска, поиска .. нет, у меня .. нет, у меня нет, нет у меня, нельзя, невозможно, к сожалению
увы, извини, извините, прости, простите, виноват, ошибка, ошибкой, сбой, недоступ*, выдумал*, ничего не, никому не
никуда не, честно нет, я бы, рад бы, рада бы, не в моих, не мое, не по моей, мне не, я не, я ничего, я никому
я только, я лишь
"""
"""Words of a refusal, or of a failure, wherever they stand."""
_WITHHOLDS = """
according, can, not, never, nothing, nobody, none, neither, without, would, could, might, may, should, must
want/wanna me, shall, if, once, unless, until, as soon as, whether, when, before, only, usually, normally, typically
how, which, you can, you could, you need, you have to, you'll have to, you'll need, you'd, you should, you must
you may, your side, needs to, has to, have to, i can, i could, i'd, let me know, let me check, let me see
let me look, tell me, give me, send me, i need, i'll need, try, ask PERSON, ask _, head to/over, go to/into, open
click, tap, press, hit, hover, type, use, right-click, right click, hold, select, choose, pick, write to, contact
message, mention, call, ping, post, check, see, look in/under/at, works with, works by, works through, handled by
handles, handle, is handled, are handled, manages, decides, in charge, responsible, up to, belongs to, best bet
there's a, there is a, option, settings, button, menu, link is
PERSON can/could/must/need*/has/have/handle*/do/does/decide*, the one who, it's _ who, has the, someone with
somebody with, instead, imagine, maybe, perhaps, probably, sounds, depends, working on, still, pending, not yet
in theory, as an, nicht, nichts, nie, niemand*, kein*, ohne, wurde, wurde ich, konnte, konntest, musste, musstest
sollte, solltest, soll ich, sollen wir, willst, mochtest, wenn, falls, sobald, bevor, erst, nur, bloss, normalerweise
meist, meistens, du kannst, kannst du, du musst, musst du, du brauchst, ihr konnt, man kann, ich kann, kann ich
ich konnte, sag mir, sag bescheid, gib mir, schick mir, schick, schreib, geh, ruf, frag, klick*, tipp*, druck*, halte
offne, wahle, wahl, nutze, nutz, benutz*, versuch*, probier*, wende, wend, schau, guck, red, sprich, macht _
kummert sich, zustandig, verwaltet, entscheidet, vergibt, vergeben, muss PERSON, darf
PERSON kann/konnen/darf/durfen/muss/mussen, welche*, welcher, wer genau, unter, oben rechts, unten links
einstellungen, knopf, geht uber, geht mit, geht nur, stattdessen, vielleicht, eventuell, wohl, noch nicht, warte noch
hatte, ware, das ware, am besten, liegt bei, ist sache, nunca, nada, nadie, ningun*, sin, tampoco, seria, podria
deberia, quieres que, quieres, si, cuando, hasta que, antes, solo, unicamente, normalmente, puedes, podeis
tienes que, debes, hay que, se puede, puedo, dime, dame, mandame, pasame, prueba, intenta, pregunta*, pide*, pulsa*
toca, haz, ve a, vete, entra, abre, escribe*, usa, habla, manten, mira en, busca en, contacta, consulta, llama
menciona, eso lo, lo decide, lo lleva, lo gestiona, se encarga, encargado, depende, PERSON puede*/decide*/tiene*
el que, la que, quien, tendria*, tendrias, habria, ajustes, boton, en su lugar, quizas, quiza, tal vez, todavia, aun
para eso, para ello, hace falta, necesito, a cual, nao, ninguem, nenhum*, sem, nem, poderia, deveria, quer que
queres que, quer, se, quando, ate, so com/o/a/os/as/quem/se/depois, apenas, somente, pode, podes, tem que, tens de
precisa*, da pra, da para, posso, me fala, me diz, me passa, me manda, tenta*, tente, pergunta*, peca, pede, clica*
toca em, aperta, segura, vai em, vai no, va em, escreve, fala com, olha em, contata, chama, quem cuida, cuida disso
cuida, e com, quem decide, decide, gerencia, PERSON pode*/decide*/tem, quem, so ganhando, configuracoes, botao
em vez, talvez, ainda, pra isso, para isso, preciso, qual, no rodape, no menu, daria, faria, o link, ne, n', pas
jamais, rien, personne, aucun*, sans, non, serait, pourrais, pourrait, devrais, faudrait, il faut, tu veux
vous voulez, veux-tu, voulez-vous, quand, lorsque, des que, une fois que, avant, seul, seule, seulement, uniquement
normalement, tu peux, vous pouvez, peux-tu, tu dois, vous devez, je peux, je pourrais, dis-moi, dis moi, donne-moi
envoie, ecris, ecrivez, essaie, essaye, demande*, clique*, cliquez, appuie, appui, tape, va, allez, ouvre, ouvrez
utilise*, mentionne, contacte, appelle, vois, voyez, regarde dans/ton/ta/en, cherche dans, qui gere, gere
s' occupe de/du/des, qui s', c' est _ qui, reserve aux/a, ressort, PERSON peut/peuvent/decide/doit, quel, quelle
parametres, bouton, le lien, a la place, peut-etre, sans doute, encore, pour ca, besoin, j' ai besoin, plutot
dans quel, a quelle, не, ни, нет, никогда, никто, никак*, без, бы, если, когда, пока, сначала, только, лишь, обычно
можешь, можете, можно, нужно, надо, придется, должен, должна, могу, хочешь, хотите, мне, скажи, напиши*, попробуй*
попроси*, спроси*, обратись, зажми, нажми*, открой*, зайди*, выбери*, используй*, проверь, посмотри, введи
занимается, занимаются, решает, решают, раздает, раздают, отвечает за, PERSON может/могут/должен/решает, какой, какую
какое, какие, во сколько, куда, настройк*, кнопк*, меню, вместо, наверное, возможно, вроде, еще, для этого, подскажи*
тот кто
"""
"""Words of an offer, a condition, an instruction, or of somebody else's duty: they count until something is said "
"done."""
_DONE = """
done, sorted, all set, set, handled, taken care, consider, boom, poof, voila, ta-da, tada, presto, there you go
here you go, here's your, gone, booked, all yours, already, just, now, i've, we've, it's been, i have, has been
have been, 's been, been, is on, are on, is up, is in, is live, 's up, 's on, 's in, yours, confirmed, complete
completed, successful, successfully, effective, as of, from here on, it's on, it's in, on record, on file, locked in
no longer, any more, anymore, ✅, ✔, ☑, 📌, 👌, 🔒, 🔇, erledigt, fertig, geschafft, passiert, gemacht, zack, schwupps
jetzt, nun, bereits, schon, soeben, gerade, eben, grad, ab sofort, ab jetzt, hab, habe, hab's, ist raus, sind raus
sitzt, steht, stehst, laufst, lauft, hangt, bist jetzt, bist du, hast jetzt, hast du, weiss bescheid, geht klar
wird gemacht, mach ich, abgehakt, notiert, geritzt, ist gebucht, wurde, wurden, du bist, bist raus, bist drin, listo
lista, hecho, ya, ahora, acabo, quedo, queda, quedaron, confirmad*, dicho y hecho, hemos, he, has sido, ha sido
dalo por, pronto, prontinho, feito, ja, agora, acabei, ficou, fechou, certinho, resolvid*, deixa comigo, tudo certo
fait, faite, te voila, deja, maintenant, desormais, viens, vient, j' ai, c' est bon, c' est fait, c' est note
c' est regle, a ete, ont ete, bien ete, t' es, tu es, et hop, hop, confirme*, regle, готово, сделано, уже, теперь
держи, лови, все, только что, готов, готова, выполнено, сделал*, отныне
"""
"""Words of a result: what stands behind the first of them takes nothing of it back."""
_PROMISES = """
i'll, i will, i'm going to, will do, remind*, shout, reminder, alarm, timer, watching, keep .. eye, ich, erinner*
wecker, bescheid, sag ich, geb ich, te aviso, te recuerdo, te avisare, te recordare, recordatorio, alarma, despierto
aviso, atento, te lembro, te chamo, lembrete, alarme, alerta, vou te, de olho, aviso voce, rappel, rappelle*
previens, previendrai, reveille*, minuteur, fais signe, surveille, напомню, разбужу, дерну, пингану, свистну, маякну
позову, таймер, будильник, напоминани*, слежу, сообщу
"""
_LOOKED = """
i/just/i've looked, i/just/i've/have checked, looked .. up, looked it up, had .. look, had .. peek, took .. look
checked, searched, googled, went through, dug up, dug through, i found, found it, just saw, peeked, consulted
scanned, combed through, pulled up, nachgeschaut, nachgesehen, geguckt, geschaut, nachgeguckt, gegoogelt
recherchiert, gesucht, gefunden, gecheckt, gepruft, nachgeschlagen, consulte, consultado, consultarlo, mire
he mirado, de mirar, de mirarlo, busque, buscado, buscarlo, googlee, revise, revisado, comprobe, comprobado, encontre
eche un vistazo, echado un vistazo, averigue, pesquisei, procurei, busquei, olhei, conferi, chequei, dei uma olhada
dei uma conferida, encontrei, achei, verifiquei, consultei, vi no, vi na, regarde, regarder, verifie, verifier
cherche, consulter, trouve, jete un oeil, alle voir, allee voir, recherche faite, посмотрел*, глянул*, нашел, нашла
нашлось, погуглил*, загуглил*, проверил*, поискал*, заглянул*, узнал*, уточнил*, пошарил*
"""
_KEPT = """
saved, stored, noted, recorded, registered, remembered, memorized, memorised, logged, in my memory, in my notes
on record, on file, gespeichert, abgespeichert, notiert, gemerkt, vermerkt, eingetragen, hinterlegt, guardado
anotado, registrado, apuntado, grabado, memorizado, salvo, gravado, salvei, anotei, gravei, registrei, guardei
enregistre*, note, notee, retenu, memorise*, запомнил*, записал*, сохранил*, запомнено, записано, сохранено
"""
_ELSEWHERE = """
PERSON, # _, website, site, app, page, web, tab, profile, policy, everyone's, rule, rules, seite, webseite, handy
telefon, phone, telefono, movil, celular, portable, сайт*, телефон*, pagina, perfil, profil, rubrique, decision
decisao, entscheid*
"""
"""Where a bare statement tells of how things are done here, and not of what was."""
_YES = "^yes, ^yep, ^yeah, ^yup, ^sure, i did, ^did, ^ja, ^jo, ^jap, hab ich, ^si, ^sim, ^oui, ^ouais, ^да, ^ага, ^угу"
_DID = re.compile(
    # a verb of the past or a participle first: nobody else is said to have done it
    r"\W*(?:já |ya |yes |yep |sí |sim |да |уже |und |y |e |et )?(?:\w{2,}(?:ed|ei|é|í)|ge\w{2,}t|\w{3,}iert"
    r"|(?!(?:no|na|el|la|los|las|o|a|os|as|le|les|un|une?|uma?) )(?:[\w№#-]+ ){0,2}?(?:\w{3,}(?:[ai]d[oa]s?|ée?s?)"
    r"|[а-яё]{2,}(?:ен|ён|ан|[ея]т)[аоы]?)"
    r"|(?:[а-яё]{2,} )?[а-яё]{2,}(?:ла?|лся|лась))(?!\w)"
    # in German the participle stands last
    r"|.{0,60}?\b(?:ist|sind|hat|hab|habe|hab's|wurde|wurden)\b.{0,60}?"
    r"\b(?:\w{0,5}ge\w{2,}(?:t|en)|\w{3,}iert)\W*$",
    re.IGNORECASE,
)
"""A sentence that is a report."""
_DENIES = re.compile(r"n['’]t\b|\b(?:not|nicht|pas|não|nao|ни|не)\b", re.IGNORECASE)
_SAYS_NO = re.compile(r"\W*(?:no(?![- ])|nope|nah|nein|nee|non|não|nao|нет|неа)\b", re.IGNORECASE)
"""An answer that begins so is none that something was done."""
_PORTUGUESE = frozenset(
    [
        "nao",
        "ja",
        "ta",
        "tao",
        "pra",
        "pro",
        "voce",
        "vc",
        "nele",
        "nela",
        "dele",
        "dela",
        "seu",
        "sua",
        "teu",
        "tua",
        "uma",
        "foi",
        "em",
        "na",
        "da",
        "dos",
    ]
)
_LEAST_PORTUGUESE = 2
_MAX_BARE_CHARS = 130
_FORM_CHARS = 4
_TABLE = PhraseTable(
    {
        "refuses": _REFUSES,
        "withholds": _WITHHOLDS,
        "done": _DONE,
        "promises": _PROMISES,
        "looked": _LOOKED,
        "kept": _KEPT,
        "elsewhere": _ELSEWHERE,
        "yes": _YES,
        "no": "no",
    },
    _CLASSES,
)
_REFUSAL = PhraseTable(_REFUSES)
_NEEDS_MORE = {
    A.REMIND: frozenset({"promises", "done"}),
    A.LOOK_UP: frozenset({"looked"}),
    A.SAVE: frozenset({"done", "kept"}),
    A.REMEMBER: frozenset({"kept"}),
}
"""What may be answered with mere words: it has to be said that it was, or will be, done."""
_MAX_CHARS = 400
"""A longer answer gives what was asked for in its own words."""


class _Part:
    """A sentence, its words, whether it is a question, and where each kind of words begins in it."""

    def __init__(self, text: str, is_question: bool) -> None:
        self.text = text
        self.words = words_of(text)
        self.is_question = is_question
        self.signs: dict[str, int] = {}
        for at, _, sign in _TABLE.labelled(self.words):
            self.signs.setdefault(sign, at)

    def first(self, *signs: str) -> int:
        """Return where the first word of these kinds stands; behind the last where none does."""
        return min(self.signs.get(sign, len(self.words)) for sign in signs)

    def denies_at(self) -> int:
        """Return where "no" denies; in Portuguese it is a place."""
        is_place = len(_PORTUGUESE.intersection(self.words)) >= _LEAST_PORTUGUESE
        return len(self.words) if is_place else self.first("no")


def takes_as_done(
    sentences: Sequence[tuple[str, bool]], action: ClaimedAction, asked: str, *, was_before: bool = False
) -> str:
    """Return the sentence with which an answer takes an action as done; empty where it does not.

    Each sentence comes with whether it is a question; `was_before`: it was asked whether it had been done.
    """
    size = sum(len(text) for text, _ in sentences)
    if size > _MAX_CHARS:
        return ""
    parts = [part for part in (_Part(*sentence) for sentence in sentences) if any(map(is_word, part.words))]
    signs = _signs(parts)
    if parts and not was_before and _SAYS_NO.match(parts[0].text):
        return ""
    if "refuses" in signs or (action in _NEEDS_MORE and signs.isdisjoint(_NEEDS_MORE[action])):
        return ""
    done = ("done", *(("looked",) if action is A.LOOK_UP else ()), *(("yes",) if was_before else ()))
    for part in parts:
        said = 0 if _DID.match(part.text) else part.first(*done)
        if part.is_question or min(part.first("withholds"), part.denies_at()) < said:
            return ""
        if said < len(part.words):
            return part.text
    return parts[0].text if parts and size <= _MAX_BARE_CHARS and _is_of_request(parts, asked) else ""


def refuses(text: str) -> bool:
    """Say whether a text has words of a refusal or a failure."""
    return _REFUSAL.holds(words_of(text))


def _signs(parts: Sequence[_Part]) -> frozenset[str]:
    return frozenset(sign for part in parts for sign in part.signs)


def _is_of_request(parts: Sequence[_Part], asked: str) -> bool:
    """Say whether a bare statement tells of what was asked for, and not of how things are done here, or are not."""
    signs = _signs(parts)
    if "elsewhere" in signs or any(_DENIES.search(part.text) for part in parts):
        return False
    wanted = {word[:_FORM_CHARS] for word in words_of(asked) if len(word) >= _FORM_CHARS}
    return any(word[:_FORM_CHARS] in wanted for part in parts for word in part.words)
