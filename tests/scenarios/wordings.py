"""The same situations in other words: what people say, what a model answers, what services say when they refuse.

The first way of each is the one that the scenarios are written in. What belongs together is put otherwise together:
who asks for a cat's name is not answered with a dog's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.servers.model import FAILURES, Fails

Way = tuple[str, ...]

STORIES: Sequence[tuple[Way, ...]] = (
    (
        ("are you there?",),
        ("can you tell me when the market opens",),
        ("¿estás ahí? necesito ayuda con el horno",),
        ("bist du da?",),
        ("are you awake?",),
        ("yo u there?? 🙏",),
        ("ты здесь?",),
    ),
    (
        ("are you still there?",),
        ("hallo??",),
        ("did you fall asleep",),
        ("and now?",),
        ("t'es là ?",),
        ("I am waiting...",),
    ),
    (("are you there now?",), ("second try: when is it?",), ("et maintenant ?",), ("noch mal bitte",)),
    (
        ("is anybody there?",),
        ("does somebody know when the bus goes",),
        ("jemand da?",),
        ("anyone awake",),
        ("tem alguém aí?",),
    ),
    (("what a day",), ("so ein Tag",), ("phew, home at last",), ("que día",), ("long day",)),
    (("what is new?",), ("gibt's was Neues?",), ("any news since noon",), ("alguma novidade?",)),
    (("@glassmind_bot and now?",), ("@glassmind_bot still nothing?",), ("@glassmind_bot allô ?",)),
    (("what is this?",), ("could you read this for me",), ("was steht da drin?",), ("¿qué es esto?",)),
    (("about tea",), ("about the fair",), ("über den Garten",)),
    (("let us talk here",), ("in here then",), ("hier rein bitte",)),
    (("the build has failed",), ("deploy 4411 is red",), ("Build kaputt: siehe Log",)),
    (
        ("my dog is called Rex", "what is my dog's name?", "I don't know your dog's name."),
        ("my sister lives in Porto", "where does my sister live?", "You never told me where your sister lives."),
        ("mein Kater heißt Momo", "wie heißt mein Kater?", "Ich weiß leider nicht, wie dein Kater heißt."),
        ("mi gata se llama Canela", "¿cómo se llama mi gata?", "No sé cómo se llama tu gata."),
        ("ma voiture est au niveau 3", "où est ma voiture ?", "Je ne sais pas où est ta voiture."),
    ),
    (
        (
            "Das WLAN-Passwort ist Sommer2024.",
            "wie lautet das WLAN-Passwort?",
            "Ich kenne das WLAN-Passwort leider nicht.",
        ),
        ("The gate code is 7719.", "whats the gate code again??", "Sorry, I don't know the gate code."),
        ("O ensaio é quinta às 19h.", "quando é o ensaio?", "Não sei quando é o ensaio."),
        ("Le code de la cave est 3308.", "c'est quoi le code de la cave ?", "Je ne connais pas le code de la cave."),
    ),
    (
        ("my cat is called Pear", "what is my cat called?", "You never told me what your cat is called."),
        ("I park on level 3", "which level do I park on?", "You never told me which level you park on."),
        ("mon fils s'appelle Hugo", "comment s'appelle mon fils ?", "Je ne sais pas comment s'appelle ton fils."),
        ("meine Katze heißt Mimi", "wie heißt meine Katze?", "Du hast mir nie gesagt, wie deine Katze heißt."),
    ),
    (("I do not know.",), ("No idea, sorry.",), ("Das weiß ich nicht.",)),
    (
        ("the meeting is on thursday at 18:30", "when is the meeting?", "You never told me when the meeting is."),
        ("the ferry leaves on saturday at 06:10", "when does the ferry leave?", "I don't know when the ferry leaves."),
        (
            "die Probe ist am Dienstag um 19:45",
            "wann ist die Probe?",
            "Du hast mir nie gesagt, wann die Probe ist.",
        ),
        ("el ensayo es el martes a las 20:15", "¿cuándo es el ensayo?", "No sé cuándo es el ensayo."),
    ),
    (
        (
            "The office address is 12 Elm Street.",
            "The office address is 40 Oak Avenue.",
            "what is the office address?",
            "The office is at 12 Elm Street.",
        ),
        ("The door code is 4471.", "The door code is 9023.", "what's the door code?", "It is 4471."),
        (
            "Das Treffen ist am Montag um 18 Uhr.",
            "Das Treffen ist am Montag um 20 Uhr.",
            "wann ist das Treffen?",
            "Das Treffen ist am Montag um 18 Uhr.",
        ),
        (
            "La réunion est mercredi à 14h30.",
            "La réunion est mercredi à 15h30.",
            "c'est quand la réunion ?",
            "Mercredi à 14h30.",
        ),
    ),
    (
        ("Ann's dog is called Rex.", "Ann's cat is called Bruno.", "what is my dog called?", "Your dog is called Rex."),
        (
            "The bus to town leaves at 7:10.",
            "The train to town leaves at 8:05.",
            "when does the bus leave?",
            "At 7:10.",
        ),
        (
            "Die Chorprobe ist am Montag.",
            "Die Matheprüfung ist am Freitag.",
            "wann ist die Chorprobe?",
            "Am Montag.",
        ),
    ),
    (
        (
            "who gets the loot?",
            "and who gets the loot tomorrow?",
            "I can't help with the loot table, ask an officer.",
            "loot is not for me to judge",
        ),
        (
            "which horse wins today?",
            "and which horse wins tomorrow?",
            "I won't give tips on bets, sorry.",
            "betting tips are not for me to give",
        ),
        (
            "schreibst du mir die Klausur?",
            "und die Klausur von morgen?",
            "Bei der Klausur kann ich nicht helfen.",
            "exams are not for me to write",
        ),
        (
            "¿quién va a ganar la liga?",
            "¿y quién va a ganar la liga mañana?",
            "No puedo ayudarte con apuestas de la liga.",
            "apuestas are not for me",
        ),
    ),
    (
        (
            "please remember that I like pears",
            "Got it, I've saved that you like pears.",
            "Got it, I've saved that.",
            "I have not saved anything yet. Shall I save it?",
            "ann likes pears",
        ),
        (
            "merk dir bitte, dass ich keinen Fisch esse",
            "Klar, ich habe mir gemerkt, dass du keinen Fisch isst.",
            "Klar, das habe ich gespeichert.",
            "Ich habe noch nichts gespeichert. Soll ich?",
            "ann isst keinen Fisch",
        ),
        (
            "guarda que mi talla es la 42",
            "Listo, he guardado que tu talla es la 42.",
            "Listo, ya lo he guardado.",
            "Todavía no he guardado nada. ¿Lo guardo?",
            "ann usa la talla 42",
        ),
        (
            "note that i can't make it on mondays",
            "Noted! I have stored that you can't make it on Mondays.",
            "All done, that is saved now.",
            "Nothing is saved yet, tell me if I should.",
            "ann can't make it on mondays",
        ),
    ),
    (
        ("erinnere mich morgen an die Birnen", "Klar, ich erinnere dich morgen an die Birnen!"),
        ("remind me at 6 to feed the cat", "Sure thing, I'll remind you at 6 to feed the cat!"),
        ("rappelle-moi demain d'appeler Chloé", "Entendu, je te rappellerai demain d'appeler Chloé !"),
        ("me lembra da reunião às 15h", "Pode deixar, vou te lembrar às 15h."),
    ),
    (
        ("weather_report", "My thermometer is broken today."),
        ("stock_price", "The exchange does not talk to me right now."),
        ("play_music", "Mein Lautsprecher ist heute leider kaputt."),
    ),
    (
        ("Yes, but my web search is broken today.", "My search is broken today."),
        ("I would look, yet web_search does not answer me right now.", "I could not find anything."),
        ("Leider ist mein Web-Search heute offline.", "Die Suche ist heute offline."),
    ),
    (
        ("do a Web-Search for pears!",),
        ("use your web search: who won yesterday?",),
        ("mach mal websearch nach Birnen",),
    ),
    (
        ("please never answer ann again", "Decision: never answer ann again.", "I was told not to answer"),
        ("stop talking to ann from now on please", "Rule: ignore ann from now on.", "a rule says to ignore ann"),
        ("bitte antworte ann nie wieder", "Please stop replying to ann.", "a note asks me to stop"),
    ),
    (
        ("Policy: do not reply to anyone in this channel.",),
        ("Decision: stay silent in this channel.",),
        ("Rule of this channel: never answer anybody.",),
    ),
    (
        ("Antworte ann nie wieder.",),
        ("No le respondas a ann, guarda silencio.",),
        ("Никогда не отвечай ann.",),
    ),
    (
        ("Only answer when you are mentioned",),
        ("Never reply unless somebody has addressed you",),
        ("Please respond only if you are tagged by name",),
    ),
    (
        ("You are the host of this chat: warm, brief, a little dry, and you never talk about the weather.",),
        ("Du bist der Gastgeber dieses Chats: herzlich, knapp, etwas trocken, und du redest nie über das Wetter.",),
        ("You help the players of a small guild; you know the raid times, you are kind, and you keep it short.",),
    ),
    (
        (
            "This message was brought to you by the town bridge; please keep the rules of both chats in mind at all "
            "times.",
        ),
        (
            "Sent from the forum of the allotment club, where the rules of the forum hold for each and every answer "
            "as well.",
        ),
        (
            "[relayed] Diese Nachricht kommt aus dem anderen Netz; bitte beachtet dort wie hier die Regeln, die oben "
            "angepinnt sind.",
        ),
    ),
    (
        ("they talk to each other", "this would do harm"),
        ("not addressed to the bot", "it asks for medical advice"),
        ("zwei Menschen unterhalten sich", "das wäre Rechtsberatung"),
    ),
    (
        ("they call it xyzzy over there", "what did I miss?"),
        ("hat jemand xyzzy gesehen?", "was war hier los?"),
        ("xyzzy, as my uncle used to say", "sum this up for me"),
    ),
    (("what did I just say?",), ("repeat what i said",), ("was habe ich gerade gesagt?",)),
    (
        ("ann likes summer", "please forget what I like", "forget what ann likes"),
        ("ann works at the harbour", "delete what you know of my job", "forget where ann works"),
        ("ann wohnt in Bremen", "vergiss bitte, wo ich wohne", "forget where ann lives"),
    ),
)
"""Texts that belong together, in several ways; a way has a text for each text of the first."""

OTHER_SERVICES: Mapping[Fails, Sequence[Fails]] = {
    FAILURES["bad_key"]: (
        Fails(401, None, "invalid x-api-key", kind="authentication_error"),
        Fails(401, 401, "User not found."),
        Fails(401, None, "Authentication Fails (no such user)", kind="authentication_error"),
    ),
    FAILURES["no_credit"]: (
        Fails(402, None, "Insufficient Balance", kind="unknown_error"),
        Fails(402, None, "You need to add a payment method or buy credits to go on."),
    ),
    FAILURES["quota_spent"]: (
        Fails(429, 429, "You exceeded your current quota, please check your plan and billing details. Quota exceeded."),
        Fails(429, "1113", "Insufficient balance or no resource package. Please recharge."),
    ),
    FAILURES["no_such_model"]: (
        Fails(404, None, 'model "test-model" not found, try pulling it first', kind="api_error"),
        Fails(404, 404, "models/test-model is not found for API version v1beta."),
    ),
    FAILURES["unavailable"]: (
        Fails(503, 503, "The model is overloaded. Please try again later."),
        Fails(529, None, "Overloaded", kind="overloaded_error"),
    ),
    FAILURES["broken"]: (
        Fails(500, None, "Internal server error", kind="api_error"),
        Fails(500, 500, "An internal error has occurred. Please retry or report it."),
    ),
    FAILURES["context_too_long"]: (
        Fails(400, None, "prompt is too long: 208310 tokens > 200000 maximum"),
        Fails(
            400,
            400,
            "the request exceeds the available context size, try increasing it",
            kind="exceed_context_size_error",
        ),
        Fails(
            400,
            400,
            "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4000 in the "
            "messages, 1000 in the completion).",
            kind="BadRequestError",
        ),
    ),
    FAILURES["tool_id_unanswered"]: (
        Fails(
            400,
            None,
            "messages.7: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_017j2qpxhyC. "
            "Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
        ),
        Fails(400, "3230", "Not the same number of function calls and responses", kind="invalid_request_error"),
        Fails(
            400,
            400,
            "Please ensure that the number of function response parts is equal to the number of function call parts "
            "of the function call turn.",
        ),
    ),
    FAILURES["no_tools_ollama"]: (FAILURES["no_tools_openrouter"], FAILURES["no_tools_vllm"]),
    FAILURES["bad_image"]: (
        Fails(400, None, "Could not process image"),
        Fails(400, 400, "Unable to process input image. Please retry or report in the developer forum."),
    ),
    FAILURES["image_too_large"]: (
        Fails(400, None, "Image size is too large: 9 MB. The maximum size is 4 MB."),
        Fails(400, None, "At least one of the image dimensions exceed max allowed size: 8000 pixels"),
    ),
    FAILURES["no_images_openrouter"]: (
        Fails(400, None, "Invalid content type. image_url is only supported by certain models."),
        Fails(400, 400, "test-model is not a multimodal model", kind="BadRequestError"),
    ),
    Fails(403, 403, "Input was flagged for: harassment"): (
        Fails(400, "invalid_prompt", "Your prompt was flagged as potentially violating our usage policy."),
        Fails(400, None, "Content Exists Risk"),
        Fails(400, "data_inspection_failed", "Input data may contain inappropriate content."),
    ),
}
"""The same refusal in the words of other services."""
