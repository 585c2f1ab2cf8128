"""Words by which facts and answers say times, prices, names, places and traits, in six languages; folded."""

from __future__ import annotations

import re


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _stems(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def is_member(word: str, members: tuple[str, ...]) -> bool:
    """Say whether a word is one of these; `*` at the end of one stands for any ending."""
    return any(word.startswith(one[:-1]) if one.endswith("*") else word == one for one in members)


NOT_TOLD = re.compile(
    r"\b(?:used to|formerly|previously|was|were|had|no longer|any ?more|last (?:week|month|year)|yesterday|if|maybe"
    r"|bought|scored|won|lost|ate|paid|went|kaufte|compro|comprou|acheta|купил\w*"
    r"|perhaps|might|could|would|fruher|war|waren|hatte|damals|gestern|falls|vielleicht|konnte|wurde|antes|era|fue"
    r"|fueron|ayer|tal vez|quiza\w*|foi|eram|ontem|talvez|avant|etait|autrefois|hier|peut-etre|раньше|был|была|были"
    r"|было|вчера|может|наверно\w*|если)\b"
)
"""What was, or may be, says nothing against a fact."""
MORE = re.compile(
    r"\b(?:also|too|another|second|sometimes|either|auch|manchmal|oder|zweite\w*|tambien|otr[ao]s?|a veces|tambem"
    r"|outr[ao]s?|as vezes|aussi|autres?|parfois|тоже|также|еще|другой|другая|иногда|или)\b"
)
"""One thing more is no other."""
LIGHT = _set("""
start starts begin begins takes place happen happens held open opens is are be see meet meets bring need take grab go
goes get gets got will shall sure super sorry yes actually please remember around about time clock everyone everybody
all guys hey haha aw
beginnt startet ist sind findet statt trefft treffen_wir kommt seid braucht nehmt doch also sicher ja klar uhr gegen
etwa
empieza comienza es son queda quedamos nos vemos lleva trae sale hora horas gente
comeca e sao fica encontramos leva traz chega hora horas gente pessoal
commence est sont prevoyez rendez-vous venez arrive heure heures
начинается будет возьмите берите встречаемся увидимся приходи приходите час часов утра вечера
costs cost kostet cuesta custa coute стоит problem problema probleme
euro euros eur dollar dollars reais real рублей рубля руб
""")
"""What says little of what a sentence is about."""
VERBS = _set("""
lands leaves departs arrives costs closes has have with for visit call tell ask feed love loves join joins our the my
your his her their this that at on in und der die das den dem des mit fur meinem deinem unserem kostet fahrt
cuesta abre cierra sale llega tiene con para nuestro nuestra este esta
custa abre fecha sai parte chega tem com para nosso nossa este esta
coute ouvre ferme part arrive a avec pour notre ce cette
стоит открывается уходит отходит приходит прибывает едет с на в для за наш наша
""")
OF = _set("de du des do da dos das del d'")
EACH = _set("los every aos toda todo cada les")
SOME_DAYS = _set("""
mondays tuesdays wednesdays thursdays fridays saturdays sundays weekdays weekends
montags dienstags mittwochs donnerstags freitags samstags sonntags werktags wochentags domingos sabados
""")
ADJECTIVES = ("ое", "ая", "ый", "ий", "ие", "ые", "ской", "ского")
FOR = _set("for fur para pour для with mit con com avec с")
AFTERWARDS = _set("""
after before until since following nach vor bis seit despues antes depois apres avant после до перед by fur
""") - {"by", "fur"}
MONEY = _stems(
    "euro eur dollar usd $ € £ pound pfund real reais рубл руб franken franc peso libra grivn гривн złot zl kron"
)
COSTS = _stems("cost price fee kost preis eintritt cuest preci sale custa prec cout prix стоит цена стои")
NO_NAME = _set("""
i i'm i'll the a an it he she we you they this that and but so ok okay yes no hey oh aw sorry
ich der die das ein eine wir ihr sie er es und aber ja nein
el la los las un una yo nos y pero si no
o os as um uma eu e mas sim nao
le les l' un une je il elle on nous vous et mais oui non ce c'
я он она мы вы они и но да нет это а
herr herrn frau mr mrs ms dr miss don dona sr sra senor senora senhor senhora monsieur madame m mme
""")
TITLES = _set("herr herrn frau mr mrs ms dr miss don dona sr sra senor senora senhor senhora monsieur madame mme")
CALLED = _set("""
called named name is heisst namens ist nennt llama llaman nombre es chama chamam nome e appelle nom est зовут кличка
называется звать это
""")
IS = _set("is ist es e est это sind son sao sont are")
BEFORE_NAME = _set("""
у нас вас у нашей
the a an my your his her their our der die das den dem ein eine mein dein sein ihr unser
el la los las un una mi tu su o os as um uma meu teu seu minha tua sua
le les l' un une mon ton son ma ta sa notre votre
new old great lovely dear neue neuer neuen alte liebe nuevo nueva novo nova nouveau nouvelle новый новая
mr mrs ms herr herrn frau senor senora sr sra madame monsieur it's das ist there is that is c'est c' est
""")
BEFORE_PLACE = _set("the der die das den dem la el los las les l' d' o")
HOMOGRAPHS = {"té": ("té",)}
"""Words that are function words without their marks."""
SHORT_DAYS = {
    "segunda": "weekday:1",
    "terca": "weekday:2",
    "quarta": "weekday:3",
    "quinta": "weekday:4",
    "sexta": "weekday:5",
}
BEFORE_DAY = _set("na nas a as e nesta esta desta para proxima ate toda de")
DEEDS: tuple[tuple[str, ...], ...] = (
    (
        "open*",
        "offnet",
        "abre",
        "ouvre*",
        "открыва*",
        "start*",
        "begin*",
        "beginnt",
        "empieza",
        "comeca",
        "commence",
        "начина*",
    ),
    (
        "close*",
        "schliess*",
        "cierra",
        "fecha",
        "ferme*",
        "закрыва*",
        "end",
        "ends",
        "endet",
        "termina",
        "acaba",
        "finit",
        "заканчива*",
    ),
    ("depart*", "leaves", "fahrt", "sale", "sai", "parte", "part", "отход*", "уход*"),
    ("arriv*", "lands", "kommt", "ankunft", "llega", "chega", "приход*", "прибыва*"),
)
STREETS = _set("""
street road avenue lane square st rd ave drive way strasse str platz allee weg gasse calle avenida plaza rua praca
rue place
улица проспект площадь
""")
PLACE_LEADS = _set("""
on in at near to towards im am bei beim nach zur zum richtung in en cerca de hacia a para em no na perto ao rumo
a au aux pres chez direction vers dans en d' в во на под около возле к
""")
LIVES = _set("""
live lives living located moved lies stays wohnt lebt liegt zog gezogen umgezogen vive esta queda mudo mora fica mudou
habite vit trouve demenage se живет находится переехал переехала расположен расположена
""")
ELSEWHERE = _stems("""
trip travel holiday vacation visit flight born grew origin from job trabaj trabalh travail arbeit work работ поездк
отпуск
urlaub reise geboren stammt aus viaj vacacion nacio naci ferias viag nasceu voyage vacances ne_a originaire родом родил
из
""")
GENERAL = _set("""
study studies studiert studieren studies'ing estudia estuda etudie etudes учится изучает works arbeitet trabaja
trabalha
travaille работает plays is dog hund perro cachorro cao chien собака собаку
""")
NEGATIVE = _set("""
not never no nobody none without except instead nicht nie niemals kein keine keinen keiner keinem keines nein ohne
statt
nunca jamas sin nadie excepto salvo nao nem sem exceto nenhum nenhuma ne n' pas jamais sans sauf aucun aucune non не
нет
никогда без кроме вместо нельзя neither nor
""")
NEGATIVE_STEMS = _stems("""
avoid allerg refus forbid forbidden prohibit cancel closed absent miss alcohol-free tabu verboten verbot geschlossen
fehlt
abgesagt ausgefall meide vermeid evit prohib cerrad ausent falta cancel fechad ausen ferme absen interdi annul rate
закры отсутств отмен запрещ избега пропус frei- veget vegan
""")
NEVER = _set("never nie niemals nunca jamas jamais никогда")
STOPPED = _stems("quit stopped gave aufgehort gekundigt dejo parou arrete* cesse* бросил* перестал*")
STILL = _set("still noch immer sigue todavia ainda continua toujours encore еще всё все по-прежнему")
HAS = _set("have has you've hast hat tienes tiene tens tem as avez есть")
ADDRESSED = _set(
    "you you're you've your du dein deine deinen deinem deiner tu tus te tienes teu tua seu seus sua suas tes ton ta"
)
CANCELLED = re.compile(r"\b(?:cancel\w*|abgesagt|annul\w*|отмен\w*)\b")
DENYING = _set("""
not never no nicht nie niemals kein keine keinen nunca jamas nao nem ne n' pas jamais не нет никогда cannot nobody
""")
OPPOSITES: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (
        _stems(
            "coming comes joins joining attending dabei kommt mitkommt mitkommen viene vendra vem vira vient viendra "
            "приде* прид* приедет едет идет подбросит"
        ),
        _stems(
            "absent missing misses skips fehlt verhindert ausente falta faltara absent absente rate отсутству* "
            "пропустит"
        ),
    ),
    (
        _stems(
            "open opens geoffnet offnet offen auf abierto abierta abre aberto aberta ouvert ouverte ouvre открыт* "
            "открывается работает"
        ),
        _stems("closed closes geschlossen zu cerrado cerrada cierra fechado fechada fecha ferme fermee закрыт*"),
    ),
    (
        _stems("statt stattfinden lugar place состоится takes confirm* bestatigt подтвержд*"),
        _stems("cancelled canceled abgesagt ausgefallen cancelado cancelada cancelou annule annulee отменен* отменил*"),
    ),
    (
        _stems("meat fleisch carne viande мясо meat-eater steak bacon schinken jamon picanha"),
        _stems(
            "vegetarian vegan vegetarier* vegetarisch vegano vegana vegetariano vegetariana vegetarien* vegane "
            "вегетариан* веган*"
        ),
    ),
    (
        _stems(
            "meat steak bacon cheese milk egg eggs honey fleisch kase milch eier honig carne queso leche huevos "
            "queijo leite ovos "
            "viande fromage lait oeufs comte мясо сыр* молок* яйц*"
        ),
        _stems("vegan vegane* vegano vegana vegetalien* веган*"),
    ),
    (
        _stems(
            "alcohol beer beers wine vodka whisky cocktail* alkohol bier wein alcool biere vin cerveza vino cerveja "
            "vinho "
            "алкогол* пиво вино водк*"
        ),
        _stems("teetotal* sober abstinent abstemi* трезвенник*"),
    ),
    (
        _stems(
            "share shares flatmate* roommate* mitbewohner* wg comparte divide partage colocation colocataire* делит "
            "соседк*"
        ),
        _stems("alone allein alleine sola sozinh* seul seule один одна"),
    ),
    (
        _stems("kinder kids children hijos filhos enfants детей"),
        _stems("childless kinderlos* бездетн*"),
    ),
    (
        _stems("left-handed left linkshander* links zurd* canhot* gauch* левш*"),
        _stems("right-handed right rechtshander* rechts diestr* destr* droitier* правш*"),
    ),
    (
        _stems("free gratis kostenlos frei gratuit* umsonst бесплатн*"),
        _stems("costs kostet cuesta custa coute стоит"),
    ),
)
"""Deeds and states of which one says yes and the other says no."""
OPPOSITES_OF_ALL: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (
        # what is liked, or eaten, and what is feared, hated, or not tolerated
        _stems(
            "encantan gustan aman adoran lieben "
            "aiment adorent adoram любят обожают love loves adore adores like likes "
            "enjoys thrilled fan eat eats mag liebt gern begeistert isst essen "
            "ama adora "
            "encanta gusta come comer adore aime raffole mange manger любит обожает нравится ест"
        ),
        _stems(
            "odian hassen detestent odeiam ненавидят боятся afraid scared fears hate hates dislikes allerg* hasst "
            "angst "
            "furchtet odia detesta miedo alerg* odeia "
            "medo deteste "
            "peur ненавидит боится аллерги*"
        ),
    ),
)
"""Of these everything else has to be the same: who eats no fish may eat chicken."""
_COLOURS = _stems("""
red blue green yellow black white grey gray brown purple pink orange rot* blau* grun* gelb* schwarz* weiss* grau*
braun*
lila rosa rojo roja azul verde amarillo amarilla negro negra blanco blanca gris marron morado morada vermelho vermelha
amarelo amarela preto preta branco branca cinza roxo roxa rouge bleu bleue vert verte jaune noir noire blanc blanche
красн* син* зелен* желт* черн* бел* сер* коричнев* голуб* розов*
""")
_PROFESSIONS = _stems("""
plumber electrician nurse doctor teacher lawyer baker hairdresser carpenter engineer dentist accountant chef waiter
programmer vet mechanic firefighter pilot pharmacist architect
klempner* elektriker* krankenschwester arzt arztin lehrer* anwalt* backer* friseur* tischler* ingenieur* zahnarzt*
koch kochin mechaniker* architekt* apotheker*
fontaner* electricist* enfermer* medic* profesor* maestr* abogad* panader* peluquer* carpinter* ingenier* dentista
contador* cociner* mecanic* bomber* arquitect* farmaceutic*
encanador* eletricista enfermeir* professor* advogad* padeir* cabeleireir* carpinteir* engenheir* contador* cozinheir*
bombeir* arquitet*
plombier electricien* infirmier* medecin docteur* professeur* avocat* boulanger* coiffeur* coiffeuse menuisier
ingenieur*
dentiste comptable cuisinier* mecanicien* pompier architecte pharmacien*
сантехник* электрик* медсестр* врач* учител* юрист* адвокат* пекар* парикмахер* инженер* стоматолог* бухгалтер* повар*
механик* пожарн* архитектор* программист*
""")
_SUBJECTS = _stems("""
law medicine biology physics chemistry history maths mathematics economics philosophy psychology engineering literature
jura medizin biologie physik chemie geschichte mathematik bwl philosophie psychologie informatik germanistik
derecho medicina biologia fisica quimica historia matematicas economia filosofia psicologia ingenieria direito
matematica engenharia droit medecine biologie physique chimie histoire mathematiques economie philosophie psychologie
право юриспруденци* медицин* биологи* физик* хими* истори* математик* экономик* философи* психологи*
""")
_BREEDS = _stems("""
poodle labrador beagle bulldog terrier dachshund greyhound husky collie pug chihuahua retriever rottweiler shepherd
pudel dackel schaferhund mops windhund boxer galgo caniche podenco mastin pastor salsicha lulu caniche teckel
bouledogue levrier berger такса пудель овчарка бульдог хаски корги мопс лабрадор
""")
_IS = _stems(
    "is i'm he's she's who's as the es ist der die den la el une un est um uma e der als comme como c'est же это"
)
TRAITS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (_COLOURS, ()),
    (_PROFESSIONS, _IS),
    (_SUBJECTS, ("stud", "etud", "estud", "уч", "изуч")),
    (_BREEDS, ()),
)
"""Kinds of which a thing has one, and what has to stand before the other."""
