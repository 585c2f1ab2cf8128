"""What is one fact, what is nearly one, and what only looks like it."""

from __future__ import annotations

import pytest

from bot.memory.same_fact import MIN_LIKENESS, likeness, says_same

SAME = [
    ("The raid starts at eight.", "the raid starts at eight"),
    ("The raid starts at eight.", "The raid starts at eight!!"),
    ("Ann: likes tea", "ann likes tea"),
    ("Ann likes tea – and cake", "Ann likes tea and cake."),
    ("Ann works full-time", "Ann works full time"),
    ("Ana cumple años en mayo", "ana cumple anos en mayo"),
    ("La réunion est à l'école", "la reunion est a l'ecole"),
    ("Größe 42 passt Jörg", "grosse 42 passt jorg"),
    ("Артём ещё учится", "артем еще учится"),
    ("On Friday the raid starts at the castle", "The raid starts at the castle on Friday"),
    ("Bo is on duty every Monday", "Every Monday Bo is on duty"),
    ("At 8 pm the shop closes", "The shop closes at 8 pm"),
    ("El viernes Ana cocina", "Ana cocina el viernes"),
    ("В пятницу Аня готовит", "Аня готовит в пятницу"),
    ("Le vendredi Ana cuisine", "Ana cuisine le vendredi"),
    ("Na sexta-feira a Ana cozinha", "A Ana cozinha na sexta-feira"),
    ("Ann likes apples and pears", "Ann likes pears and apples"),
    ("Ann and Bo share a flat", "Bo and Ann share a flat"),
    ("Ana y Bo viven en Quito", "Bo y Ana viven en Quito"),
]
NOT_THE_SAME = [
    ("Ann owes Bo 5", "Bo owes Ann 5"),
    ("Ann schuldet Bo 5 Euro", "Bo schuldet Ann 5 Euro"),
    ("Ana le debe 5 a Bo", "Bo le debe 5 a Ana"),
    ("Аня должна Бо 5", "Бо должна Аня 5"),
    ("The raid moved from Friday to Monday", "The raid moved from Monday to Friday"),
    ("Only on Friday Bo comes", "Only Bo comes on Friday"),
    ("Not on Friday Bo comes", "Not Bo comes on Friday"),
    ("Cats are dogs", "Dogs are cats"),
    ("Ann beats Bo and Cy pays", "Ann beats Cy and Bo pays"),
    ("Die Suppe ist schon fertig", "Die Suppe ist schön fertig"),
    ("El papá vive en Roma", "El papa vive en Roma"),
    ("Ana tiene 30 años", "Ana tiene 31 años"),
    ("Ann likes tea", "Ann likes tea a lot"),
    ("Is the raid at eight?", "The raid is at eight"),
    ("C++ is fun", "C is fun"),
    ("It is -5 outside", "It is 5 outside"),
    ("", ""),
]
NEARLY = [
    ("Ann owes Bo 5", "Bo owes Ann 5"),
    ("Ann likes tea", "Ann really likes tea"),
    ("The raid is on Friday at 8 pm", "Raid: Friday, 20:00"),
    ("Ann is allergic to nuts", "ann is alergic to nuts"),
    ("Am Freitag beginnt der Raid um acht", "Der Raid beginnt am Freitag um acht"),
    ("Ann's password manager is the blue app", "The blue app is Ann's password manager"),
    ("El papá de Ana vive en Roma", "El papa de Ana vive en Roma"),
    ("Bo moderates the art channel in the evening", "Bo moderates the art channel in the evenings now"),
    ("Anna trinkt gern starken schwarzen Kaffee", "Anna trinkt oft starken schwarzen Kaffee"),
]
OTHER_FACTS = [
    ("Ann likes tea", "Bo likes tea"),
    ("Ann likes tea", "Ann likes cake"),
    ("Ann likes tea", "Ann does not like tea"),
    ("The raid is on Friday", "The raid is on Monday"),
    ("Ann owes Bo 5", "Ann owes Bo 6"),
    ("Ann's birthday is 3 May", "Bo's birthday is 3 May"),
    ("Ann parks her red car behind the old station", "Bo parks her red car behind the old station"),
    ("tea", "tea"),
    ("Ann is from Rome and works as a nurse", "Ann plays the cello"),
]


@pytest.mark.parametrize("pair", SAME)
def test_what_nobody_could_tell_apart_is_one_fact(pair):
    one, other = pair
    assert says_same(one, other) and says_same(other, one)


@pytest.mark.parametrize("pair", NOT_THE_SAME)
def test_what_may_mean_another_thing_is_not(pair):
    one, other = pair
    assert not says_same(one, other) and not says_same(other, one)


@pytest.mark.parametrize("pair", NEARLY)
def test_what_is_nearly_one_is_for_people_to_decide(pair):
    one, other = pair
    assert min(likeness(one, other), likeness(other, one)) >= MIN_LIKENESS and not says_same(one, other)


@pytest.mark.parametrize("pair", OTHER_FACTS)
def test_another_fact_is_not_offered(pair):
    one, other = pair
    assert max(likeness(one, other), likeness(other, one)) < MIN_LIKENESS
