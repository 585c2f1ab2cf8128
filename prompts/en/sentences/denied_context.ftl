### Why an answer is wrong: it says that it does not know what the prompt told it.

verdict = { $place }: it denies what it was told
does-not-know = The answer says that it does not know,
but-told = but { $what } says it.
was-told = what it was told
request = request as sent: { $where }
answer = the answer that denies it
ask-with-word = Ask again with a word of that line, or tell the operator.
shorten = The model overlooked it: shorten the prompt, or try another model.
settle = read that line: does it answer the question?
