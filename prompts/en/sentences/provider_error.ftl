### Why nobody got an answer: the model service refused, failed, did not answer, or was not asked.

## What is wrong, and what the operator can do

auth = { $place }: the service rejects our key
auth-fix = Renew the provider's key and restart; `doctor` checks it.
credit = { $place }: the account is out of credit
credit-fix = Top up the account, or name a fallback model.
not-found = { $place }: no such model
not-found-fix = Set model.name to a model that the service offers, and restart.
rate = { $place }: the service rate-limits us
rate-fix = Wait, have the limit raised, or name a fallback model.
overloaded = { $place }: the service is overloaded
overloaded-fix = Wait, or name a fallback model.
server = { $place }: the service is failing
server-fix = Look at the service's status page, or name a fallback model.
unreachable = { $place }: the service is unreachable
unreachable-fix = Check network, proxy and base_url; `doctor` tries to connect.
timeout = { $place }: the service is too slow
timeout-fix = Raise the provider's timeouts, or name a fallback model.
cut = { $place }: the answer was cut off
cut-fix = Check the connection, or name a fallback model.
garbage = { $place }: the answer was unreadable
garbage-fix = Check base_url: does it lead to the right service?
bad-request = { $place }: the service refuses requests
bad-request-fix = Open the request: the service's words say what is wrong with it.
refused = { $place }: the service refused
refused-fix = Open the request: the service's own words are all we know.
region = { $place }: not offered in this country
region-fix = Use a service that serves the host's country, or name one as a fallback model.
address = { $place }: the service address is wrong
address-fix = Check the provider's base_url (it usually ends in /v1), and restart.
verification = { $place }: the account is not verified
verification-fix = Verify the account at the service, or set model.name to a model that needs no verified account.
retired = { $place }: the model was retired
retired-fix = Set model.name to a model that the service still offers, and restart.
memory = { $place }: too little memory
memory-fix = Free memory where the model runs, or set model.name to a smaller model.
too-large = { $place }: the request is over the limit
too-large-fix = Have the account's limit raised at the service, or set model.name to a model with a larger one.
tool-use = { $place }: a tool call was malformed
loading = { $place }: the model is still loading
loading-fix = Wait until it is loaded; set its server to keep it loaded, or name a fallback model.
blocked = { $place }: a firewall blocks the bot
blocked-fix = Ask the service to let the host's address through, or use another network.
no-answer = { $place }: the service sent no answer
try-another-fix = Ask again; if it happens again, name a fallback model, or use another one.
cooling-down = { $place }: waiting for a failing model
cooling-down-fix = See what it failed with before, or name a fallback model.
unknown = { $place }: the model did not answer
unknown-fix = Run `doctor`: it asks the service now.
none-answers = { $place }: no model answers
nameless = { $place }: the service { $failed ->
    [yes] failed
   *[no] refused
}{ $status ->
    [none] {""}
   *[other] {" "}(HTTP { $status })
}

## What happened

not-asked = The bot did not ask the model, which had failed before.
nothing-came = The model sent nothing back.
asked = The bot asked { $model } { $count ->
    [one] once;
   *[other] { $count } times;
}
asked-last = last { $time }: { $what }.
of-model = { $model }: { $what }.
answered = { $fault ->
    [auth] key rejected
    [credit] out of credit
    [not_found] no such model
    [rate] rate limit
    [overloaded] overloaded
    [server] server error
    [context_length] too long for the model
    [tool_pairing] torn tool calls
    [bad_request] request rejected
    [refused] refused
    [region] country not served
    [flagged] content flagged
    [address] wrong address
    [verification] account not verified
    [retired] model retired
    [memory] too little memory
    [too_large] over the limit
    [tool_use] malformed tool call
    [loading] still loading
    [blocked] blocked by a firewall
    [no_answer] no answer
    [unreachable] unreachable
    [timeout] no answer in time
    [cut] answer cut off
    [garbage] unreadable answer
    [cooling_down] not asked
    [failed] failed
    [error] error
   *[other] { $fault }
}{ $status ->
    [none] {""}
   *[other] {" "}(HTTP { $status })
}
takes = It takes { $limit } tokens at most;
takes-more = this request has { $size }.
said-nothing-more = It gave no explanation.
may-ask-from = It takes requests again from { $time }.

## When it is asked again

still-trying = The bot is still trying.
next-try = Next try from { $time } (in { $left }).
left-until = The bot left the model alone until { $time }.
failed-before = Before that it failed: { $what }.
failed-at = It failed at { $time } in { $where ->
    [here] this channel
   *[elsewhere] another channel
}: { $what }.
began-in = It began in { $name }.
began-in-private = It began in a private chat.

## What it rests on

tell-operator = Tell the operator: the trouble is with the model service, not this channel.
settle = `doctor` asks the service now.
request = request as sent, and what came back
request-before = the request that failed before
