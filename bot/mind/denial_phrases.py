"""How people say that they do not know, or were not told, in six languages: idioms, and short ways that name no verb.

Written as `bot.text.phrase_table` reads it.
"""

from __future__ import annotations

from bot.text.phrase_table import PhraseTable, words_of

_CLASSES = {
    "TOLD": "told mentioned said shared given informed briefed updated notified",
    "TELL": "tell tells say says said mention mentioned share shared specify specified disclose disclosed reveal "
    "revealed let",
    "GESAGT": "gesagt genannt erwahnt erzahlt verraten mitgeteilt geschrieben angegeben hinterlegt notiert vermerkt "
    "festgehalten uberliefert bekannt bekanntgegeben gepostet eingetragen besprochen verlautet zugetragen",
    "DICHO": "dicho contado comentado mencionado informado avisado explicado indicado especificado anotado apuntado "
    "registrado compartido facilitado guardado pasado hablado puesto",
    "DIJO": "dijo dijeron conto contaron comento comentaron menciono mencionaron aviso avisaron informo informaron",
    "DISSE": "disse disseram dito contou contaram comentou comentaram mencionou mencionaram mencionado avisou avisaram "
    "informou informaram informado passou passaram falou falaram falado citou registrou registrado anotado explicou",
    "DIT": "dit parle mentionne precise indique donne communique transmis signale prevenu explique raconte note "
    "partage renseigne inscrit",
    "SAID": "сказал* говорил* сообщ* упомина* упоминул* упомянул* называл* рассказ* писал* написал* передавал* "
    "предупре* уточнял* делил* давал* скидывал* указал* указан* записан* обсужда* упомянут* известно доложил* говорили",
}
_DENIALS = """
never/not/ever talked/discussed/spoke/spoken/touched .. about/on, never/not/ever talked/discussed/spoken
first i'm hearing, first i hear
first time i .. hear/hearing, only you/they .. know, would know better, you'd know better, new to me
no recollection, not something i know
hore .. zum ersten mal, zum ersten mal .. hore/hor, davon wusste, das wusste ich, nie .. gesprochen/geredet
nicht .. gesprochen/geredet
wusste .. nichts, nicht .. gewusst, dazu .. keine, hore ich gerade
no sabia, me entero ahora, me acabo de enterar, nunca .. hablamos/hablado, no .. hemos hablado, no lo sabia
eso no me, recien me entero
nao sabia, informac* .. nao, isso eu nao, essa eu nao, nunca .. falamos/conversamos, sabendo agora, fiquei sabendo
primeira vez que
m' est inconnu*, inconnu* .. moi, j' apprends, l' apprends, jamais .. parle, pas .. parle, savais pas, ignorais
decouvre
разговора не было, речи не было, не было .. разговора/речи, не знал, не знала, впервые, не обсуждали, не говорили
слышу об
beats me, search me, your guess is as good, dunno, idk, no clue, not a clue, haven't a clue, haven't the foggiest
haven't the faintest, not the foggiest, no inkling, in the dark, out of the loop, news to me, first i've heard
couldn't/can't/cannot tell/say you/who/what/where/when/which/how/whether/if, couldn't/can't say, stumped
drawing a blank
draw a blank, drew a blank, wish i knew, who knows, hard to say, no telling, not that i know, not that i'm aware
not to my knowledge, not in my notes, not on my list, not in my memory, not on file, not on record, not on my radar
got nothing on/about, have nothing on/about, have nothing in/saved/noted/stored, nothing on file, nothing on record
nothing in .. chat/notes/memory/records/history/conversation about, nothing about, nothing in my, nothing noted
nothing saved
nothing was/has been/is .. TOLD, nobody/no-one/anyone/one filled/clued/looped/briefed/informed/told/mentioned/let
hasn't/haven't/wasn't/weren't been TOLD, hasn't/haven't/wasn't/weren't TOLD, not been TOLD, never been TOLD
never TELL
didn't/don't/hasn't/haven't TELL, did/do/has/have not TELL, hasn't come up, not come up, never came up, didn't come up
don't/didn't/haven't/not have .. on file/record/hand, don't have .. info*/details/data/number/code/address/date/name
don't have that/it/this, not sure about/when/where/who/what/which/how/whether/if, unsure, i lack, lost on me
escapes me
slipped my, can't recall, don't recall, doesn't ring, rings no bell, no idea, missed that, must have missed, not privy
afraid i don't, no info*, no details, no record*, no mention, no note*, no data, unknown to me, above my pay
over my head
unaware, not aware, not familiar, unfamiliar, never heard, haven't heard, didn't hear, didn't catch, haven't seen

uberfragt, kein plan, keinen plan, kein schimmer, keinen schimmer, keinen blassen, keine ahnung, null ahnung
null plan
kein dunst, keinen dunst, weiss der geier/kuckuck/himmel/teufel, wer weiss, da muss ich passen, da bin ich raus
muss passen
entzieht sich, entzieht sich .. kenntnis, im dunkeln, tappe im, fragezeichen, auf dem schlauch, bin ich blank
fehlt mir
fehlen mir, liegt mir .. nichts, liegen mir .. keine, liegen mir nicht
habe/hab ich/da/dazu/leider/hier/bisher nix/nichts/keine
hab/habe nix/nichts, dazu nix/nichts, weiss .. nichts, weiss ich .. nichts/nix/nicht, weiss .. gar nichts, weiss nix
mir wurde .. kein*/nichts/nie, wurde mir .. kein*/nichts/nie/nicht, kein* .. GESAGT
nicht/nie/niemand/keiner/nirgends/nirgendwo .. GESAGT
hat/haben .. keiner/niemand .. GESAGT, nichts .. GESAGT, nie/nicht .. GESAGT, nicht bekannt, unbekannt, nichts bekannt
steht .. nirgends/nirgendwo, steht .. nicht in, nicht auf dem schirm, nicht auf dem zettel, sagt mir nichts
ist mir neu
ist mir .. entgangen, wusste ich nicht, wusste nicht, keinerlei, nicht mitbekommen, nix mitbekommen
nichts mitbekommen
nichts gehort, nix gehort, noch nie gehort, keine info*, keine angabe*, keine daten, keine notiz*, keinen eintrag
keine kenntnis

ni .. idea, ni .. idea, ni zorra, ni papa, ni flores, ni repajolera, vete a saber, vaya usted, a saber, quien sabe
sabe dios
se me escapa, me pillas, me agarras
no tengo .. noticia*/constancia/idea/datos/info*/registro/conocimiento/dato/apunt*/nada
no dispongo, no cuento con, no poseo, no manejo, no lo/la/los se, eso no lo se, no sabria, no sabria decir*
no estoy al tanto
no estoy enterad*, no me entere, no me he enterado, no me enterado, nadie .. DICHO, nadie .. DIJO, no se .. DICHO
no .. DICHO
no me .. DIJO, no figura, no aparece, no consta, no hay .. nada/registro/constancia/informacion/datos, no hay nada
nada sobre
no hay ningun*, en blanco, ni puta, desconozco, lo desconozco, ignoro, lo ignoro, no me suena, no recuerdo
no me acuerdo
nunca .. DICHO, nunca .. DIJO, nunca mencion*/dijist*/contast*, sin informacion, sin noticias, sin datos
que yo sepa, a mi nadie
no tengo apuntado/anotado/guardado/registrado, no lo/la tengo, no veo nada, no encuentro, primera noticia

faco a minima/menor, a minima ideia, a menor ideia, sei la, vai saber, quem sabe, nao faco ideia/a, nem faco
nem ideia, nem sei
nao tenho .. aqui/registro/registrado/ideia/informac*/dados/nada/nocao/anotado/conhecimento/noticia*/acesso
nao tenho ess*/est*
nao disponho, nao possuo, nao conheco, desconheco, ignoro, nao consta, nao ha .. nada/registro/informac*
nao ha nada, nada aqui
nada sobre, ninguem .. DISSE, nao .. DISSE, nunca .. DISSE, nao foi .. DISSE, nao me .. DISSE, nao estou a par
nao fui .. DISSE
fora da minha, me escapa, fugiu da memoria, nao sei, nao saberia, nao me lembro, nao lembro, nao ouvi, nunca ouvi
sem informac*
sem ideia, sem noticia*, passo essa, boa pergunta, nao vi nada, nao vejo nada, nao encontr*, por dentro d*
novidade pra

aucune idee, pas la moindre, la moindre idee, sais pas, sais plus, j' en sais rien, en sais rien, chais pas
j' ignore, je l' ignore
l' ignore, mystere, va savoir, allez savoir, qui sait, pas au courant, pas dans mes notes, pas dans ma, n' ai pas
n' ai rien
n' ai aucun*, n' ai .. jamais, ai pas l'/le/la/les/cette/ces/d', ne dispose, dispose d' aucun*, ne possede
connais pas, connaissais pas
rien dit, rien sur, rien dans .. sur, n' en a rien, n' en a pas, n' a rien DIT, n' a pas .. DIT, n' a jamais .. DIT
m' a rien
m' a pas .. DIT, m' a jamais .. DIT, m' ont pas .. DIT, m' en a .. jamais/pas/rien, m' ete DIT, pas ete DIT
jamais ete DIT, ne m' a
personne .. m' a/en, personne n' a/en, nul ne, on ne m', on m' en a jamais, je seche, seche, incapable de te/vous
saurais pas
saurais te/vous, sans info*, aucune info*, aucune donnee, aucune trace, aucune mention, aucun element
aucun renseignement
me dit rien, dit rien, premiere nouvelle, pas entendu, jamais entendu, echappe, pas souvenir, souviens pas
souviens plus

без понятия, понятия не имею, хз, фиг знает, черт .. знает, кто знает, кто его знает, бог его, ума не приложу, ни сном
первый раз слышу, впервые слышу, не в курсе, не в теме, не курсе
у меня нет .. информаци*/данных/сведений/записей/номер*/код*/адрес*/дат*
у меня нет, нет у меня, нет таких, в заметках нет, в записях нет, в памяти нет, ничего не SAID, ничего не слышал*
ничего нет
ничего не знаю, ничего не известно, ничего не было, ничего не попадалось, никто .. не SAID, не SAID, не слышал*
не слыхал*
мне .. не SAID, мне никто, не довели, не знаю, не помню, не припомню, не подскажу, не могу сказать
не могу подсказать, не скажу
затрудняюсь, не располагаю, не владею, не обладаю, неизвестно, неведомо, не имею .. данных/сведений/информаци*
мимо меня, пропустил*
не встречал*, не видел*, не нашл*, не нашел, не нахожу, не вижу, вылетело из, забыл*, не отложилось, тайна, загадка
сведений нет
данных нет, информации нет, записей нет, не осведомлен*
"""
_TABLE = PhraseTable(_DENIALS, _CLASSES)


def says_not_known(folded: str) -> bool:
    """Say whether a sentence has words for not knowing, or for not having been told."""
    return _TABLE.holds(words_of(folded))


def without_denial(sentence: str) -> str:
    """Return the words of a sentence that are not what says that something is not known."""
    read = words_of(sentence)
    taken = {place for at, end in _TABLE.found(read) for place in range(at, end)}
    return " ".join(word for place, word in enumerate(read) if place not in taken)
