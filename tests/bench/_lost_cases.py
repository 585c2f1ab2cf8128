"""Questions of admins about what was said once and is told no more, in six languages; and about what never was said."""

from __future__ import annotations

from typing import NamedTuple


class LostCase(NamedTuple):
    """`question` is the admin's, in their words (empty: a bare "why" about the answer); `said` is what is gone."""

    language: str
    question: str
    asked: str
    answer: str
    who: str
    said: str


C = LostCase
LOST = (
    C(
        "en",
        "y did it forget the meeting time",
        "when do we meet?",
        "Soon, I think!",
        "bob",
        "meeting thursday at 18:30",
    ),
    C("en", "why did it forget my dog's name", "how is my dog doing?", "Which dog?", "ann", "my dog Rex is ill"),
    C("en", "did it forget the raid", "when is the raid?", "No idea.", "bob", "the raid is on friday 9 pm"),
    C(
        "en",
        "why doesn't it know the wifi password anymore",
        "wifi?",
        "Ask the host.",
        "bob",
        "wifi password is tulip42",
    ),
    C("en", "", "when is the raid?", "You never told me when the raid is.", "bob", "raid on friday, 9 pm"),
    C("en", "", "what's my dog's name?", "I don't know your dog's name.", "ann", "my dog is called Rex"),
    C("en", "has it forgotten who leads the raid", "who leads?", "Hm.", "carla", "Bob leads the raid tonight"),
    C("en", "y does it not remember the deadline for the report", "deadline?", "?", "bob", "report deadline March 14"),
    C("en", "why did it forget what i'm allergic to", "can i eat this?", "Sure!", "ann", "i am allergic to peanuts"),
    C("en", "it no longer remembers carla's birthday", "when is it?", "?", "carla", "my birthday is on June 4"),
    C("de", "warum hat er die Uhrzeit vom Treffen vergessen", "wann?", "Bald.", "bob", "Treffen Donnerstag 18:30 Uhr"),
    C("de", "wieso weiß er nicht mehr wie der Hund heißt", "na?", "Hm.", "ann", "mein Hund heißt Bello"),
    C("de", "hat der das Passwort vergessen?", "Passwort?", "Frag Bob.", "bob", "das Passwort ist Sommer24"),
    C("de", "", "wann ist das Treffen?", "Das hast du mir nie gesagt.", "bob", "Treffen Donnerstag 18:30 Uhr"),
    C("de", "", "wie heißt mein Hund?", "Ich kenne deinen Hund nicht.", "ann", "mein Hund heißt Bello"),
    C("de", "warum erinnert er sich nicht an den Abgabetermin", "wann?", "?", "bob", "Abgabetermin ist der 14. März"),
    C("de", "wieso hat er den Kuchen vergessen", "wer bringt was?", "Alle!", "carla", "Bob bringt den Kuchen mit"),
    C("es", "por qué olvidó la hora del ensayo", "¿cuándo?", "Pronto.", "bob", "el ensayo es el martes a las 20:00"),
    C("es", "por qué ya no sabe cómo se llama mi gato", "¿y mi gato?", "Bien.", "ann", "mi gato se llama Pelusa"),
    C("es", "ha olvidado el código de la puerta?", "¿código?", "Ni idea.", "bob", "el código de la puerta es 4471"),
    C("es", "", "¿cuándo es el ensayo?", "No sé cuándo es el ensayo.", "bob", "ensayo martes a las 20:00"),
    C("es", "", "¿cómo se llama mi gato?", "No sé cómo se llama tu gato.", "ann", "mi gato se llama Pelusa"),
    C("es", "por qué no recuerda quién trae las bebidas", "¿quién?", "Todos.", "carla", "Bob trae las bebidas"),
    C("pt", "por que ele esqueceu a hora do jogo", "quando?", "Logo.", "bob", "o jogo é quinta às 20h"),
    C("pt", "pq não lembra o nome do meu cachorro", "e o meu?", "Oi.", "ann", "meu cachorro se chama Thor"),
    C("pt", "esqueceu a senha do wifi?", "senha?", "Pergunta pro Bob.", "bob", "a senha do wifi é girassol77"),
    C("pt", "", "quando é o jogo?", "Não sei quando é o jogo.", "bob", "o jogo é quinta às 20h"),
    C("pt", "", "qual é o nome do meu cachorro?", "Não sei o nome dele.", "ann", "meu cachorro se chama Thor"),
    C("pt", "por que esqueceu o prazo do relatório", "prazo?", "?", "bob", "prazo do relatório: 12 de maio"),
    C("fr", "pourquoi il a oublié l'heure de la réunion", "quand ?", "Bientôt.", "bob", "réunion mercredi à 14h30"),
    C("fr", "pourquoi il ne sait plus le nom de mon chat", "et mon chat ?", "Bien.", "ann", "mon chat s'appelle Minou"),
    C("fr", "il a oublié le code de la porte ?", "le code ?", "Demande à Bob.", "bob", "le code de la porte est 8812"),
    C("fr", "", "c'est quand la réunion ?", "Je ne sais pas quand est la réunion.", "bob", "réunion mercredi 14h30"),
    C("fr", "", "comment s'appelle mon chat ?", "Je ne connais pas ton chat.", "ann", "mon chat s'appelle Minou"),
    C("fr", "pourquoi il ne se souvient pas qui apporte le vin", "qui ?", "Tous.", "carla", "Bob apporte le vin"),
    C("ru", "почему он забыл время встречи", "когда?", "Скоро.", "bob", "встреча в четверг в 19:00"),
    C("ru", "почему не помнит как зовут мою собаку", "а собака?", "Ок.", "ann", "мою собаку зовут Шарик"),
    C("ru", "он забыл пароль от вайфая?", "пароль?", "Спроси Борю.", "bob", "пароль от вайфая зима2023"),
    C("ru", "", "когда встреча?", "Ты не говорил мне, когда встреча.", "bob", "встреча в четверг в 19:00"),
    C("ru", "", "как зовут мою собаку?", "Я не знаю, как зовут твою собаку.", "ann", "мою собаку зовут Шарик"),
    C("ru", "почему не знает срок отчёта", "срок?", "?", "bob", "срок отчёта 14 марта"),
    C("ru", "забыл кто принесёт торт", "кто?", "Все.", "carla", "торт принесёт Боря"),
)
NEVER_SAID = (
    C("en", "y did it forget the meeting time", "when do we meet?", "Soon!", "bob", "the party is thursday at 18:30"),
    C("en", "why did it forget my dog's name", "my dog?", "Which dog?", "ann", "my cat is called Rex"),
    C("en", "", "what's my dog's name?", "I don't know your dog's name.", "bob", "my dog is called Rex"),
    C("en", "why does it not know the wifi password", "wifi?", "Ask Bob.", "bob", "the wifi was slow today"),
    C("de", "warum hat er die Uhrzeit vom Treffen vergessen", "wann?", "Bald.", "bob", "das Treffen war lustig"),
    C("de", "", "wie heißt mein Hund?", "Ich kenne deinen Hund nicht.", "ann", "meine Katze heißt Bello"),
    C("es", "por qué olvidó la hora del ensayo", "¿cuándo?", "Pronto.", "bob", "el ensayo salió bien"),
    C("pt", "por que ele esqueceu a hora do jogo", "quando?", "Logo.", "bob", "o jogo foi ruim"),
    C("fr", "pourquoi il a oublié l'heure de la réunion", "quand ?", "Bientôt.", "bob", "la réunion était longue"),
    C("ru", "почему он забыл время встречи", "когда?", "Скоро.", "bob", "встреча прошла хорошо"),
)
