// What `@odiffey/discord-markdown` reads in texts: `node markdown.mjs PACKAGE`, with a list of texts on its input.
const { parser, toHTML } = await import(process.argv[2]);

let raw = "";
process.stdin.setEncoding("utf8");
for await (const piece of process.stdin) raw += piece;
process.stdout.write(JSON.stringify(JSON.parse(raw).map((text) => ({ tree: parser(text), html: toHTML(text) }))));
