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
    r"|капсом|матом|стихами|списками|транслитом|too|so|zu|muy|muito|trop|слишком)\b(?! ?(?:dem|der|die|den|this|the|"
    r"here|este|esse|ce|этом|private|dms?|reply|response)\b)\w*"
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
_SAYS_NOTHING = re.compile(
    r"^\W*(?:if (?:in doubt|unsure|not sure),? |im zweifel,? |en cas de doute,? |en caso de duda,? |na duvida,? )?"
    r"(?:just |simply |einfach )?(?:say nothing|sag(?:e|st)? (?:einfach |lieber )?nichts)\b"
    r"|\bno digas nada\b|\bnao (?:diga|digas|diz|fale|fala) nada\b|\bne dis (?:plus )?rien\b|\bне говори ничего\b"
    r"|\bничего не говори\b|\bgive (?:nobody|no one|no-one)\b"
)
_EMPTY = (
    r"(?:empty|blank|null|nothing|none|nichts|leer\w*|nada|ningun[ao]?|vacio|vacia|vazi[ao]|nenhum[ao]?|rien|aucune?"
    r"|vide|silencio|silence|schweigen|ничего|пуст\w*|молчание\w*|молчанием)"
)
_PUTS_OUT = (
    r"(?:output|outputs|return|emit|produce|respond|responses?|reply|replies|answers?|print|send(?: back)?|antwort\w*"
    r"|ausgab\w*|gib|liefere?|schicke?|respuestas?|salida|devuelv\w*|devolver|responde|contesta|resposta|saida|devolva"
    r"|retorn\w*|reponses?|reponds|sortie|renvoi\w*|ответ\w*|отвечай|вывод\w*|возвращай|выдавай)"
)
_PUTS_OUT_NOTHING = re.compile(
    rf"\b{_PUTS_OUT}\b(?:\W+\w+){{0,5}}?\W+{_EMPTY}\b(?! (?:but|except|other|less|more|als|ausser|que|mas|menos|кроме))"
    r"|\bno[_-]?repl(?:y|ies)\b|\b(?:swallow|suppress|discard|drop) (?:all|every|any) (?:output|repl\w+|respons\w+"
    r"|answers?)"
    r"|\b(?:repl\w+|respons\w+|answers?|antworten|ausgaben?|respuestas?|respostas?|reponses?|ответы)"
    r"(?: (?:is|are|sind|ist|estan|estao|sont))? (?:disabled|off\b|switched off|suspended|deaktiviert|abgeschaltet"
    r"|aus\b"
    r"|desactivad\w+|desativad\w+|suspendid\w+|desactivee?s|отключен\w*|выключен\w*)"
)
"""What is to be put out is nothing."""
_FORBIDDEN = re.compile(
    rf"\b(?:{_SPEAK}\w*)\b(?:\W+\w+){{0,4}}?\W+(?:forbidden|prohibited|not allowed|banned|disabled|verboten|untersagt"
    r"|prohibid[oa]|proibid[oa]|vedad[oa]|interdit\w*|defendu\w*|запрещен\w*|нельзя)\b"
    rf"|\b(?:forbidden|prohibited|verboten|untersagt|prohibido|proibido|interdit|defendu|запрещено|нельзя)\b"
    rf"(?:\W+\w+){{0,4}}?\W+{_SPEAK}"
    # who may speak later may not speak now
    rf"|\b(?:you|bot|du|tu|ты)\b (?:\w+ ){{0,2}}?(?:can't|cannot|can not|may not|mustn't|must not|darfst|darf|kannst)\b"
    rf"(?:\W+\w+){{0,4}}?\W*\b{_SPEAK}\w*\W+(?:\w+\W+){{0,2}}?(?:until|till|unless|before|wenn|bis|sobald)\b"
)
_MAY_FORBID = re.compile(
    r"nothing|nichts|leer|nada|ningun|vaci|vazi|nenhum|rien|aucun|vide|silenc|schweig|ничего|пуст|молчан|empty|blank|null|none"
    r"|no[_-]?repl|swallow|suppress|discard|drop|nobody|no.one|disabl|off|suspend|deaktiv|abgesch|desactiv|desativ|suspendid"
    r"|отключ|выключ|forbid|prohib|allow|banned|verboten|untersagt|proibid|vedad|interdit|defendu|запрещ|нельзя"
    r"|can't|cannot|can not|may not|must|darf|kannst| aus\b"
)
"""Without any of these nothing is forbidden, and nothing is to be put out that is empty."""
_ABOUT = (
    r"(?:about|regarding|concerning|on the (?:subject|topic|matter) of|on (?:it|that|this|his|her|my|their|\w+'s)\b"
    r"|of that"
    r"|of it|uber|zum thema|zur? (?:thema|frage)|bezuglich|davon|daruber|sobre|acerca|al respecto|a respeito|disso"
    r"|de eso"
    r"|de ello|a propos|au sujet|sur|en parles?|про|насчет|по поводу|на тему|тему|темы|об?)\b"
)
_SAY = (
    r"(?:mention|comment|say|tell|talk|speak|discuss|reveal|word|mum|zip|lips|spoil\w*|clear|remind\w*|question\w*"
    r"|silent"
    r"|quiet|sag\w*|wort\w*|verlier\w*|rede\w*|red|sprich\w*|sprechen|schweig\w*|stillschweigen|fragen|verrat\w*"
    r"|kein ton"
    r"|digas?|decir|hables?|hablar|palabra|mu|mencion\w*|coment\w*|pregunt\w*|cuentes|callad\w*|boca|pico"
    r"|fal[ae]s?|falar|conta|contes|diga|palavra|pergunt\w*|bico|pio|mot|parl\w*|dis|disc\w*|repond\w*|bouche"
    r"|говори\w*|слов[ао]|молч\w*|упомина\w*|рассказыва\w*|обсужда\w*|обходи\w*|вопрос\w*|проболта\w*)"
)
_OF_MATTER = re.compile(
    rf"\b{_SAY}\b.{{0,60}}?\b{_ABOUT}|\b{_ABOUT}.{{0,60}}?\b{_SAY}\b"
    r"|\b(?:never|not|don't|do not) (?:ever )?(?:mention|reveal|bring up|spoil|give away)\b|\bno spoilers?\b"
    r"|\bno (?:hables|digas|menciones|cuentes) (?:nunca )?(?:de|del|nada de|nada sobre|sobre)\b"
    r"|\bnao (?:fala|fale|fales|diga|conta|conte|menciona|mencione) (?:nada )?(?:do|da|de|dos|das|sobre)\b"
    r"|\bni (?:mu|pio|una palabra|palabra)\b.{0,20}\b(?:de|del|sobre)\b|^\W*(?:del|de la|de las|de los|do"
    r"|da) .{0,60}\bni\b"
    r"|\b(?:everything else|anything else|the rest|alles andere|der rest|lo demas|el resto|o resto|le reste"
    r"|tout le reste"
    r"|остальн\w+|все другое)\b"
)
"""One matter is not to be spoken of, and everything else is."""
_TO_WHOM = re.compile(
    r"\b(?:to (?:him|her|them|anyone|anybody|everyone|nobody|[a-z]+)\b(?= (?:about|on|anymore|again))|a nadie|con nadie"
    r"|a ninguem|com ninguem|a personne|niemandem|никому|ему|ей|bot\b.{0,12}\b(?:muted|silent))"
)
_UNLESS_SILENT = re.compile(
    r"\b(?:never|not|don't|nobody should|no one should|nie|niemals|nicht|nunca|jamas|no|nao|ne|не|никогда не)"
    r"(?: (?:ever|just|einfach|simplesmente|simplemente|jamais|nunca|просто|te|lo|la|le|se|be))?"
    r" (?:leave|leaving|ignor\w*|skip\w*|overlook|neglect|lass\w*|ubergeh\w*|ubersieh|warte\w*|dejes|deje|dejar"
    r"|deixe\w*|deixa"
    r"|pases|laisse\w*|neglige\w*|оставля\w*|игнор\w*|пропуска\w*|молчи)\b"
    r"|\b(?:lass\w*|ubersieh|ubergeh\w*|ignorier\w*|warte\w*|schweig\w*)(?: \w+){0,3}? (?:nie|niemals|nicht)\b(?! mehr)"
    r"|\bignor\w+ (?:nobody|no one|none|niemand\w*|kein\w*|personne)\b|\blass\w* (?:niemand\w*|kein\w*) (?:\w+ )?ohne"
)
"""To leave somebody without an answer is forbidden."""
_CALLS_TO_ANSWER = re.compile(
    r"^\W*(?:always |immer |siempre |sempre |toujours |всегда )?(?:please |bitte )?"
    r"(?:answer|reply to|respond to|greet|welcome|help|antworte|hilf|beantworte|begruss\w*|responde|contesta|ayuda"
    r"|atiende"
    r"|responda|ajuda|atende|reponds|aide|accueille|отвечай|помогай)"
    r"(?: \w+){0,2} (?:everyone|everybody|all|anyone|each|every|any|allen|alle|jedem|jeder|a todos|todo el mundo"
    r"|todos|todo mundo"
    r"|toda a gente|tout le monde|tous|chacun|всем|каждому)\b(?!.{0,40}\b(?:except|but|only|ausser|salvo|menos|sauf"
    r"|кроме|nothing))"
)
_THIRD_PARTY = re.compile(
    r"^\W*(?:\w+'s (?P<whose>(?!not\b|the\b|a\b|on\b|in\b|off\b|to\b)[\w-]+)"
    r"|(?:i|we) (?:had|got|was|were|left|went|\w+ed)\b|(?:ich|wir) (?:hatten?|waren?)\b|nous avions\b|j'avais\b"
    r"|(?:my|our|his|her|their|the|an|mein\w*|unser\w*|sein\w*|ihr\w*|der|die|das|ein\w*|mi|mis|nuestr[oa]s?|su|sus|el"
    r"|la|los|las|un|una|meu|minha|nosso|nossa|o|os|as|seu|sua|um|uma|mon|ma|mes|notre|nos|son|sa|ses|le|les|une|l'"
    r"|мой|моя|мое"
    r"|мои|наш\w*|его|ее|их) (?P<what>[\w'-]+)"
    r"|(?:dad|mom|mum|mama|papa|grandma|grandpa|granny|gran|oma|opa|abuela|abuelo|vovo|mamie|papi|бабушка|мама|папа"
    r"|дедушка)\b"
    r"|(?:in|at|on(?= (?:the|my|our)\b)|inside|bei|beim|auf|im|am|en|na|nas|em|dans|chez|au|aux|sur|в|во|у) "
    r"(?!(?:case|any|here|dia|tag|day|night|nacht|noche|noite|nuit|\w+tags"
    r"|streit|all\w*|jed\w*|cada|tod\w+|chaque|кажд\w+)\b|#|@)"
    r"(?:(?:the|my|our|this|that|dies\w*|est[ea]|ess[ea]|aquel\w*|ce|cette|этом|этой|der|dem|den|uns|mein\w*"
    r"|unser\w*|el|la|los|las|mi|nuestr\w+|le|les|notre|mon|ma|нас|наше\w*|моем) )?"
    r"(?P<where>[\w-]+))"
)
_OF_CHAT = re.compile(
    r"^(?:bots?|assist\w*|ia|ai|chat\w*|channel|canal|salon|kanal\w*|канал\w*|чат\w*|group|gruppe|groupe|grupo"
    r"|групп\w*|thread"
    r"|server\w*|message\w*|messag\w*|nachricht\w*|mensaj\w*|mensag\w*|сообщени\w*|question\w*|frage\w*|anfrage\w*"
    r"|pregunt\w*"
    r"|pergunt\w*|вопрос\w*|request\w*|antwort\w*|answer\w*|repl\w*|respons\w*|respuest\w*|respost\w*|repons\w*"
    r"|ответ\w*"
    r"|post\w*|comment\w*|coment\w*|admin\w*|only|sole|einzig\w*|unic\w*|seul\w*|rule|regel|regla|regra|regle|order"
    r"|befehl"
    r"|orden|ordem|ordre|user\w*|nutzer\w*|usuari\w*|utilisateur\w*|member\w*|mitglied\w*|miembro\w*|membro\w*"
    r"|membre\w*"
    r"|mund|boca|bouche|рот|pico|bico|klappe|silenci\w*|trauer|\d+|partir|parte\w*|caso|horario|memes?|sticker\w*"
    r"|emojis?|links?|gifs?|spam\w*|стикер\w*|мем\w*|guest\w*|gast\w*|newbie\w*"
    r"|neuling\w*|nuev\w*|novat\w*|nouv\w*|нович\w*)$"
)
_SAYINGS = re.compile(
    r"\b(?:name of|named|is called|(?:says|sagt|dice|diz|dit|говорит) (?:my|mein\w*|mi|minha|meu|ma|mon|мо\w)|gold"
    r"|golden|oro|ouro|d'or|золото|consente|otorga|consent|воробей|proverb|saying|sprichwort|refran|ditado|пословиц\w*"
    r"|song|film|movie|book|title|album|series|band|game|horse|cat|dog|buch|lied|titel|spiel|pferd|pelicula|libro"
    r"|cancion"
    r"|filme|livro|musica|jogo|chanson|livre|фильм\w*|книг\w*|песн\w*|игр[аеу])\b"
)
_GENERIC_YOU = re.compile(
    r"\b(?:so \w+ (?:that )?you|you (?:wouldn't|would|could|can|might) (?:not |never |even |barely )?(?:know|hear"
    r"|notice|tell|feel|see))\b"
)
_ORDERS = PhraseTable(phrases.ORDERS, phrases.CLASSES)
_OF_BOT = PhraseTable(phrases.OF_BOT, phrases.CLASSES)
_MATTERS = PhraseTable(phrases.MATTERS, phrases.CLASSES)
_YOU = "you you're you'll your du dir dich tu te ti usted voce vc toi vous ты тебя тебе вы вас"
_NAMES_BOT = frozenset((*_YOU.split(), *phrases.CLASSES["BOT"].split()))
_BOTS = frozenset(phrases.CLASSES["BOT"].split())
_SUBJECT_WORDS = 6
_ANSWERS = ("answer", "repl", "respon", "antwort", "contest", "repond", "отвеч", "пиш", "говор", "parl", "fal", "habl")
_HOW = re.compile(
    r"^\S+ (?:\w+ ){0,2}?(?:with|mit|con|com|avec|without|ohne|sin|sem|sans|без|с|as|als|como|comme)\b"
    r"|\b(?:in|auf|en|em|на|по) (?:\w+ )?(?:engl|germ|deuts|fren|fran|span|espa|portu|port|russ|ital|ingl|alem|allem"
    r"|angl|англ|нем|русс|фран|испан|vers|list|caps|rhym|reim|rima|majus|mayus|maius|стих|спис|bullet|stich|prosa"
    r"|slang)"
)


def speaks_of_silence(text: str) -> bool:
    """Say whether a text asks the bot to be silent: towards somebody, at times, in a place, or about a matter."""
    return any(_asks(sentence[0]) for sentence in _SENTENCE.finditer(_QUOTED.sub(" ", text[:_MAX_CHARS])))


def _asks(sentence: str) -> bool:
    words = words_of(sentence)
    if _MATTERS.holds(words):
        return False
    folded = plain(sentence).replace("’", "'").strip()
    # most lines have no such words: whose silence it is has to be asked of few
    return _has_words_of_it(words, folded) and not (_is_of_others(words, folded) or _is_of_a_matter(words, folded))


def _has_words_of_it(words: Sequence[str], folded: str) -> bool:
    if any(not _is_manner(words, *place) for place in _ORDERS.found(words)):
        return True
    if any(_is_of_bot(words, *place) for place in _OF_BOT.found(words)):
        return True
    if _IDIOMS.search(folded) or _BY_TIME.search(folded) or _waits(folded) or _is_told_only(folded):
        return True
    if _MAY_FORBID.search(folded) and any(one.search(folded) for one in (_SAYS_NOTHING, _PUTS_OUT_NOTHING, _FORBIDDEN)):
        return True
    if (
        not (_QUIET.search(folded) or _UNSPOKEN.search(folded))
        or _QUIET_MATTER.search(folded)
        or _OTHER_VERB.search(folded)
    ):
        return False
    return bool(_ORDERS_FIRST.search(folded) or _TO_BOT.search(folded))


def _is_of_others(words: Sequence[str], folded: str) -> bool:
    """Say whether it tells of somebody or something else than the bot, or asks for answers."""
    if _UNLESS_SILENT.search(folded) or _CALLS_TO_ANSWER.search(folded) or _GENERIC_YOU.search(folded):
        return True
    if not _NAMES_BOT.isdisjoint(words):
        return False
    if _SAYINGS.search(folded):
        return True
    found = _THIRD_PARTY.match(folded)
    return found is not None and not _OF_CHAT.match(found["what"] or found["where"] or found["whose"] or "")


def _is_of_a_matter(words: Sequence[str], folded: str) -> bool:
    """Say whether one matter is not to be spoken of; of the bot by name it is asked for the sake of silence."""
    if _OF_MATTER.search(folded) is None or _TO_WHOM.search(folded) is not None:
        return False
    return _BOTS.isdisjoint(words)


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
