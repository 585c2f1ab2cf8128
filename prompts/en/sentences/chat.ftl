### A talk with an admin in a thread.

choice-pressed = You said “{ $choice }”.
no-answer = The model gave no answer: { $why }
rules-need-none = The rules need no model. They say:
no-record-named = No record has this name: { $names }.
