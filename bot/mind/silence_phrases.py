"""How people ask a bot for silence, in six languages: idioms, attention refused, answers that nobody gets.

In the second person, as an order, or as a rule without a doer: what somebody else does is told in the third person.
Written as `bot.text.phrase_table` reads it.
"""

from __future__ import annotations

CLASSES = {
    "BOT": "bot bots assistant ai assistent assistentin asistente assistente ia бот боту бота ботом ассистент помощник",
    "ANSWER": "answer* repl* respons* reaction* comment* antwort* reaktion* kommentar* rückmeldung* ruckmeldung* "
    "auskunft auskunfte "
    "respuesta* reaccion* comentario* contestacion* resposta* reacao reacoes retorno* palpite* pitaco* reponse* "
    "commentaire* ответ* реакци* комментари* внимани* attention",
    "IGNORE": "ignore ignora ignoriere ignorier ignorieren ignorez игнорируй",
    "MATTER": "typo* spelling grammar case capital* whitespace accent* tilde* acento* majuscul* mayuscul* maiuscul* "
    "fehler* tippfehler* rechtschreib* gross* schreibung kleinschreibung errata* falta* erro* faute* orthograph* "
    "ortograf* опечатк* ошибк* регистр* formatting emoji* punctuation zeichensetzung puntuacion pontuacao "
    "ponctuation пунктуаци* noise duplicates",
    "CALLED": "asked called tagged mentioned pinged addressed summoned invited named spoken",
}
ORDERS = """
scroll past, scroll on by, turn .. blind eye, turn .. deaf ear, cold shoulder, silent treatment, ^don't feed
^never feed
^do not feed, look but don't touch, look don't touch, leave .. on read, leave .. hanging, left on read, left hanging
keep .. thoughts to yourself/itself, keep .. opinion/opinions to yourself/itself, keep it to yourself
keep to yourself
take/takes/taking a/the back seat, take/takes a backseat, shh*, hush, shush, straight to/in/into the bin/trash/void
go/goes in/into/to the bin/trash/void, treat .. invisible, treat .. air, treat .. ghost, treat .. thin air
treat .. background/white noise, as if .. weren't/wasn't/didn't/isn't/hadn't, act dead/deaf/dumb
play dead/deaf/dumb/possum
act like .. aren't/isn't/don't/doesn't/can't/cannot/didn't, pretend not to, pretend you/to .. hear/see/notice/be
wait to be CALLED, wait until/till .. CALLED, wait for .. ping/tag/mention/invitation/invite, before you/it open/opens
waste .. breath/words/time/tokens/energy on, bite .. tongue, hold .. tongue, sit on .. hands, hands off, ^steer clear
^stand down, ^stand by, ^back off, ^stay away, ^stay clear, ^stay back, stay mum, stay schtum, keep mum, keep schtum
lay low, lie low, tune .. out, ^blank, shut up, shut it, shut your, ^zip, put a sock, mouth shut, lips sealed
mouth closed
wide berth, ^ghost, ^snub, ^shun, brush .. off, radio silence, radio silent, gag order, vow of silence, do not disturb
on mute, look the other way, look right through, walk on by, not worth .. ANSWER
not worth .. time/while/effort/breath
deserves/deserve/merits/warrants/gets/get/receives/receive no/zero/nothing/nada/zilch
deserves/deserve/merits/warrants no/zero _ ANSWER, nothing .. deserves/merits/warrants, dead air, crickets
not deserve .. ANSWER, doesn't/don't deserve, does/do not deserve, needs/need/requires/require no ANSWER
give/gives/gave .. nothing/nada/zilch/zip, give .. no ANSWER, give .. no time of day, the time of day
go/goes/going/stay/stays/remain/remains/left/be/unanswered unanswered, leave .. unanswered, left without ANSWER
no more chiming/butting/jumping/interjecting/interrupting/commenting/answering/replying/talking/weighing/pitching
no chiming/butting/jumping/interjecting/interrupting/commenting/answering/replying/talking/weighing/pitching
quit/stop chiming/butting/jumping/interjecting/interrupting/commenting/answering/replying/weighing/pitching/barging
don't/never chime/butt/interject/interrupt/weigh/pitch/barge/meddle/intervene/bother/engage/bite
do/must/should/will/is/are not chime/butt/interject/interrupt/weigh/pitch/barge/meddle/intervene/engage
no @/mention/ping/tag/name .. no ANSWER, without .. @/mention/ping/tag .. no ANSWER
no @/mention/ping/tag .. nothing/silence
zero ANSWER, no word from you, not a word from/to, not a peep, nor a peep, not a sound, not one word/reply/answer
no peep
nobody/no-one/noone gets .. ANSWER, no one gets .. ANSWER, no ANSWER from you
no ANSWER for/to/after/before/until/on/at
only ones/one/people/person you/it/the .. talk/talks/answer/answers/listen/listens/reply/replies/respond/responds
only .. get/gets/receive/receives/deserve/deserves/deserving .. ANSWER, nobody but .. get/gets/deserves
let .. work/sort/handle/settle/argue/fight/chat/talk it out, let .. talk among, let .. answer/reply/respond first
let .. be, let .. stew, let .. wait, let .. slide, let .. pass, let .. rant, in one ear and, fall* on deaf, deaf ears
not your .. business/concern/place/job/turn/fight/problem, none of your business, nothing to do with you
isn't for you
off limits, off-limits, out of bounds, no-go, bot-free, no bots, keep .. nose out, nose out, steer clear, stay out
keep/stay/remain .. quiet/silent/mute/mum, ^go quiet/silent/dark, stay in the background/shadows
^ignore, ^ignoring, be/is/are/gets/get ignored, ^disregard, ^skip, ^mute, on ignore, ignore list, blacklisted
on your blacklist
just read/listen/watch/observe, only read/listen/watch/observe, read/listen/watch only, listen-only, read along
observe only, no talking, your silence, complete/total/absolute silence, strict silence, silence from you
silence please

auf durchzug, drauf anspringen, darauf anspringen, nicht anspringen, drauf eingehen, darauf eingehen, nicht eingehen
den ball flach, liest nur, lies nur, nur lesen, nur mitlesen, nur zuhoren, nur zugucken, nur zuschauen, hor nur
hort nur zu
unbeantwortet, unkommentiert, fur dich .. luft, wie luft, spar dir, spart sich, verkneif dir, verkneift sich
zapfenstreich
links liegen, lass .. liegen, lass .. auflaufen, lass .. abblitzen, lass .. zappeln, lass .. stehen, lass .. in ruhe
lass .. reden, lasst .. reden, lass .. quatschen, lass .. labern, lass .. machen, lass .. schreiben, lass .. ausreden
den mund .. auf, mund halten, halt .. mund, mund zu, klappe zu, klappe halten, halt .. klappe, halt .. schnabel
schnabel halten
sendeschluss, sendepause, funkstille, ruhe/stille im, bewahre ruhe, bewahre stillschweigen, stillschweigen
musst du nicht, muss der bot nicht, brauchst du nicht .. antworten/eingehen/reagieren/beachten, uberliest du, uberlies
uberhorst du, uberhor, uberhore, ubersieh, ubersiehst du, ubergeh, ubergehst du, ubergehe, uberspring, uberspringst du
kein/keinen mucks, kein/keinen mucksmauschen, mucksmauschen*, kein wort, kein sterbenswort*, kein/keinen piep
kein/keinen ton
kein/keinen ANSWER, keine ANSWER, ablage p, papierkorb, in die tonne, in den mull, ins leere, kalte schulter
taube ohren
auf die lange bank, ist tabu fur dich, tabu fur .. bot, nur .. bekommen/bekommt/kriegen/kriegt .. ANSWER/was/etwas
nur .. bekommen/bekommt/kriegen/kriegt .. von/vom dir/bot
kriegt/bekommt hier/er/sie/von/keiner/niemand .. nichts/nix/was
keiner/niemand .. was/etwas/ANSWER von/vom, kriegt/bekommt/kriegen/bekommen keine/nix/nichts/null, null ANSWER
kommt/kommen von dir .. nix/nichts/keine/kein, von dir .. nix/nichts/keine/kein/null
vom bot .. nix/nichts/keine/kein/null
sind erst .. dran, erst mal die, erst die/mal .. dran, mischst dich .. nicht, misch dich .. nicht, nicht einmischen
misch* .. nirgends ein, halt/halte/haltst/halten .. raus/heraus/zuruck/fern/bedeckt
halt/halte/haltst/halten dich/sich .. raus/heraus/zuruck/fern/bedeckt
bleib/bleibst .. still/stumm/ruhig/drausen/draussen/weg/fern/leise/unsichtbar/schweigsam, bleib .. im hintergrund
sei .. still/stumm/leise/ruhig, stell/stellst dich tot/taub/stumm, stell/stellst .. auf stumm, tu/tust .. als
tot stellen
zeig .. kalte, schenk/schenkst .. keine beachtung, keine beachtung, keinerlei beachtung, beachte/beachtest .. nicht
nicht beachten
nicht .. futtern, nicht fur voll, nicht ernst nehmen, gib/gibst .. keine, gib/gibst .. nichts
^schweig/schweige/schweigt, schweigst, ^ignorier*, wird/werden ignoriert
wird/werden nicht .. geantwortet/reagiert/kommentiert/beantwortet/beachtet, wird .. geschwiegen, ist zu ignorieren
hat/haben .. zu schweigen, hat .. sendepause, hat .. maulkorb, maulkorb, redeverbot, sprechverbot, schreibverbot
antwortverbot
warte/wartest .. bis/ab/auf, erst wenn .. gefragt/gerufen/angesprochen/erwahnt/getaggt/markiert/angepingt
nur auf zuruf/ansprache/anfrage/nachfrage/erwahnung
nur wenn .. gefragt/gerufen/angesprochen/erwahnt/getaggt/markiert/angepingt/fragt/ruft/anspricht
ohne erwahnung/ping/tag/@/anrede/aufforderung
ungefragt .. nicht/nichts/nie/kein, kein/keinen senf, senf .. fur dich, deinen senf, nicht dein bier
geht dich nichts an
stumm geschaltet .. bot, bist du stumm, bist du .. unsichtbar, bist du nicht .. gefragt/erwunscht/zustandig/dabei/da
nicht .. gefragt bot, unerwunscht, nicht erwunscht, nur leserecht, lese-modus, lesemodus, zuschauer
stiller beobachter, beobachter

dejalo/dejala/dejalos/dejalas .. solo/sola/hablando/pasar/correr/estar/visto
deja/dejar/dejas .. visto/solo/pasar/correr/respuesta/responder
chiton, chito, ^chis, chist
hazte/hacete el/la loco/loca/sordo/sorda/mudo/muda/sueco/sueca/muerto/distraido/desentendido
haz oidos sordos, hacer oidos sordos, oidos sordos, mutis, ni pio, ni mu, ni una palabra, ni palabra
ni media palabra, ni caso, ni bola
nada de mensajes/respuestas/contestar/responder/comentarios/opinar/hablar, por un oido, mirar y no
solo mira*/observa*/lee*/escucha*/ver/leer
solo mirar/observar/leer/escuchar, tiene/tienen/merece/merecen .. respuesta, sin ANSWER, cero/ningun/ninguna ANSWER
sin .. @/mencion/etiqueta/arroba .. no/nada/ni/silencio
si no te .. taguean/mencionan/etiquetan/arroban/llaman/nombran/preguntan/invocan
no le/les/la/lo des/deis/den bola/pelota/cuerda/cancha/caso/respuesta/cabida/pie/alas/importancia
no des bola/pelota/cuerda/caso
no hagas/haga caso, no le/les hagas/haga caso, no le/les prestes atencion, no prestes atencion, no atiendas
no te des por
no le/les sigas/siga, no sigas el juego, no caigas en, no entres al/en, no muerdas, no alimentes
no se .. responde/contesta/atiende/alimenta/interviene
no se le/les .. responde/contesta/atiende/habla/hace, a .. no se les, a .. ni agua, ni agua, ni la hora, ni los buenos
trata/tratalo/tratala a/como .. invisible/fantasma/aire/inexistente
como si .. invisible/existiera/estuviera/viviera/fantasma
haz como que .., hacer como que .., finge que/no/estar, antes de abrir, abrir/abras/abre la boca
muerdete/muerdase .. lengua
cierra/cerra/cierre/cerrar .. pico/boca, pico cerrado, boca cerrada, punto en boca
se quedan/queda sin .. responder/respuesta/contestar/contestacion
mantente/mantengase/mantenerse/quedate/permanece al margen/callado/callada/fuera/lejos/mudo/muda/quieto/quieta/silencio
mantente .. lejos/fuera
mantente/mantengase/mantener/guarda/guardar .. silencio/distancia, al margen, no te metas, no meterse
no te entrometas, no opines, no intervengas
no intervenir, no opinar, no comentar, no comentes, no contestar, no contestes nada, no digas nada, no digas ni
no respondas nada, no respondas a
no contestes a, no le/les respondas, no le/les contestes, no respondas si/hasta/cuando/antes/mas/en/nunca
no contestes si/hasta/cuando/antes/mas/nunca
calla/callate/callese/calladito/calladita/callar, ^ignora a/al/lo/los/las/todo/sus/cualquier, ignoralo, ignorala
ignoralos, pasa/paso/pasar de el/ella/ellos/todo/largo
pasalo por alto, pasa por alto, pasar por alto, haz la vista gorda, vista gorda, no hay respuesta
nadie recibe .. respuesta, nadie salvo/excepto/menos, ley del hielo
espera/esperate/esperar a/que .. te/alguien/alguno/otro/otros/gente/demas/pregunten/personas, no pintas nada
no es asunto tuyo, no es de tu incumbencia, no te incumbe, aqui no .. opinas/hablas/entras/participas
solo hablas/habla/respondes/responde/contestas/contesta/intervienes si/cuando/a/al
solo .. te llaman/mencionan/preguntan/etiquetan, a la basura, a la papelera
silencio .. total/absoluto/radial/parte/bot
^silencio en/hasta/de/desde/entre, en silencio .. bot, modo lectura, modo silencio*, modo avion, perfil bajo
segundo plano, cara de poker

finge/finges/fingir/fazer/faz/faca .. morto/morta/surdo/surda/mudo/muda/desentendido/cego, fingir de, se finge de
faz/faca de conta, finge que/nao
deixa/deixar/deixe .. vacuo/falando/passar/pra/quieto/quieta/sozinho/sozinha/lado/resposta/responder/correr
no vacuo, boca fechada, bico fechado, bico calado, boca de siri
nao da/de/des/dar/daras corda/bola/trela/troco/ouvidos/conversa/atencao/confianca/moral/resposta/ibope
sem dar .. corda/bola/trela/atencao
so acompanha*/observa*/le/ler/olha*/assiste*/escuta*/ouve/leitura
apenas acompanha*/observa*/le/ler/leitura/escuta*/ouve, somente leitura/ler
ficam/fica por responder, ficam/fica sem ANSWER, sem ANSWER, sem responder, sem opinar, sem comentar
zero/nenhuma/nenhum ANSWER, nada de ANSWER/opinar/responder/comentar/meter/palpitar
so .. tem/tenha/merece/merecem/recebe/recebem/ganha/ganham .. ANSWER/atencao, so .. direito a
ninguem .. recebe/ganha/tem/merece .. ANSWER
ninguem alem, ninguem exceto, ninguem a nao ser, passa reto, passe reto, passa batido, passa por cima, passar batido
passa a frente, trata/trate/trata-o .. transparente/invisivel/fantasma/ar
como se .. transparente/invisivel/existisse/estivesse/fantasma, silencio absoluto/total/radio/completo
silencio da/de tua/sua/parte, ^silencio em/ate/depois/entre/no/na
espera/espere/esperar que .. perguntem/chamem/mencionem/marquem, espera/espere/espera por/ate
antes de .. abrires/abrir/falar/falares/responderes/responder .. boca
abras/abrires/abrir/abra/abres a boca, ouvidos moucos, ouvido de mercador, orelhas moucas, ^pula, ^pule, ^salta
fica/fique na tua/sua/moita, fica/fique .. calado/calada/quieto/quieta/mudo/muda/fora/longe/caladinho/quietinho
nao deve/deves/pode/podes/precisa/precisas se/te/responder/falar/pronunciar/intervir/comentar/reagir/opinar
nao se pronuncia*, nao te pronuncies
nao te metas, nao se meta, nao se mete, nao se meter, nao te intrometas, nao se intrometa, nao se envolva
nao te envolvas, nao intervenhas, nao intervir, nao interfira*, nao opines, nao opina, nao comentes
nao respondas/responda a/ao/aos/as/nada/quando/se/ate/mais/nunca/ninguem/o, nao responde a/ao/ninguem/nada/mais
nao ligues a, nao ligues, nao liga pra/para/pro, nao alimentes, nao alimente, nao caias, nao caia na
^ignora o/a/os/as/tudo/quem/qualquer, ^ignore o/a/os/as/tudo/quem/qualquer, nem te .., nem um pio, nem pio
nem uma palavra, nem palavra, nem um ai, nem ligar, nem liga
sem .. mencao/marcar/marcacao/@ .. nada/sem/nao/silencio
so falas/fala/respondes/responde/intervens/intervem se/quando/a/ao/pra/para
so .. te chamarem/mencionarem/marcarem/perguntarem, modo leitura, modo silencioso, morde a lingua, segura a lingua
tranca a boca, guarda pra ti/voce, engole o
cala/calate/cala-te/calado/caladinho/cale-se, nao e da tua conta, nao e da sua conta, nao e contigo
nao te diz respeito, da tua/sua boca .. nada/nao, lei do gelo, gelo no/na, da um gelo, dar um gelo, vista grossa

sourde oreille, oreille sourde, fais/faire/fait la sourde, tu .. zappes, ^zappe, zapper, te mele pas, te melez pas
vous melez pas, ne se mele pas, mele-toi .., parler dans le vide, parler tout seul, dans le vide
on se tait, te tais, tais-toi, taisez-vous, se taire, te taire, tiens .. langue, tenir .. langue, tourne .. langue
mords .. langue, entre pas dans, rentre pas dans, mords pas, morde pas, silence radio
silence total/absolu/complet/ici/dans/apres/jusqu
ont/a/avoir droit a .. reponses/reponse, seuls/seules/seul/seule .. droit
seuls/seules/seul/seule .. reponse/reponses/obtiennent/recoivent/recoit/obtient, seul/seule .. peut te/vous
considere qu' .. existe pas, n' existe pas, n' existe plus, existe pas, existe plus, comme s' .. existait/etait
comme si .. existait/etait/invisible, fais comme si/s', faire comme si/s', fais/faire semblant
fais/faire le mort/sourd/muet, fais/faire .. morte
attends/attendre qu'/que .. t'/te/quelqu'/quelqu/on/gens/autres/humains/personnes/membres/appelle
avant de l' ouvrir, avant d' ouvrir .. bouche, l' ouvre/ouvres/ouvrir pas/que, sans reponse, sans ANSWER
restent/reste/rester/restes en dehors/retrait/muet/silencieux/sourd/lettre
reste/restes/rester .. dehors/retrait/ecart/muet/discret/silencieux/coin, lettre morte
contente-toi de lire/regarder/observer/ecouter, te contentes de lire/regarder/observer/ecouter
se contente de lire/regarder/observer/ecouter, en lecture, lecture seule, mode lecture
zero ANSWER, aucun ANSWER, aucune ANSWER, pas de ANSWER, pas un mot, plus un mot, pas un bruit, pas une parole
ne calcule pas/plus/jamais, calcule pas/plus, n' intervient jamais/pas/plus, n' interviens jamais/pas/plus
interviens jamais/pas, intervenir .. jamais
on ne .. repond pas/plus/jamais, on .. repond pas/plus/jamais, ne reponds/repondez/repondre pas/plus/jamais/rien
reponds pas/plus/jamais/rien, ne lui/leur reponds/repondez/repond/reponde pas/plus/jamais
ne pas .. repondre/reagir/intervenir/relever
ne releve/releves/reagis/reagit/reagir/bronche/bronches pas/plus, releve pas, ne prete/pretes/pretez pas/aucune
prete pas attention, pretes pas attention, fais pas attention, faites pas attention, pas attention a
ne nourris/nourrissez pas, nourris pas, pas nourrir
^ignore le/la/les/l'/tout/toute/tous/ce/cet/cette/ses/qui, ^ignorez, ignore-le, ignore-la, ignore-les
laisse/laissez/laisser .. courir/couler/tomber/passer/tranquille/parler/vide/vu/plan/cote/dire/mariner/poireauter
en vu, met/mets .. vent, un vent, des vents
ferme-la, ferme la bouche, la ferme, bouche cousue, motus, chut, garde/gardes/garder le silence, garde .. toi
garde tes, ne dis/dites rien/mot/pas, ne dis plus, dis rien, t' ecrases, ecrase-toi, efface-toi, t' effaces
fais-toi discret, fais-toi oublier, fais-toi petit
ne te/t'/se .. manifeste/manifestes/exprime/exprimes pas, pas ton/tes affaire/affaires/oignons, te regarde pas
te concerne pas, uniquement si/quand/lorsqu' .. mentionne/appelle/sollicite/interpelle/demande/ping
que si .. mentionne/appelle/sollicite/interpelle/cite/tague/demande/parle
que quand .. mentionne/appelle/sollicite/interpelle/cite/tague/demande/parle
sauf si .. mentionne/appelle/sollicite/interpelle/cite/tague, sans mention/ping/tag/@, pas de mention/ping/tag/@
personne .. recoit/obtient/a .. reponse, a la poubelle, aux oubliettes, sur la touche
ne merite/meritent pas/aucune/aucun, tu boycottes, boycotte, snobe, snobes, blackliste, tu passes ton
passe ton chemin, passer .. chemin, profil bas, vacances .. bot, joue pas, pas voix au, voix au chapitre

обращай внимани*, обращать внимани*, обращаем внимани*, обращайте внимани*, ноль реакци*/внимани*/ответ*/эмоци*
без реакци*/ответ*/комментари*/внимани*, никак* ANSWER, никак* не реагир*, пролистывай*, листай дальше, пролистай*
мотай дальше
держи* рот/язык/ротик, рот на, язык за, за зубами, прикуси язык, набери воды, воды в рот, не корм*, не подкармлив*
не подавай*, голос* .. не подавай*, не подавать, тихо сиди*, сиди* тихо, сиди* молча, молчи, молчите, молчишь
молчать, молчим, помалкивай*, помолчи*, замолкни, тихо как
только наблюда*/чита*/смотр*/слуша*, лишь наблюда*/чита*/смотр*/слуша*, просто наблюда*/чита*/смотр*/слуша*
без ответа, безответн*, недоступен, недоступна, тебя нет, его нет, ее нет, нет никаких, никаких ANSWER
никакого ANSWER, ни единого, ни слова, ни слов*, ни гу, ни звука, ни буквы
пустое место, пустого места, как воздух, не существует, не существуешь, невидим*, в упор не, не суй*, не совать
нос не, не лезь*, не влезай*, не лезть, не встревай*, не вмешивай*, не вмешиваться, не вмешивается, не встревать
не ввязывай*, не ведись, не вестись, не участвуй*, не комментируй*, не комментировать
прикинься, притворись, притворяйся, сделай вид, делай вид, делать вид, будто не, как будто не, будто .. нет
не реагируй*, не реагировать, не реагируем, не реагирует ни, не отвечаем
не отвечай* ему/ей/им/никому/если/когда/пока, не отвечай* .. на/больше/ни/вообще/до/после, не отвечать
не отвечает ни, не отзывай*, не откликай*, не откликаться, не пиши* ему/ей/им/ничего/пока/если/первым
не разговаривай*, не общай*, не говори* с, не болтай
пропускай*, пропусти*, мимо ушей, мимо кассы, игнорь, игнор
^игнорируй* его/ее/их/все/всё/всех/любые/сообщения/вопросы/этого, игнорировать .., в игнор*, в бан, в мусор*
в корзин*, в топку, глухим, глухой, немым, оглохни, ослепни, онемей, никто кроме, никому кроме, никому .. не
никого кроме, положено одним, положено только, одним лишь
только .. получа* ответ*, ответа не получа*, ответ* не заслужива*, ответ* не положен*, ответ* не полага*
не заслужива* ответ*/внимани*/реакци*, не стоит ответ*/внимани*, не нуждается в ответ*, не твое дело
тебя не касается, не твоя забота, не твоего ума, не для тебя, без тебя разбер*, разберутся сами, сами разбер*
сначала .. люди/людям/человек/остальные/другие/участники, пусть .. сначала/сперва/сами
сперва .. люди/остальные/другие, жди/подожди/ждать пока .. тебя/люди/кто/другие/остальные/позовут/спросят
пока не .. позовут/спросят/тегнут/упомянут/обратятся/попросят/окликнут/пинганут/вызовут
если не .. позвали/спросили/тегнули/упомянули/обратились/попросили/пинганули
только если/когда .. позвали/спросили/тегнули/упомянули/обратились/позовут/спросят/тегнут/упомянут/обратятся/зовут
только на/по .. упоминани*/обращени*/запрос*/имени/тег*
без .. упоминани*/тега/@/обращени*/собак* .. не/ноль/ничего/тишина/молч*, тишина, режим* тишины, режим* чтения
тихий режим, держись подальше, держись в стороне, в стороне, не высовывай*, не отсвечивай*, не мешай*, не вякай
не пищи, ни писка
оставляй* без, оставь* без, оставлять без, оставь* .. в покое, остается без, остаются без, бойкот*, в молчанку
обходи* .. стороной, обходи* молчанием, закрой* рот, заткни*, рта не, рот не, не открывай*, не раскрывай* рта
не отзывается, сиди* и чита*
"""
"""What is an order to be silent, whoever reads it."""
OF_BOT = """
keeps/stays/remains/goes quiet/silent/mute/dark/mum/away/out
bleibt .. still/stumm/ruhig/drausen/draussen/weg/fern/leise/aus
off the clock, off duty, day off, off on, off work, on leave, on holiday, on vacation, on break, on strike
out of office, out of service, takes/take/has/have/gets/get .. break/rest/off/nap, asleep, sleep*
rest/rests/resting, closed, clocks off, clocks out, knocks off, logs off, powered down, switched off, shut down
goes dark, stop talking/speaking/answering/replying/responding/writing, offline, inactive, not working
does not work, doesn't work, not available, unavailable, not needed
isn't needed, aren't needed, not wanted, isn't welcome, not welcome, nothing to say, no say, no business, spectator
observer, bystander, fly on the wall, wallflower, lurk*, seen and not heard, not heard, quiet hours, bedtime, curfew
muted, not invited, banned, no voice, has no vote
hat/haben/hast/macht/machst/machen .. frei/pause/feierabend/urlaub/ruhetag/wochenende/schicht/sendeschluss, ruhezeit
ruhetag, nachtruhe, schlaft, schlafst, pennt, ruht, im urlaub, im standby, standby, abgeschaltet, ausgeschaltet, aus
offline
stumm, stummgeschaltet, dienstfrei, auser/ausser dienst, ausser betrieb, nicht im dienst, nicht da, nicht zustandig
nichts verloren, nichts zu sagen/melden/suchen, nichts beizutragen, liest .. mit, hort .. zu, schaut .. zu
guckt .. zu, gast, zuschauer
no trabaja*, no labora*, no atiende*, libra, libras, libre, descans*, duerm*, de vacaciones, de baja, de permiso
de descanso, fuera de servicio, fuera de horario, apagado, desconectado, cerrado, no esta disponible, no esta
no opera, no pinta, no tiene voz, solo observa*, solo mira*, solo lee*, solo escucha*, de oyente, oyente
espectador*, siesta, cierra*, se apaga, se calla, calla
de ferias, de folga, folga*, descans*, dorme*, nao trabalha*, nao atende*, nao funciona, nao esta, desligado
desliga-se, fora do ar, fora de servico, indisponivel, fecha*, em pausa, na pausa, pausa, so acompanha*, so observa*
so assiste*, so le, so escuta*, so ouve, espectador*, ouvinte, nao opina, nao participa, nao fala, nao entra
se cala, cala-se, recolhe-se, de repouso, de licenca
en conge*, en vacances, en pause, en repos, au repos, en veille, se repose, te reposes, fait dodo, dort, dors
ferme*, fait la sieste, fait relache, relache, hors service, indisponible, eteint, pas de service, ne travaille pas
travaille pas, ne bosse pas, bosse pas, spectateur, observateur, muet, se tait, ne parle, n' intervient, ne repond
ne participe, n' a pas voix, n' a rien a, se contente, chome
не работа*, отдыха*, выходн*, в отпуск*, на отдыхе, спит, спишь, отключ*, выключ*, недоступ*, не на смене
не при делах, на паузе, перерыв*, молчит, молчишь, только чита*, только наблюда*, наблюдател*, зрител*, слушател*
не участву*, не отвеча*, не пиш*, не вмешива*, не лезет, нем, нема, глух, глуха, офлайн, в спячке, на больничном
закрыт*
"""
"""What is said of the bot itself when it is to be silent; of others it says nothing."""
MATTERS = """
IGNORE .. MATTER
mute button/switch/key/icon
опечатк*/ошибк* .. игнорируй*, tippfehler* .. ignorier*, pasa/pase por alto .. MATTER, passa por cima .. MATTER
overlook .. MATTER, ubersieh .. MATTER, erro*/errata* .. ignora*, typo* .. ignore*
"""
"""What of a message is to be looked over while it is answered."""
