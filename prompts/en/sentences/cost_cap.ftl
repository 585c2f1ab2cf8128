### Why nobody gets an answer: the day's money is spent.

verdict = { $place }: daily cost limit reached
verdict-over = { $place }: daily cost limit was reached
spent-today = Spent today: { $cost } of { $cap }.
spent-that-day = Spent that day: { $cost } of { $cap }.
went-to = Last 24 h: { $work ->
    [channel] answers
    [branch] side conversations
    [worker] workers
    [compactor] summaries
    [cortex] cortex questions
    [inspection] inspections
    [replay] replays
    [embedding] searching memories by meaning
   *[other] { $work }
} { $cost }, { $tokens } tokens.
record = gate budget
ask-again = Ask again: a new day has begun.
tomorrow = It answers again tomorrow (UTC). Tell the operator.
cheaper-summaries = Set a cheaper compaction.summarization_model, or raise limits.daily_cost_usd and reload.
cheaper-cortex = Set a cheaper cortex.model, or raise limits.daily_cost_usd and reload.
prove-less = Run fewer proofs (each asks the model many times), or raise limits.daily_cost_usd and reload.
look-at-work = See what the workers do with `work`, or raise limits.daily_cost_usd and reload.
cheaper-model = Set a cheaper model, or raise limits.daily_cost_usd and reload.
