"""Say which action somebody asks for, in six languages, where only a tool could do it: remind, send, delete, book.

Words are no deed: what is explained, written, translated or told to the asker stands in the answer itself. A verb that
may mean either ("add", "change", "give") counts unless it is done to words, and the barest ("make", "give") only beside
a thing of the world.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from bot.mind.claim_forms import ClaimedAction
from bot.text.phrase_table import LEADS, PhraseTable, is_word, words_of

A = ClaimedAction
_MAX_WORDS = 60
_CLASSES = {
    "SOMEBODY": ("him her them everyone everybody people ihm ihr ihnen allen alle le les lui leur ему ей им всем всех"),
    "WORLD": (
        "role* roles access permission* admin* mod mods moderator* vip dj point* coin* credit* badge* rank xp "
        "ticket* poll* channel* event* thread* reminder* reservation* appointment* backup* invite* refund* group* "
        "server* account* playlist* booking* nick* pdf rolle* zugang zugriff recht* adminrecht* punkt* munze* "
        "umfrage* kanal* termin* erinnerung* reservierung* einladung* konto gruppe* bestellung* bescheid rang "
        "abzeichen rol acceso permiso* puntos moneda* encuesta* canal* evento* hilo* recordatorio* reserva* cita* "
        "invitacion* reembolso* grupo* cuenta* rango insignia* cargo* acesso permissao permissoes ponto* moeda* "
        "enquete* topico* lembrete* convite* estorno* conta advertencia banco mute ban timeout warn warning* kick "
        "acces droit* points piece* sondage* salon* evenement* fil rappel* rendez-vous invitation* remboursement* "
        "groupe* compte avertissement* verwarnung* strafe роль роли доступ права админк* модерк* очк* балл* монет* "
        "опрос* канал* событи* ветк* напоминани* бронь встреч* приглашени* возврат* групп* сервер* тикет* заявк* "
        "аккаунт* предупреждени* ранг"
    ),
    "MUSIC": (
        "music song* track* playlist* some something sth radio tune* album musik lied lieder was musica cancion* "
        "tema musicas som pagode musique morceau* chanson* музык* песн* трек* плейлист* что-нибудь"
    ),
}
_REQUESTS: Mapping[str, str] = {
    A.REMIND: """
remind*, wake me/us, ping me/us, nudge me/us, alert me/us, alarm .. for/at, set .. timer/alarm/reminder*
let me/us know when/if/as/once, tell me/us when/once, keep .. eye, keep watch*, watch the/for/this/that, monitor*
erinner*, weck*, sag .. bescheid, stell .. wecker/timer/erinnerung*, behalt* .. auge, beobachte*
melde dich wenn/sobald, recuerdame*, recuerdanos, recordame, recordarme, avisame, avisarme, despiertame, despertarme
acuerdame, vigila*, pon*/ponme .. alarma/recordatorio/temporizador, me lembra*, me lembre, lembra-me, lembre-me
me avis*, avisa-me, me acorda*, me desperta*, me chama as/quando/amanha, fica* de olho, coloca .. alarme
poe .. alarme, rappelle-moi, rappelle moi, rappelle-nous, rappelez-moi, me rappeler, reveille*, me reveiller
mets .. rappel/alarme*, mets .. minuteur/reveil, surveille*, previens-moi, previens moi, garde .. oeil, напомни*
разбуди*, разбудить, пингани, маякни, свистни, дерни меня, следи, последи, поставь .. будильник/таймер
поставь .. напоминани*, заведи .. будильник/таймер
""",
    A.SEND: """
send*, forward*, notify*, inform*, contact*, invite*, post, upload*, share, report, submit, announce*, deliver*, dm
e-mail, email, mail, message, msg, text him/her/them/my, call my/the/him/her/them/a, phone my/the/him/her/them
ring my/the/him/her/them, tell SOMEBODY/my/the/our, tell _, ask SOMEBODY/my/the, ask _ if/whether/to/when/for/about
let SOMEBODY/my/the .. know, let _ know, say hi/hello/sorry to, talk to, speak to, speak with, reach out
get in touch, pass .. on/along/to, hand .. over, hand in, check with, get .. to say, copy .. into, copy .. to
put .. on the/our drive/wiki/board, ping SOMEBODY/the/my, schick*, leit* .. weiter, informier*, benachrichtig*
kontaktier*, lad, lade, einlad*, poste, posten, lad .. hoch, lade .. hoch, hochlad*, stell .. rein/online
teil* .. mit, ruf*, anruf*, telefonier*, frag* bei/mal/den/die, frag* _ ob/wann/wie/nach
sag den/der/dem/allen/ihm/ihr/ihnen/unseren/meiner/meinem, sag _ dass/er/sie/ich/bescheid, gib .. bescheid
richt* .. aus, sprich mit, red mit, sprechen, meld* .. den/dem, verschick*, weiterleit*, bescheid sagen, envia*
mandale*, mandales, mandame, manda, mandar, mandarle, reenvia*, avisa, avisar, avisale*, avisales, notifica*
contacta*, invita*, publica*, sube, subir, subelo, comparte*, compartir, reporta*, denuncia*, llama a/al, llamar
llamale, dile*, diles, decirle*, pregunta a/al, preguntale*, habla con, hablar con, pasame, pasale*, comunica*
escribele*, pon .. en el/la drive/web/wiki/nube, envie*, mande, encaminh*, avise, contata*, convida*, convide, posta
publique, compartilh*, liga pra/para, ligar, fala com/pra/pro/para, falar com, pergunta pra/pro/para/ao
diz pra/pro/para/ao, passa pro/pra, repassa*, transmite, envoie*, envoyer, envoyez, transmets*, transmettre
transfere*, transferer, previens*, prevenir, previent, contacte*, publie*, partage*, signale*
appelle mon/ma/le/la/les/un, appeler, dis a/au/aux, dis-lui, dis-leur, dire a/au, demande a/au/aux, parle a/au/avec
fais suivre, avertis les/le/la, refile*, relance*, ecris a/au/aux, отправь*, отправить, пришли, прислать, скинь
скинуть, кинь, переслать, перешли, разошли, разослать, вышли, передай*, передать, сообщи*, уведоми*, предупреди*
позвони*, пригласи*, опубликуй*, запости, выложи*, поделись, пожалуйся, спроси у, спросить у, поговори с
поговорить с, свяжись, связаться, уточни*, попроси*, скажи ему/ей/им/всем/админ*/модер*, обратись, доложи, сбрось
загрузи
""",
    A.REMEMBER: """
call me, nenn mich, nenne mich, llamame, me chama de, me chame de, appelle moi, appelle-moi, appelez-moi, зови меня
называй меня
""",
    A.SAVE: """
remember* that/my/this/i/i'm/we/the/me, save that/my/this/it/the/these, note* .. that/down/my/this/it, store
log my/this/it, record that/my/this, write .. down, jot*, keep .. mind, keep that/this, memori*, bookmark
put .. record, put me/us/him/her/them down, don't forget that/i/i'm/my, merk*, speicher*, notier*, schreib* .. auf
halt* .. fest, vergiss nicht, vermerk*, guarda, guardar, guardate, guardame, anota*, apunta que/mi, memoriza*
registra*, grabate, graba, ^apunta, acuerdate de/que, no olvides, guarde, salva, salve, grave, lembra que, lembre que
nao esquece, memorize, retiens*, retenir, note que/mon/ma/mes/ca, notes que, enregistre*
garde ca/cela/mon/ma/cette/ce, souviens-toi, sauvegarde*, memorise*, n' oublie pas, запомни, запомните, запомнить
запиши, записать, сохрани*, сохранить, зафиксируй, занеси, внеси, не забудь что
""",
    A.DELETE: """
delete*, remove*, erase*, wipe*, clear the/my/our/all/everything, purge*, forget what/that/about/my/everything/it
clean up/out/the, archive*, unsubscribe*, unsub, take .. off/down, get rid of, drop me/my, sign me out, stop the
empty the/my, losch*, entfern*, vergiss was/dass/mein*/alles/das, vergiss bitte, archivier*, leer* den/die/das
nimm .. raus/aus/weg, raum .. auf, tilg*, wirf .. weg, meld* .. ab, trag* .. aus, borra*, elimina*, quita*, quitame
olvida lo/mi/que/todo, sacame, saca a, vacia*, limpia*, archiva*, suprime, dame de baja, desuscribe*, darme de baja
apaga*, deleta*, exclui*, exclua, remove, remova, tira, me tira, tirar, esquece o/que/tudo, limpa*, arquiva*
descadastra*, supprim*, efface*, effacer, enleve*, enlever, retire*, retirer, oublie ce/mon/tout/ma, vide le/la
desabonne*, desinscri*, nettoie, удали*, удалить, сотри*, стереть, убери*, убрать, забудь*, очисти*, вычисти
почисти*, отпиши*, выкинь, архивируй, снеси
""",
    A.MODERATE: """
ban, unban*, mute, unmute*, kick, timeout, silence him/her/them, block, unblock, warn, shut .. up, throw .. out
throw out, boot, let .. back in, give .. timeout/warning/ban/mute/strike, bann*, entbann*, mute*, stummschalt*
schalt* .. stumm, verwarn*, blockier*, schmeiss*, wirf .. raus, werf* .. raus, entsperr*, sperr*, banea*, desbanea*
silencia*, expulsa*, bloquea*, mutea*, desmutea*, echa a/al/lo/la, advierte*, bane, banir, bana, desbane*, desbana*
muta, mutar, desmuta*, silencie, expulse, bloqueia*, bloqueie, tira o mute/ban, da .. ban/mute/kick/advertencia
bannis*, bannir, deban*, vire*, virer, demute*, expulse*, exclus, exclure, bloque le/la/les/ce*, debloque*
avertis ce*, mets .. avertissement/sourdine, забань*, забанить, разбань*, замуть*, размуть*, кикни*, выгони*
заблокируй*, разблокируй*, заглуши*, вынеси .. предупреждение, кинь .. бан/мут
""",
    A.CHANGE: """
change, switch, turn, update, rename, set, enable, disable, activate, deactivate, fix, correct, adjust, move
postpone, reschedule, edit, reset, restore, merge, swap, increase, lower, raise, lock, unlock, close, reopen
make my/our name/nick*/role, make .. admin/mod/moderator/private/public/vip/dj, make me/him/her/them _, push .. back
bring .. forward, link my/the, get .. moved/changed/fixed/updated, mark, tick, cross .. off, extend, bump, mute the
stell*, setz*, ander*, wechsel*, umbenenn*, benenn*, aktivier*, deaktivier*, schalt*, verschieb*, verleg*, korrigier*
behebe, behebt, reparier*, schliess*, ersetz*, verlanger*, aktualisier*
mach .. aus/an/zu/auf/rein/stumm/leise/lauter/grun/blau/rot, hak* .. ab, markier*, tausch*, uberschreib*
mach lauter/leiser, mach mich zu/zum/zur, soll .. heissen/sein, cambia*, pon, ponme, poner, ponle, activa*
desactiva*, actualiza*, renombra*, corrige*, mueve*, mover, ajusta*, cierra*, cerrar, arregla*, modifica*, restaura*
hazme, hazlo mod/admin, apaga*, enciende*, aplaza*, retrasa*, marca*, renueva*, sube el, baja el, fusiona*
desbloquea*, muda, mudar, mude, troca*, troque, ativa*, desativa*, atualiza*, renomeia*, fecha*, arruma*, conserta*
tranca*, altera*, adia*, desliga*, marca a/as, aumenta*, abaixa*, baixa*, liga o/a/as, passa o/a, libera*, destrava*
change*, changer, mets, met, mettre, active*, desactive*, modifie*, renomme*, deplace*, decale*, ferme*, regle*
repare*, verrouille*, passe le/la, coche*, marque le/la/les/cette, echange*, renouvelle*, prolonge*, monte le
baisse le, coupe les/le/la, reporte*, actualise*, mets-moi, repousse*, fusionne*, restaure*, поменяй*, смени*
измени*, включи*, включить, выключи*, отключи*, обнови*, переименуй*, исправь*, исправить, перенеси*, перенести
закрой*, закрыть, почини*, настрой*, переключи*, восстанови*, объедини*, отметь*, прибавь*, убавь*, продли*
сделай .. тише/громче/админом/модером, сделай меня
""",
    A.SET_UP: """
pin, unpin, create, open, schedule, start, launch, set up, back up, backup, add, put, make .. WORLD, get .. WORLD
restart, reboot, generate .. WORLD/link/code, host, organi*, relaunch, redeploy, deploy, install, spin up, pinn*
erstell*, mach* .. WORLD, leg* .. an, eroffne*, offne*, plan* .. WORLD/treffen/ein, starte*, fixier*, hefte*
anpinnen, anlegen, neustarten, starten, installier*, richt* .. ein, mach .. neustart, fija*, crea, crear, creame
abre*, abrir, programa*, agenda*, inicia*, reinicia*, reiniciar, ancla*, genera .. WORLD/enlace, lanza*, monta*
haz .. WORLD, añade, anade*, agrega*, instala*, organiza*, fixa*, cria, criar, crie, abra, marca o/a/um/uma, marcar
afixa*, gera .. WORLD/link, faz .. WORLD, adiciona*, agende, epingle*, cree*, creer, ouvre*, ouvrir, programme*
planifie*, lance*, demarre*, redemarre*, genere .. WORLD/lien, ajoute*, ajouter, fais .. WORLD, organise*, installe*
relancer, закрепи*, закрепить, создай*, создать, открой*, открыть, запланируй*, запусти*, перезапусти*, назначь*
сделай .. WORLD, добавь*, добавить, установи*, поставь, поставить, организуй, заведи, перезагрузи*
""",
    A.DO: """
book, reserve, order me/us/a/an/the/two/2/3/some/1, buy*, cancel*, pay, refund*, transfer*, register me/us/my
sign .. up/in, sign up, enroll*, rsvp, verify me/my/him/her, whitelist*, subscribe*, approve, assign*, grant*
give .. WORLD, give me/us/him/her the, enter me/us, apply for, stop the, run the/a, play MUSIC, join .. voice
whitelist me, renew*, extend my, print*, log .. hours, return my, confirm my/the/our, my money back, buch*
reservier*, bestell*, kauf*, stornier*, kundig*, bezahl*, uberweis*, meld* .. an, trag* .. ein, eintragen
registrier*, verifizier*, gib .. WORLD, geben, setz mich, pack mich, nimm mich, spiel* MUSIC/mal, anmelden, sag .. ab
geld zuruck, schalt .. frei, erstatt*, verlanger*, geld .. zuruck, reserva*, reserve*, pide, pideme, pedir, compra*
comprar, cancela*, paga, pagar, inscribe*, apuntame, apunta a, apuntanos, verifica*, da/dame/dale/darme .. WORLD
dame el/la, devuelve*, devuelvan, reembols*, transfiere*, confirma mi/la, suscribe*, dinero de vuelta
pon .. musica/cancion, meteme en, ponme en, añademe, anademe, reservame, resuelve, pede, peca, encomenda*, compre
cancele, cancelar, pague, inscreve*, inscreva, coloca, coloque, poe, bota, da .. WORLD, me da o/a, de .. WORLD
dar .. WORLD, estorna*, estorno, dinheiro de volta, verificar, transfere*, toca, tocar, me coloca, me poe, me bota
renova*, me inscreve, reserver, commande, commander, achete*, acheter, annule*, annuler, paie, paye, rembours*
inscris*, inscrire, donne .. WORLD, donne moi/nous le/la, donne-moi le/la, donner .. WORLD, file .. WORLD
filer .. WORLD, verifie mon/moi, abonne*, valide*, joue MUSIC, joue de, mets .. musique, whiteliste*, ajoute moi
rajoute*, transferer, забронируй*, забронировать, закажи*, заказать, купи*, купить, отмени*, отменить, оплати*
верни*, вернуть, возврат, запиши меня/нас/ее/его, записать меня, зарегистрируй*, дай .. WORLD, дайте .. WORLD, выдай*
выдать, верифицируй*, начисли*, переведи .. монет*/руб*/деньг*/баллов, подпиши*, продли*, сыграй что-нибудь
включи .. музык*, подтверди*, вызови, впиши, добавь .. вайтлист/список
""",
    A.LOOK_UP: """
look up, look .. up, search*, google, find out, find .. online, check if/whether/the/when/what/how/on, see if/whether
browse*, look .. at the/this site/page/link, look into, scan, such*, nachschau*, nachseh*, schau* .. nach, schau mal
guck*, google*, recherchier*, finde .. raus, check mal/den/die/ob, prufe*, pruf mal, busca*, mira si/a/en/cuando/que
consulta*, googlea*, averigua*, comprueba*, revisa*, pesquis*, procur*, olha ai/se/no/na, ve ai/se/quanto/quando
ver se, confere*, checa*, busque, da uma olhada, cherche*, chercher, regarde si/sur/le/la/les/quand, regarder
verifie*, trouve .. sur, consulte*, renseigne*, найди*, найти, поищи*, глянь*, посмотри*, погугли*, загугли*
проверь*, проверить, узнай*, узнать, пошарь
""",
}
_TABLE = PhraseTable(_REQUESTS, _CLASSES)
_ORDER = (A.REMIND, A.MODERATE, A.DO, A.REMEMBER, A.SAVE, A.DELETE, A.SEND, A.SET_UP, A.CHANGE, A.LOOK_UP)
_ALSO_OF_WORDS = (A.SAVE, A.DELETE, A.LOOK_UP)


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_FIRST = (
    LEADS
    | _set("""
hey hi hello hallo yo ok okay oi ola hola salut bonjour coucou привет эй слушай bot @ dear someone somebody maybe
quick real quickly kindly plz pleaase thx mal kurz eben doch noch jemand da dann auch schnell bitteschon bitte anda
oye venga vale ei entao aí ai mano cara galera vai tu du ты u you kannst mir uns dir mich me te se nos moi nous мне
нам ка go ahead make sure to be gotta lets let's vas-y allez alors давай а ну if possible favor porfa pfv pf any
chance en le la les l'
""")
    | _set("stp svp s' il te plait vous s'il ahora agora now maintenant jetzt сейчас")
)
_WANTS = _set("""
can could would will want wanna need i'd like possible chance mind able kannst konntest kann konnte konntet konnt
magst machst mochte brauche brauch hatte wurde darf durfte kriege krieg bekomme bekomm soll puedes podrias puede
podria podeis quiero quisiera necesito querria gustaria quieres haces haceis pode poderia podes consegue consegues
queria quero preciso gostaria peux pourrais pouvez pourriez pourriez-vous peux-tu pourrais-tu pouvez-vous veux
voudrais aimerais faut faudrait besoin можешь можете мог могли могла сможешь хочу хотел хотела надо нужно нужен нужна
прошу
""")
"""Words with which somebody begins who wants something; what it is stands behind."""
_ASK_HOW = _set("""
how where what who why when which what's whats who's whose wie wo was wer warum wieso wann welche welcher como donde
que quien cual cuando onde quem qual quando quanto por comment ou qui quoi quand quel quelle pourquoi combien как где
что кто почему зачем когда какой какая сколько чей should shall soll sollte devo debo dois-je есть
""")
_TEXTS = PhraseTable("""
poem*, joke*, story, stories, essay*, paragraph*, sentence*, caption*, grammar, spelling, summary, summar*, translat*
slogan*, haiku, lyric*, verse*, rhyme*, recipe*, idea*, tip, tips, advice, example*, synonym*, riddle*, code
function, script, regex, equation*, tense, tone, wording, word for, words for, speech, toast, bio for, cover letter
reply to this, quiz, fact, facts, in french, in english, in german, in spanish, formal, informal, shorter, longer
bullet points, the text, my text, this text, my draft, this draft, step by step, role-play, roleplay, pretend, mood
atmosphere, scene, letter, in a table, as a table, culture, these by, them by, alphabetical*, the order, line, lines
email to my, mail to my, essay, chapter*, word, words, gedicht*, witz*, geschichte*, aufsatz*, absatz*, satz, satze*
grammatik, rechtschreib*, zusammenfass*, ubersetz*, reim*, rezept*, idee*, tipp, tipps, beispiel*, ratsel, stimmung
brief, kapitel, wort, text, spruch, spruche, rede, formell, kurzer, langer, poema*, carta, capitulo*, palabra*
chiste*, cuento*, ensayo*, parrafo*, frase*, gramatica, ortografia, resumen, resume*, traduc*, rima*, receta*
consejo*, ejemplo*, sinonimo*, adivinanza*, texto, texto*, historia*, funcion, codigo, piada*, palavra*, conto
redacao, paragrafo*, resumo, traduz*, receita*, ideia*, dica*, exemplo*, charada*, poeme*, blague*, lettre, chapitre*
ambiance, mot, histoire*, dissertation, paragraphe*, phrase*, grammaire, orthographe, tradui*, recette*, conseil*
exemple*, synonyme*, devinette*, texte*, citation, стих*, глав*, слово, шутк*, анекдот*, рассказ*, сказк*, сочинени*
абзац*, предложени*, грамматик*, переведи на, перевод*, рифм*, рецепт*, иде*, совет*, пример*, загадк*, текст*, код
функци*, цитат*, remind me what/who/how/why/where/which/of, rappelle-moi ton/ta/le/la/qui/quoi/comment
rappelle moi ton/ta/qui/quoi/comment, recuerdame que es/quien/como, erinner mich was/wer/wie
me lembra o que/quem/como, напомни что/кто/как/какой/сколько, tell me/us, sag mir/uns, dime, me diz, me fala, dis-moi
dis moi, скажи мне, расскажи
""")
"""What is done to words, or stands in the answer itself."""


_DID_YOU = PhraseTable(
    """
did you, did u, have you, have u, hast du, habt ihr, haben sie, t' as, tu as, tu l' as, as-tu, avez-vous, vous avez
tu leur as, tu lui as, has, habeis, ya le, ya les, ya lo, le dijiste, les dijiste, avisaste, hablaste, llamaste
mandaste, enviaste, reservaste, compraste, pediste, miraste, buscaste, vc, voce, ce ja, cê, avisou, falou, mandou
ligou, reservou, ты, вы
"""
)
_DONE = PhraseTable(
    {
        A.SEND: """
told, notified, sent, informed, contacted, called, posted, forwarded, talked, spoken, asked, invited, reported
messaged, emailed, bescheid, gesagt, geschickt, gesendet, geschrieben, informiert, weitergeleitet, angerufen, gefragt
gemeldet, kontaktiert, eingeladen, ausgerichtet, avisaste, dijiste, enviaste, mandaste, hablaste, llamaste
preguntaste, avisado, dicho, enviado, mandado, hablado, llamado, avisou, mandou, falou, disse, enviou, ligou
perguntou, convidou, encaminhou, prevenu*, envoye*, dit, transmis*, contacte*, appele*, parle, demande, invite*
relance*, averti*, передал*, сказал*, отправил*, предупредил*, написал*, позвонил*, сообщил*, скинул*, спросил*
переслал*, пригласил*, поговорил*
""",
        A.DO: """
booked, ordered, cancelled, canceled, bought, paid, reserved, gebucht, reserviert, bestellt, storniert, bezahlt
gekauft, angemeldet, reservaste, compraste, pediste, cancelaste, pagaste, reservado, comprado, pedido, cancelado
pagado, reservou, comprou, pediu, cancelou, pagou, reserve, commande, achete, annule, paye, inscrit*, забронировал*
заказал*, купил*, отменил*, оплатил*, записал* меня
""",
        A.LOOK_UP: """
checked, looked, searched, googled, nachgeschaut, geguckt, gesucht, nachgesehen, geschaut, gecheckt, miraste
buscaste, mirado, buscado, consultado, olhou, pesquisou, conferiu, procurou, regarde, cherche, verifie, посмотрел*
проверил*, узнал*, погуглил*, глянул*
""",
    }
)
_BY_OTHERS = (A.SEND, A.DO, A.MODERATE, A.LOOK_UP)
"""What asks for people out there, or has no tool of the bot's own."""
_MAX_ASKED_ABOUT = 200
_MAX_BEFORE_YOU = 6
_QUOTED = re.compile(r"[\"“„«»][^\"“”„«»\n]{0,300}[\"”“»«]")
_VERB_AND_TEXT = 2
_JOINS = _set("and und y e et и then dann luego depois puis потом")


@lru_cache(maxsize=256)
def wanted_deed(asked: str) -> ClaimedAction | None:
    """Return the action that is asked for, as far as only a tool can do it; `None` where words do, or nothing is."""
    words = words_of(_QUOTED.sub(" x ", asked))[-_MAX_WORDS:]
    clauses = _clauses(words)
    if ["x"] in clauses and len(clauses) == _VERB_AND_TEXT:
        # "correct: …"
        return None
    return next((found for clause in clauses if (found := _of_clause(clause))), None)


def deed_asked_about(asked: str) -> ClaimedAction | None:
    """Return the action of which somebody asks whether the bot did it; `None` where it may well have, with a tool."""
    words = words_of(asked[:_MAX_ASKED_ABOUT])
    if "?" not in asked or not _DID_YOU.holds(words[:_MAX_BEFORE_YOU]):
        return None
    table, told = (_TABLE, _BY_OTHERS) if "did" in words[:_MAX_BEFORE_YOU] else (_DONE, _ORDER)
    return _first_of(told, table.labelled(words))


def _clauses(words: Sequence[str]) -> list[list[str]]:
    """Split at signs and at "and": what stands behind is a request of its own."""
    found: list[list[str]] = [[]]
    for word in words:
        if is_word(word) and word not in _JOINS:
            found[-1].append(word)
        elif found[-1]:
            found.append([])
    return [one for one in found if one]


def _of_clause(words: Sequence[str]) -> ClaimedAction | None:
    begun = 0
    while begun < len(words) - 1 and words[begun] in _FIRST and words[begun] not in _WANTS:
        begun += 1
    if words[begun] in _ASK_HOW:
        return None
    wants = not _WANTS.isdisjoint(words[: begun + 3])
    found = _TABLE.labelled(words, None if wants else begun + 1)
    action = _first_of(_ORDER, found)
    if action is None or action in _ALSO_OF_WORDS or not _TEXTS.holds(words):
        return action
    return _first_of(_ALSO_OF_WORDS, _TABLE.labelled(words, None if wants else begun + 1))


def _first_of(actions: Sequence[ClaimedAction], found: Iterable[tuple[int, int, str]]) -> ClaimedAction | None:
    labels = {label for _, _, label in found}
    return next((action for action in actions if action in labels), None)
