### What `glassmind init` asks, checks and says.

exists = { $file } already exists. Add a bot to it with --add, name another file with --config, or replace it with --force.
nothing-to-add-to = { $file } does not exist yet, so there is nothing to add a bot to. Make it first, without --add.
adds-no-model = With --add the model stays as configured. Leave out --provider, --base-url, --model and --key-...
name-taken = [platforms.{ $name }] already exists. Give the new bot another name with --name.
no-room-for-table = { $file }: no table can be added at its end, because its platforms are not written as tables of their own ([platforms.telegram]). Write them that way first.
stopped = Stopped; nothing was written.
moved-aside = The previous configuration is now { $file }.
nothing-written = Nothing was written.
no-input = --{ $option }-stdin: no input. Pipe the secret in, the token before the key.
environment-differs = The environment has another value for { $variable }, and it overrules .env. Unset it.
variable-taken = The .env has another value for { $variable }. Give the new bot another name with --name.
dotenv-differs = The .env has another value for { $variable }. Replace it with --force.
platform-missing = --platform is missing: { $choices }.
token-missing = The token is missing: set { $variable }, or use --token-env, --token-file or --token-stdin.
model-missing = --model is missing: the name of a model of { $provider }.
not-a-variable = That is not the name of a variable (A-Z, 0-9, _). Enter its name, never the secret itself.
variable-not-set = The variable { $variable } is not set. Set it, or put it into the .env beside the configuration.
file-empty = { $file } is empty.
one-of = Type one of: { $choices }.
must-answer = This needs an answer.
waiting = Waiting for one token of { $model }. A local server may be loading the model, which takes minutes.
