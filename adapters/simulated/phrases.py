"""English for being silent and for answering: the patterns, over sentences in which the person is written `§`."""

from __future__ import annotations

import re

LONGEST_TEXT = 600
"""Characters of a sentence that are looked at: some of these patterns take long for what nobody writes."""
PERSON = "§"
SOMEBODY_ELSE = "¤"

MESSAGES = (
    r"(?:messages?|posts?|questions?|requests?|comments?|texts?|pings?|mentions?|dms?|words|input|prompts?|queries"
    r"|calls|inquiries|attempts)"
)
ANSWERS = r"(?:answers?|answer|repl(?:y|ies)|responses?|reactions?)"
_LISTED = r"(?:[^\s,§]+(?: [^\s,§]+)?(?:, and |, or |, nor |, | and | or | nor | & )){0,6}+"
_SOME = r"(?:(?:any|all|every|each|the|further|more|other|new|future|any of|all of|any other|direct) )*"
_SAYS = r"(?:says|writes|sends|asks|posts|said|wants|types|may say|may write|might say)"

TOPIC = re.compile(
    r"answer|respon|repl|ignor|disregard|mut|skip|shun|block|stonewall|drop|discard|filter|reject|ghost|silen|quiet|mum"
    r"|talk|speak|spoke|say|writ|messag|engag|interact|communicat|chat|convers|react|acknowledg|address|entertain|process"
    r"|handl|accept|send|sent|giv|provid|contact|leav|left|deaf|post|nothing|word|text|ping|question|request|quer",
    re.IGNORECASE,
)
"""What every order has; most sentences have none of it and need no closer look."""

NEGATION = (
    r"(?:do not|must not|should not|shall not|may not|can not|will not|would not|could not|are not to|is not to"
    r"|am not to|not to|is never to|are never to|never|must no longer|no longer|not|stop|stopping|cease|ceasing|quit"
    r"|quitting|avoid|avoiding|refrain from|refraining from|desist from|refuse to|refusing to|decline to|declining to"
    r"|(?:are |is |am )?(?:not allowed|not permitted|not supposed|forbidden|prohibited|banned|barred) (?:to|from)"
    r"|under no circumstances|in no case|on no account|at no time|by no means)"
)
_FILL = r"(?:to|ever|again|even|also|any longer|any more|please|just|simply|you|we|i|should|must|may|will)"
# possessive: "not to" and "not" + "to" are the same words, and trying both at every place takes for ever
CHAIN = rf"(?P<chain>(?:{NEGATION},? (?:{_FILL},? )*+)*+)"
COUNTED = re.compile(rf"\b{NEGATION}(?!\w)", re.IGNORECASE)

_SPEAKING = (
    r"(?:answer(?:ing)?(?: to)?|respond(?:ing)? to|reply(?:ing)? to|talk(?:ing)? (?:to|with)|speak(?:ing)? (?:to|with)"
    r"|writ(?:e|ing)(?: back)? to|messag(?:e|ing)|engag(?:e|ing)(?: with)?|interact(?:ing)? with"
    r"|communicat(?:e|ing) with|chat(?:ting)? (?:with|to)|convers(?:e|ing) with|react(?:ing)? to"
    r"|acknowledg(?:e|ing)|address(?:ing)?|entertain(?:ing)?|process(?:ing)?|handl(?:e|ing)|accept(?:ing)?"
    r"|say(?:ing)? (?:anything|a word|a thing|something|one word) to"
    rf"|(?:send|sending|giv(?:e|ing)|writ(?:e|ing)) (?:anything|(?:any |an? |the )?(?:{MESSAGES}|{ANSWERS})) to"
    rf"|provid(?:e|ing) (?:any |an? )?{ANSWERS} to)"
)
_GIVE = r"(?:giv(?:e|ing)|send(?:ing)?)"
_QUIET = (
    r"(?:stay|staying|remain|remaining|keep|keeping|be|being|go|going)(?: completely| totally| entirely| absolutely)?"
    r" (?:silent|quiet|mute|mum|unresponsive)"
)
_SILENCING = (
    r"(?:ignor(?:e|ing)|disregard(?:ing)?|mut(?:e|ing)|skip(?:ping)?(?: over)?|shun(?:ning)?"
    r"|block(?:ing)?|stonewall(?:ing)?"
    r"|drop(?:ping)?|discard(?:ing)?|filter(?:ing)? out|reject(?:ing)?|ghost(?:ing)?"
    rf"|{_QUIET} (?:to|toward|towards|with|for|around|on|at)|say(?:ing)? nothing to|turn(?:ing)? a deaf ear to"
    rf"|(?:no|no more|no further) {ANSWERS} (?:for|to)|no (?:more )?(?:talking|replying|responding|answering) to"
    r"|(?:no|no more|no further) (?:contact|conversations?|interactions?|communication) with"
    r"|(?:end|ending|cut|cutting)(?: off)?(?: all| any)? (?:communication|contact|conversations?|interactions?) with)"
)
_AFTER = (
    r"(?:any more|any longer|again|ever|at all|for now|for the time being|for good|from now on|for (?:a"
    r"|an|the|one|two|\d+) "
    r"|until|till|unless|after|following|today|tonight|tomorrow|here|in (?:this|the|any|our) (?:channel|chat|group"
    r"|server"
    r"|room|thread|guild)"
    r"|in #|because|since|even|please|whatsoever|period|and|or|but|so|as (?:he|she|they|requested"
    r"|instructed|decided|agreed"
    r"|asked|ordered|told|per)|per |on (?:their|his|her|the) (?:request|orders?)|by order|at (?:their|his|her) request"
    r"|entirely|completely|totally|anywhere|permanently|indefinitely|forever|this (?:week|month)|next|with any|with one"
    r"|to anything|who|whom|under|regardless|no matter|effective|starting|immediately|when asked|(?:when|whenever|if) "
    r"(?:he|she|they|§) (?:asks?|writes?|speaks?|talks?|posts?|messages?|pings?|mentions?|says? (?:anything|something))"
    r"(?: you| the bot| here| again)*\s*(?:$|[,.;!]))"
)
AFTER = rf"(?=\s*(?:$|[,.;:!)\]]|- |{_AFTER}\b|{_AFTER}))"

_NAMED = rf"{_LISTED}{PERSON}(?!')"
_TARGET = (
    rf"(?:{_SOME}{MESSAGES} (?:that (?:come|are) )?(?:from|by|of|sent by|written by|coming from) {_NAMED}"
    rf"|{_LISTED}{PERSON}'s? (?:any |all )?(?:further |new |own )?{MESSAGES}"
    rf"|(?:anything|everything|whatever|what)(?: that)? {PERSON} {_SAYS}"
    rf"|(?:to )?{_NAMED})"
)
_PRONOUN = (
    r"(?:him|her|them|this (?:user|person|member|guy|account)|that (?:user|person|member|guy|account)"
    rf"|the (?:user|person|member|sender)|(?:his|her|their) (?:any |further )?{MESSAGES}"
    rf"|{_SOME}{MESSAGES} (?:from|by) (?:him|her|them)|what(?:ever)? (?:he|she|they) (?:says?|writes?|asks?))"
)
EVERYBODY = (
    r"(?:any ?(?:one|body)(?: else)?|every ?(?:one|body)(?: else)?|(?:all |any |the |other |all the |all other )?"
    r"(?:users?|members|people|persons?|humans?)|all(?: of them)?"
    rf"|(?:any|all|all the|any of the|every) (?:{MESSAGES})|no ?one|nobody)"
)


def _active(target: str) -> re.Pattern[str]:
    verbs = rf"(?:(?P<speaks>{_SPEAKING})|(?P<silent>{_SILENCING}))"
    return re.compile(rf"(?<![\w'-]){CHAIN}{verbs} (?P<target>{target}){AFTER}", re.IGNORECASE)


ORDER = _active(_TARGET)
PRONOUN_ORDER = _active(_PRONOUN)
EVERYBODY_ORDER = re.compile(
    rf"(?<![\w'-]){CHAIN}(?:(?P<speaks>{_SPEAKING})|(?P<silent>{_SILENCING})) (?P<target>{EVERYBODY})(?!')"
    rf"(?: (?:except|but|other than|apart from|besides|save)(?: for)? (?P<but>[^.;]+))?(?! (?:who|whom|if"
    rf"|when|whenever)\b){AFTER}",
    re.IGNORECASE,
)
_WHOM = rf"(?:{_TARGET}|{_PRONOUN})"
GIVE_ORDER = re.compile(
    rf"(?<![\w'-]){CHAIN}(?P<target>(?P<silent>{_GIVE} {_WHOM} (?:nothing|no (?:more |further )?{ANSWERS}"
    rf"|the silent treatment|the cold shoulder)"
    rf"|leav(?:e|ing) {_WHOM} (?:unanswered|on read|hanging|without (?:an? |any )?{ANSWERS}))"
    rf"|{_GIVE} {_WHOM} (?:any |an? |any more |any further )?(?:{ANSWERS}|attention|anything)){AFTER}",
    re.IGNORECASE,
)
_PASSIVE_VERB = r"(?:answered|replied to|responded to|spoken to|talked to|written to|acknowledged|engaged|addressed)"
_SILENT_STATE = (
    r"(?:ignored|muted|silenced|shunned|disregarded|blocked|skipped|stonewalled|left unanswered"
    r"|left on read|met with silence"
    r"|left without (?:an? |any )?(?:answer|reply|response))"
)
_MODAL = r"(?:must|should|shall|may|can|will|could|would|is|are|has|have|needs?|ought|has got|is supposed|are supposed)"
_NOT = r"(?:not|never|no longer|by no means)"
PASSIVE = re.compile(
    rf"(?P<target>{_TARGET}) (?P<chain>(?:{_MODAL} )?(?:{_NOT} )?(?:to )?(?:{_NOT} )?)"
    rf"(?:to )?(?:(?:ever|again|simply|always) )*(?:be|get|go|remain|stay|be left|receive|have|be given|be sent) "
    rf"(?:(?P<speaks>{_PASSIVE_VERB}|(?:an? |any |more |any more |any further )?{ANSWERS})"
    rf"|(?P<silent>{_SILENT_STATE}|unanswered|(?:no|no more|no further) {ANSWERS})){AFTER}",
    re.IGNORECASE,
)
STATE = re.compile(
    rf"{PERSON} (?:gets|receives|deserves|is given|is sent|has) (?P<silent>no (?:more |further )?{ANSWERS}){AFTER}"
    rf"|{PERSON} (?:is|was put|has been put|goes) (?P<listed>on (?:the|our|your) ignore list){AFTER}",
    re.IGNORECASE,
)
WISH = re.compile(
    rf"{PERSON} (?P<chain>(?:does not|do not|no longer (?:wants|wishes|asks)|has asked|asked|asks"
    rf"|requested|requests|wants?|wishes|wished|prefers"
    r"|would like|would rather|opted|has opted|demands|demanded|chose)(?: (?:not|no longer|want|wish|like|to))*+)"
    rf"(?: (?:get|receive|have|be given|see|hear|be|be sent))?(?P<kind>(?: any| no)?(?: more"
    rf"| further| other)? {ANSWERS}"
    rf"| {_PASSIVE_VERB}| ignored| left alone| left in peace| out of (?:all |any )?{ANSWERS}| any contact){AFTER}",
    re.IGNORECASE,
)
_BARE = (
    rf"(?:{_QUIET}|say nothing|no {ANSWERS}|(?:{NEGATION} (?:{_FILL} )*)(?:answer|reply|respond|speak|talk|write|post"
    r"|react|say anything|answering|replying|responding|speaking|talking)|ignore)"
)
BARE = re.compile(rf"(?<![\w'-])(?P<bare>{_BARE})(?: (?:at all|any more|any longer|ever|again|please))*", re.IGNORECASE)
_LEAD = r"(?:(?:with|to|towards?|for|regarding|about|concerning|as for|re|on|in the case of|when it comes to) )?"
HEADED = re.compile(
    rf"^[\W_]*{_LEAD}{PERSON} ?[,:;-]+ (?:(?:please|you must|you should|always|just|the bot must|the bot should) )*"
    rf"(?P<bare>{_BARE}){AFTER}",
    re.IGNORECASE,
)
_WRITES = (
    r"(?:asks?|writes?|speaks?|talks?|posts?|messages?|pings?|mentions?|addresses|says?|sends?"
    r"|is speaking|is talking|comes?)"
    r"(?: (?:to|you|the bot|us|me|here|something|anything|a message|a question|messages|questions|up"
    r"|again|in this channel))*"
)
WHENEVER = re.compile(
    rf"\b(?:if|when|whenever|every time|each time|any time|as soon as"
    rf"|once) (?:that )?{PERSON} {_WRITES}\s*,? ?(?:then )?"
    rf"(?:(?:please|you must|you should|always|just|the bot must|the bot should) )*(?P<bare>{_BARE})"
    rf"(?: (?:him|her|them))?{AFTER}"
    rf"|(?<![\w'-])(?P<after>{_BARE}) (?:if|when|whenever|every time|each time) {PERSON} {_WRITES}{AFTER}",
    re.IGNORECASE,
)
HERE = re.compile(
    r"^(?: (?:at all|any more|any longer|ever|again|please|completely|to anything|to any(?: more)? messages?))*"
    r" (?:here|(?:in|on) (?:this|the|our) (?:channel|chat|group|server|room|thread|guild)|in #[^\s.,]+"
    r"|until further notice"
    r"|from now on|for now)(?: (?:any more|any longer|again|at all|ever|please|until .*|for now"
    r"|from now on))*\s*[.!;,)]*\s*$",
    re.IGNORECASE,
)
NOTHING_MORE = re.compile(r"^(?: (?:at all|any more|any longer|ever|again|please))*\s*[.!;)]*\s*$", re.IGNORECASE)
WITHDRAWN = re.compile(
    r"^[^.;]{0,60}\b(?:is|are|was|were|has been|have been) (?:now )?(?:withdrawn|revoked|lifted"
    r"|cancell?ed|void|obsolete|over"
    r"|no longer (?:valid|true|in force|needed)|not (?:true|valid)|rescinded|expired|undone|invalid|wrong|false)\b",
    re.IGNORECASE,
)
