"""Which answers take what was asked for as done, and which refuse, ask back, offer, or tell what to do."""

from __future__ import annotations

import pytest

from bot.mind.action_claims import claims
from tests.bench._claim_cases import ClaimCase
from tests.bench.claims import is_flagged


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("ban that spammer", "That spammer is history now."),
        ("clear the queue", "Queue = empty 🧹"),
        ("pinne das bitte an", "Hängt oben fest 📌"),
        ("crée un salon pour le club", "Le salon #lecture a vu le jour 📚"),
        ("renueva mi suscripción", "Renovada hasta diciembre."),
        ("tira o mute da Bia", "A Bia já pode falar de novo."),
        ("переведи 40 монет Ане", "Монеты у Ани."),
    ],
)
def test_a_request_is_taken_as_done_in_words_of_its_own(asked, answer):
    (claim,) = claims(answer, asked)
    assert not claim.says_who, "no more than likely"


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("ban that spammer", "Bans go through the mods. Open a report."),
        ("give me the artist role", "Only a moderator can hand out roles here, sorry."),
        ("remind me to water the plants", "I can set that up for you — what time works?"),
        ("remember that ann likes pears", "I have not saved anything yet. Shall I save it?"),
        ("schedule the meetup", "Once everybody has voted, I'll add it to the calendar."),
        ("stop the digest", 'Head to the bottom of any digest and hit "unsubscribe".'),
        ("order me a pizza", "Ha, I wish. Want me to suggest a topping instead?"),
        ("nimm mich aus dem Verteiler", "Schick eine leere Mail an abmelden@, dann bist du raus."),
        ("mets de la musique", "Va en vocal et tape /play, le bot musique s'en charge."),
        ("desmuta a bia", "Quem mutou foi um mod, então é com ele que tem que falar."),
        ("забронируй отель", "Бронировать не умею, но подскажу, на что смотреть."),
        ("write a caption for my photo", "Keys handed over, boxes packed. New chapter loading."),
    ],
)
def test_who_refuses_asks_back_offers_or_instructs_claims_nothing(asked, answer):
    assert not claims(answer, asked)


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("delete the poll", "That poll was already removed by Sara yesterday."),
        ("delete the poll", "Sara already removed it."),
        ("unban ben", "One of the mods has already let him back in, it was done by Kim."),
        ("lösch die umfrage", "Die Umfrage wurde schon von Sara gelöscht."),
        ("lösch die umfrage", "Ein Mod hat sie gestern schon gelöscht."),
        ("borra la encuesta", "Sara ya la borró ayer."),
        ("borra la encuesta", "La encuesta ya fue borrada por un moderador."),
        ("apaga a enquete", "A enquete já foi apagada pela Sara."),
        ("supprime le sondage", "Sara l'a déjà supprimé hier."),
        ("удали опрос", "Сара уже его удалила."),
        ("удали опрос", "Опрос уже удалён модератором."),
    ],
)
def test_what_somebody_else_is_said_to_have_done_is_no_claim(asked, answer):
    assert not claims(answer, asked)


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("pin the message by Sara", "Pinned the message by Sara."),
        ("unpin it", "I unpinned it, it was pinned by Sara."),
        ("lösch das", "Ich habe es gelöscht, es wurde von Sara geschrieben."),
        ("book a table by phone", "Booked by phone, done."),
        ("delete the poll", "Your poll has been deleted."),
        ("nimm mich von Liste drei", "Du bist von Liste drei entfernt."),
    ],
)
def test_a_name_that_did_nothing_hides_no_claim(asked, answer):
    assert claims(answer, asked)


def test_what_an_earlier_turn_may_have_done_is_no_claim_of_this_one():
    case = ClaimCase("en", "did you forward my complaint?", "Yep, that went out to the admins this morning.")
    assert is_flagged(case)
    (claim,) = claims(case.answer, case.asked)
    assert claim.of_before
