"""Words by which questions and denials show what they want to know, in six languages: en, de, es, pt, fr, ru.

All of them as `terms.plain` folds them: small letters without accents.
"""

from __future__ import annotations

import re


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


WHEN = _set("""
when time times date day days schedule scheduled hour year month week
wann uhrzeit zeit datum tag geburtstag termin jahr geburtstag
cuando hora horas fecha dia cumpleanos horario ano
quando data aniversario horario
quand heure heures jour anniversaire annee
когда время дата день числа рождения час часов сколько_времени
""")
NAMES = _set("""
name names named called who whom
heisst heissen heiss namen namens wer wen wem
nombre nombres llama llamo llaman quien
nome chama chamam chamo quem
nom prenom appelle appelles appellent qui
зовут имя кличка кличку имени кто кого называется назвал назвали называют фамилия фамилию
""")
NUMBERS = _set("""
number phone code pin many much old age price cost costs score size zip amount password budget
nummer telefonnummer handynummer viele viel alt alter preis kostet grosse passwort postleitzahl kennwort telefon
numero telefono codigo cuanto cuantos cuanta cuantas edad precio cuesta talla clave contrasena
telefone senha quanto quantos quanta quantas idade preco custa tamanho
telephone combien age prix coute taille mot_de_passe
номер телефон код пароль сколько лет возраст цена стоит размер
""")
TIMES = _set("""
segunda terca quarta quinta sexta
tomorrow tonight morning mornings noon evening evenings night nights midnight weekend weekends nachts abends morgens
mittags noches tardes mananas tarde noites manhas nuits matins ночью ночам утрам вечерам morgen abend mittag
mitternacht wochenende manana noche
mediodia
amanha noite meio-dia demain soir midi minuit matin завтра вечером утром полдень полночь
""")
MINE = _set("""
my mine
mein meine meinem meinen meiner meines
mi mis mio mia soy
meu minha meus minhas sou
mon ma mes suis
мой моя мое мои моего моей моему мою моих моим моими
""")
YOURS = _set("""
your yours you're
dein deine deinem deinen deiner deines ihr ihre ihren bist
tu tus su sus eres
teu tua teus tuas seu sua seus suas
ton ta tes votre vos es
твой твоя твое твои твоего твоей твоему твою твоих ваш ваша ваше вашего вашей вашу
""")
"""What is the asker's, in an answer; in a question it is the bot's."""
OF_ASKER = re.compile(r"\bam i\b|\bbin ich\b|\bу меня\b|\bsuis-je\b|\bmir\b(?= (?:ein|eine|einen)\b)")
OF_BOT = re.compile(
    r"\b(?:do|are|would|can|will|did|have) you\b(?! (?:\w+ )?(?:know|remember|recall|have|see|tell|say|find|think"
    r"|get))"
    r"|\byour\b|\b(?:bist|magst|hast) du\b|\bdein(?:e|en|em|er|es)?\b|\b(?:eres|te gusta)\b|\bvoce (?:e|gosta)\b"
    r"|\b(?:es-tu|aimes-tu)\b|\bты (?:любишь|умеешь|бот)\b"
)
"""A question about the bot itself: that it has no such thing is no denial."""
SELF = MINE | _set(
    "i me we our ours ich mir mich wir unser unsere yo nosotros nuestro nuestra eu nos nosso nossa je j moi nous "
    "notre я меня мне мы нас наш наша"
)
"""Who speaks of themselves."""
_TOPICS = {
    "live": "wohn leb live lives living lived address addresses home wohne wohnt wohnst wohnen lebe lebt adresse "
    "wohnort "
    "wohnung "
    "vive vivo vives vivimos direccion domicilio mora moro moram endereco habite habites habitent vit "
    "живу живет живешь живут адрес адреса проживает",
    "birthday": "birthday birthdays born bday geburtstag geburtstage geboren cumpleanos nacio naci cumple "
    "aniversario "
    "nasceu nasci anniversaire ne nee рождения родился родилась",
    "phone": "phone telephone mobile telefon telefonnummer handy handynummer telefono movil celular telefone "
    "telemovel "
    "portable телефон телефона",
    "age": "age old years alter alt jahre edad anos idade ans лет возраст год года",
}
SHORT_FOR = {"fav": "favourite", "fave": "favourite", "favorite": "favourite", "pw": "password", "pwd": "password"}
"""How some words are written in haste, or elsewhere."""
TOPIC_OF = {word: f"topic:{topic}" for topic, said in _TOPICS.items() for word in said.split()}
"""What people ask of each other in many words, as one term."""
PLACES = re.compile(
    r"\b(?:[Ii]n|[Aa]t|[Oo]n|[Nn]ear|[Ii]m|[Aa]m|[Bb]ei|[Ee]n|[Aa]|[Ee]m|[Nn]a|[Nn]o|[Àà]|[Cc]hez|[Вв]|[Нн]а|[Ии]з"
    r"|[Uu]nter)\s+"
    r"(?:(?:the|der|die|dem|den|la|el|le|a|o|das|улице|ул\.)\s+)?[A-ZÀ-ÞА-ЯЁ0-9][\w-]*|\b(?:Rua|Calle|Rue|Av\."
    r"|Avenida|Street|Road)\b"
    r"|\b\w*(?:stra(?:ß|ss)e|platz|gasse)\b|:\s*\S",
)
"""A place, as far as its writing shows: a preposition before a name, or a street."""
WHERE = _set(
    "where wo wohin donde onde ou где куда place ort lugar endroit location address adresse direccion endereco адрес"
)
TIME_OF_DAY = re.compile(
    r"\bwhat time\b|\buhrzeit\b|\bwie ?viel uhr\b|\ba que hora\b|\b(?:la|a|que|q) horas?\b|\bquelle heure\b|\bl'heure\b"
    r"|\b(?:во|в) сколько\b|\bno time\b"
)
"""Asks for the time of a day that may be known."""
PLACE_LEADS = _set(
    "in at on under behind beside near inside im am bei beim unter hinter auf neben en no na em dentro bajo debajo "
    "sobre con com chez a al ao au aux dans sous sur derriere у в на под за около"
)
KIN = _set(
    "dona don senhor senhora sr sra frau herr mme madame monsieur senor senora mr mrs ms miss liegt lies steht lag "
    "hat has keeps esta fica "
    "trouve лежит хранится находится ta uncle aunt grandma grandpa mum dad onkel tante oma opa tio tia abuelo abuela "
    "avo mae pai oncle tata mamie papi "
    "дяди тети дяде тете бабушки дедушки папы мамы"
)
DAYS = _set(
    "today tomorrow yesterday heute morgen gestern hoy ayer hoje amanha ontem aujourd hier demain сегодня завтра вчера"
)
CALLED = _set("""
called named name is heisst namens name ist heissen llama llaman nombre es llamo chama chamam nome e appelle
appellent nom
зовут имя кличка называется назвал назвали это
""")
STARTS = _set("""
the a an this that it we they he she you yes no ok okay so and but please just there here all
der die das ein eine es wir sie ja nein und aber bitte
el la los las un una si y pero por
o os as um uma sim e mas
le les un une oui et mais
это мы они он она да нет и а но
""")
_MEANS_LITTLE = _set("""
nobody noone none someone somebody anyone anybody does doing done been having such other yesterday
everything all alles todo tudo tout все longer anymore why how come reason warum wieso weshalb erinnert erinnerte
vergisst vergass weiss mehr
olvido olvida olvidado olvidaste recuerda recordaba porque pq esqueceu esquece esquecido lembrou lembrava dele dela
souvient souvenait oublie oublier perdu perdio perdeu verloren seinen seine seiner seinem
niemand jemand keiner comment rien personne pourquoi porque como pourtant quelqu nadie alguien algo alguem почему
зачем
know knows known knew tell told say says said mention mentioned share shared give given gave provide provided remember
remembers recall record records recorded information info idea data detail details note notes memory memories find
found
aware sure unfortunately sorry afraid context conversation message messages anything something nothing yet far
currently unable access answer question think see seen heard hear never ever still actually really exactly again want
need help which whose mean means any ask asked specific specifically previous previously earlier history available
unknown
discussed come came up talked haven hasn don doesn didn isn wasn can't cannot couldn weren aren ve ll re dont doesnt
didnt
havent start starts started begin begins take takes place happen happens held live lives living stay have having go
goes
going use uses using belong set stand stands anymore remind forget forgot forgotten bot called name names wrong saved
decide decided decision decisions agreed agree glassmind thing things stuff lost lose loses everything tell'ing keep
kept
weiss wissen weisst kenne kennst kennt sagen sagst gesagt erzahlt erzahlen erwahnt verraten genannt mitgeteilt
erinnere
erinnern erinnerst information informationen angabe angaben ahnung notiz notizen daten eintrag eintrage leider bisher
bekannt gespeichert finde finden liegt vor unterhaltung verlauf nachricht nachrichten dazu daruber davon nie niemals
frage sicher genau eigentlich nichts etwas welche welcher welches welchen beginnt anfangt fangt startet stattfindet
findet
statt wohne wohnt wohnst lebt heute hier vorliegen weder angegeben keinerlei tut leid hast habt habe gibt steht
vergessen
wessen beschlossen entschieden entscheidung festgelegt
se sabes sabe saber dijiste dicho dijo contaste contado mencionado mencionaste informacion idea datos dato constancia
registro registros nota notas conozco conoces recuerdo recuerdas acuerdo encuentro nunca nadie desconozco lamento
siento
conversacion mensaje mensajes sobre todavia aun guardado anotado ninguna ningun cual cuales pregunta empieza comienza
vive vivo queda tengo tienes consta has haya lamentablemente decir cosa
decidimos decidieron decidio decision decidido
sei sabe saber disse disseste contou falou mencionou informacao informacoes ideia dado dados registro registros
anotacao
anotado conheco lembro lembra recordo encontrei consta desconheco infelizmente desculpe conversa mensagem mensagens
sobre
ainda nunca ninguem nenhuma nenhum pergunta comeca mora moro fica tenho possuo anotei coisa tinha decidimos decidiram
decidiu decisao
sais sait savez dit dites parle mentionne indique donne information informations info idee trace souvenir souviens
rappelle
note notes donnee donnees connais connait trouve ignore malheureusement desole desolee conversation message messages
jamais
personne aucune aucun encore question commence debute habite habites sujet lieu precise ete chose fini oublie quelle
quel decide decider
знаю знает знаешь знаете известно помню помнит помнишь говорил говорила говорили сказал сказала рассказывал
рассказывала
упоминал упоминала называл называла информации информация данных данные сведений записей запись заметок заметки
понятия
сожалению извини извините разговоре сообщениях никогда никто ничего пока вопрос начинается начинает живу живет живешь
припомню нахожу курсе имею какой какая какое какие каком какого какую где куда говорилось указано указал указали мой
нету
uy puh hmm hm ih ah oh mince bah tja uff ai ki ia ии model modelo modele modell language linguagem langage
sprachmodell языковая
модель access zugriff keinen keine personal personliche details members mitglieder miembros участников участники
чате чат
svp stp gente wey msm carnal better directly besser lieber mejor melhor mieux лучше уточнить насчет соответственно
spreche
geschrieben hablado comentado parle dispose располагаю сведениями come sepa
saiba suena manejo
estan esta esten queda quedan furs jetzt steckt sitzt deja final hey hola salut oi ola aqui entao agora ahora
maintenant сейчас теперь вообще sabem saben alguien someone кто-нибудь hm can could should may kann soll darf puede pode
peut можно
вижу нашел нашла неизвестно решили решил решение решено проходит проходить забыл забыла
""")
SAYS_NOTHING = (
    WHEN
    | NAMES
    | NUMBERS
    | WHERE
    | _MEANS_LITTLE
    | MINE
    | YOURS
    | _set("""
nochmal again eigentlich denn gleich чем чём
where address adresse wo wohnort adresse direccion donde endereco onde adresse ou адрес адреса где
place ort lugar endroit место favorite favourite
""")
)
"""What says how something is asked, and not what about."""

PORTUGUESE = re.compile(r"\b(?:meu|seu|qual|nosso|teu|nao)\b")
"""There `time` is a team."""
DENIAL = re.compile(
    "|".join(
        (
            # English
            r"\b(?:do not|don'?t|didn'?t|did not|cannot|can'?t|couldn'?t) (?:[\w'-]+ ){0,2}?(?:know|recall|remember"
            r"|see|find)\b"
            r"(?! (?:how to|what (?:to|you mean)|if i (?:can|should)))",
            r"\b(?:i|we) (?:(?:do not|don'?t|didn'?t|did not) (?:[\w'-]+ ){0,2}?have|have|'ve got|found|see"
            r"|find) (?:[\w'-]+ ){0,2}?"
            r"(?:no|any|a) (?:[\w'-]+ ){0,2}?(?:idea|information|info|record|records|memory|memories|knowledge|data"
            r"|details?"
            r"|notes?|mention|clue|trace)\b",
            r"\bno (?:idea|clue|information|record|notes?|mention|trace)\b",
            r"\b(?:you|nobody|no one|noone|nothing|\w+) (?:have |has |had )?(?:never|not|haven'?t|hasn'?t|didn'?t"
            r"|did not)"
            r"(?: [\w'-]+){0,2}? (?:tell|told|mention(?:ed)?|sa(?:y|id)|share[d]?|give[n]?|gave|provide[d]?|wrote"
            r"|written)\b",
            r"\b(?:nobody|no one) (?:has |ever |here )*(?:told|mentioned|said|shared|gave|wrote)\b",
            r"\b(?:not|un)\s?aware\b|\b(?:wasn'?t|was not|(?:haven'?t|have not) been|were not|weren'?t|never been"
            r"|hasn'?t been"
            r"|has not been|was never) (?:[\w'-]+ )?(?:told|mentioned|given|shared)\b|\bisn'?t (?:something|known)\b"
            r"|\bnot something i know\b|\bunknown to me\b|\bi never (?:heard|learned|got)\b|\bi forgot\b"
            r"|\bi'?m not sure (?:what|who"
            r"|when|where|which|how)\b|\bdon'?t have (?:that|it|your|his|her|their|this)\b|\bno longer know\b"
            r"|\bi lack\b",
            r"\b(?:has |have |'s |s )?never (?:come|came) up\b|\b(?:no|don'?t have|do not have|lack) access to "
            r"(?:[\w'-]+ ){0,3}?"
            r"(?:details?|information|data|records?)\b",
            # German
            r"\bweiss (?:[\w'-]+ ){0,4}?(?:nicht|nichts)\b|\bweiss ich (?:[\w'-]+ ){0,3}?nicht\b"
            r"|\bkenne (?:[\w'-]+ ){0,4}?(?:nicht|keine\w*)\b"
            r"|\bkeine ahnung\b|\b(?:nicht|nichts|un)\s?bekannt\b|\b(?:habe?|hab|finde|liegen mir|liegt mir|besitze"
            r"|sehe)(?:\W+[\w'-]+)"
            r"{0,3}? (?:keine\w*|keinerlei|nichts)\b|\berinnere? mich (?:[\w'-]+ ){0,2}?nicht\b|\b(?:nie|nicht"
            r"|niemand|nichts)"
            r"(?:\W+[\w'-]+){0,4}? (?:gesagt|erzahlt|verraten|genannt|mitgeteilt|erwahnt|angegeben)\b|\bnicht sagen\b"
            r"|\b(?:keiner|niemand)(?:\W+[\w'-]+){0,4}? (?:geschrieben|gesagt|erwahnt|erzahlt)\b"
            r"|\bkeinen zugriff auf (?:[\w'-]+ ){0,3}?(?:angaben|daten|informationen|infos)\b|\bliegt mir "
            r"(?:[\w'-]+ )?nicht vor\b|\bweiss (?:davon |daruber )?nichts\b|\bnicht gemerkt\b",
            # Spanish
            r"\bno (?:lo |la |los )?se\b|\bno tengo(?: [\w'-]+){0,2}? (?:informacion|datos?|idea|constancia"
            r"|registro|registros"
            r"|anotad\w|guardad\w|ningun\w*|nada|conocimiento)\b|\bno me (?:[\w'-]+ )?(?:has|habias|dijiste"
            r"|contaste|dijo|ha|han|lo)\b"
            r"|\bnunca me\b|\bno (?:conozco|recuerdo|consta|encuentro|me acuerdo|me consta|aparece)\b|\bdesconozco\b"
            r"|\bnadie (?:me )?(?:lo )?(?:ha|dijo|menciono|conto)\b|\bni idea\b|\bno se (?:ha )?menciona",
            r"\bque yo sepa,? no\b|\bno me suena\b|\bno (?:la|lo) manejo\b|\bno se ha "
            r"(?:hablado|comentado|dicho|mencionado)\b",
            # Portuguese
            r"\b(?:nao|nem) sei\b|\bnao (?:tenho|possuo|ha)(?: [\w'-]+){0,2}? (?:informac\w+|registros?|ideia"
            r"|dados?|anotad\w|nada"
            r"|conhecimento|nenhum\w*|anotac\w+)\b|\b(?:nunca|nao|ninguem)(?: [\w'-]+){0,2}? (?:disse|contou|falou"
            r"|mencionou|informou"
            r"|passou)\b|\bnao (?:conheco|me lembro|lembro|recordo|encontrei|consta|me recordo)\b|\bdesconheco\b"
            r"|\bnao faco ideia\b"
            r"|\bsem ideia\b",
            r"\bnunca (?:[\w'-]+ ){0,2}?(?:mencion|disser|contar|falar)\w*\b|\bque eu saiba,? (?:nao|ninguem)\b",
            # French
            r"\b(?:ne )?(?:le |la )?sais (?:[\w'-]+ )?(?:pas|rien)\b|\bn'ai (?:[\w'-]+ ){0,2}?(?:pas|aucun\w*|rien"
            r"|jamais)\b|\bai aucun\w*\b"
            r"|\b(?:ne |n')?(?:m'as|m'avez|m'a|m'ont) (?:[\w'-]+ ){0,2}?(?:pas|jamais|rien)\b|\b(?:ne "
            r"|n')?(?:connais|souviens|trouve"
            r"|rappelle|vois) (?:[\w'-]+ ){0,1}?(?:pas|rien)\b|\bj'ignore\b|\bpersonne ne (?:m'a|l'a)\b"
            r"|\baucune (?:idee|trace|info\w*)\b"
            r"|\b(?:n'a|n'as) (?:jamais|pas) (?:ete )?(?:[\w'-]+ )?(?:mentionne|dit|precise|indique|parle|donne)",
            r"\bne dispose (?:pas )?d'\s?aucune?\b|\b(?:m'en a|m'a|m'ont|m'en ont|l'a|en a) (?:jamais|pas|rien) "
            r"(?:parle|dit|precise)\b",
            # Russian
            r"\bне (?:[\w'-]+ ){0,2}?(?:знаю|помню|припомню|нахожу|нашел|нашла|вижу|известно|в курсе"
            r"|могу вспомнить)\b|\bнеизвестно\b"
            r"|\bне (?:[\w'-]+ ){0,2}?(?:говорил\w*|рассказывал\w*|упоминал\w*|называл\w*|сообщал\w*|сказал\w*"
            r"|указывал\w*|указан\w*)\b"
            r"|\bнет (?:[\w'-]+ ){0,2}?(?:информации|данных|сведений|записей|заметок|записи)\b|\bпонятия не имею\b"
            r"|\bникто (?:[\w'-]+ ){0,2}?не (?:говорил|сказал|упоминал|сообщал|называл)\w*\b|\b(?:ничего|ни "
            r"слова) не было\b|\bне располагаю\b|\bне слышала?\b|\bничего не (?:знаю"
            r"|известно|нашел|нашла)\b",
        )
    ),
)
"""A denial of knowing something, or of having been told it; held against text as `plain` folds it."""
