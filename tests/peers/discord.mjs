// discord-digital-twin behind what it lacks of Discord: `node discord.mjs PACKAGE PORT TOKEN`. See README.md beside this file.
import http from "node:http";

const [, , home, port, botToken] = process.argv;
const { DigitalDiscord } = await import(`${home}/dist/index.js`);

const TEXT = 0;
const PRIVATE = 1;
const SAID = 0;
const REPLY = 19;
const IDENTIFY = 2;
const RESUME = 6;
const INVALID_SESSION = 9;
const SEES = String((1n << 10n) | (1n << 11n) | (1n << 16n));
const twin = new DigitalDiscord({
  botToken,
  botUser: { username: "glassmind" },
  guild: { name: "Kitchen", channels: [{ name: "table", type: TEXT }, { name: "window", type: TEXT }] },
  users: [{ username: "Ann" }, { username: "Bob" }],
});
await twin.start();
const { gateway, typingEvents } = twin.server;
const users = Object.fromEntries((await twin.prisma.user.findMany()).map((one) => [one.id, one]));
const named = async (table) => Object.fromEntries((await twin.prisma[table].findMany()).map((one) => [one.name, one.id]));

const shown = ({ id, username, globalName, bot }) => ({
  ...{ id, username, global_name: globalName, bot, discriminator: "0", avatar: null },
});
// it never says who is mentioned, nor that something is a reply, and to what
const said = new Map();
function whole(value) {
  if (Array.isArray(value)) return value.map(whole);
  if (!value || typeof value.content !== "string" || !value.author) return value;
  const found = [...value.content.matchAll(/<@!?(\d+)>/g)].map((match) => users[match[1]]).filter(Boolean);
  const roles = [...value.content.matchAll(/<@&(\d+)>/g)].map((match) => match[1]);
  const isReply = value.type === SAID && value.message_reference;
  const reference = isReply && { channel_id: value.channel_id, guild_id: value.guild_id, ...value.message_reference };
  const answered = isReply
    ? { type: REPLY, message_reference: reference, referenced_message: said.get(reference.message_id) }
    : {};
  const told = { ...value, ...answered, mentions: [...new Set(found)].map(shown), mention_roles: roles };
  said.set(value.id, { ...told, referenced_message: undefined });
  return told;
}

// in private there is no guild, and not one without a name
const threads = [];
const broadcast = gateway.broadcast.bind(gateway);
gateway.broadcast = (event, data) => {
  const { guild_id: guild, ...rest } = data;
  if (event === "THREAD_CREATE") threads.push(data);
  // by hand, or as a burst: it never says
  const more = event === "MESSAGE_REACTION_ADD" ? { type: 0 } : {};
  broadcast(event, { ...whole(guild ? data : rest), ...more });
};
// it does not hear who wants to go on where a connection broke, nor which shard somebody is
const heard = gateway.handleMessage.bind(gateway);
gateway.handleMessage = async (client, raw) => {
  const { op, d } = JSON.parse(raw);
  if (op === RESUME) return gateway.send(client, { op: INVALID_SESSION, d: false });
  if (op === IDENTIFY) client.shard = d.shard;
  return heard(client, raw);
};
const dispatch = gateway.sendDispatch.bind(gateway);
gateway.sendDispatch = (client, event, data) => {
  const more = event === "READY" && client.shard ? { shard: client.shard } : event === "GUILD_CREATE" ? { threads } : {};
  return dispatch(client, event, { ...data, ...more });
};

// where and how a command may be used is forgotten
const scopes = {};
const scoped = (command) => ({ ...command, ...scopes[command.name] });
const written = (row) => ({
  ...{ id: row.id, application_id: row.applicationId, name: row.name, description: row.description, type: row.type },
  ...{ options: JSON.parse(row.options), default_member_permissions: row.defaultMemberPermissions, version: row.version },
});
async function privately(user) {
  const topic = `with ${user}`;
  const there = await twin.prisma.channel.findFirst({ where: { type: PRIVATE, topic } });
  // the number of a chat is that of nothing else
  const id = there?.id ?? String(BigInt(user) + 1_000_000n);
  if (!there) await twin.prisma.channel.create({ data: { id, type: PRIVATE, topic } });
  return { id, type: PRIVATE, last_message_id: there?.lastMessageId ?? null, recipients: [shown(users[user])] };
}

// what a test asks for, and is not Discord's: the methods of the twin by name
const asked = {
  world: async () => ({
    ...{ rest_url: `http://127.0.0.1:${port}/api/v10`, gateway_url: twin.gatewayUrl, guild: twin.guildId },
    ...{ bot: twin.botUserId, channels: await named("channel") },
    people: Object.fromEntries(Object.values(users).map((one) => [one.username, one.id])),
  }),
  messages: async ({ channelId }) =>
    (await twin.prisma.message.findMany({ where: { channelId }, orderBy: { timestamp: "asc" } })).map((one) => ({
      ...one,
      components: JSON.parse(one.components || "[]"),
    })),
  reactions: () => twin.prisma.reaction.findMany(),
  commands: () => twin.prisma.applicationCommand.findMany(),
  answers: () => twin.prisma.interactionResponse.findMany(),
  typing: () => typingEvents,
  files: () => files,
  privately: ({ user }) => privately(user),
  role: async ({ name, users: holders }) => {
    const guildId = twin.guildId;
    const id = String(BigInt(guildId) + 1_000_000n);
    await twin.prisma.role.create({ data: { id, guildId, name, permissions: "0", position: 1 } });
    for (const userId of holders) {
      const where = { guildId_userId: { guildId, userId } };
      await twin.prisma.guildMember.update({ where, data: { roles: JSON.stringify([id]) } });
    }
    return { id };
  },
  cut: () => gateway.clients.forEach((client) => client.ws.close(4000)),
};

const routes = [
  ["GET", /^\/users\/@me\/guilds$/, async () => [{ id: twin.guildId, name: "Kitchen", owner: false, permissions: SEES }]],
  ["POST", /^\/users\/@me\/channels$/, (_, body) => privately(body.recipient_id)],
  [
    "GET",
    /^\/applications\/\d+\/commands$/,
    async () => (await twin.prisma.applicationCommand.findMany({ where: { guildId: null } })).map(written).map(scoped),
  ],
];

// it reads no forms: what is in them goes on as JSON, and the files are kept here
const files = [];
async function unpacked(headers, raw) {
  if (!(headers["content-type"] || "").startsWith("multipart/")) return raw;
  const form = await new Response(raw, { headers: { "content-type": headers["content-type"] } }).formData();
  for (const [name, file] of form) {
    if (name !== "payload_json") files.push({ field: name, name: file.name, text: await file.text() });
  }
  headers["content-type"] = "application/json";
  return form.get("payload_json");
}

async function passed(request, path, raw) {
  const { host, connection, "content-length": length, ...headers } = request.headers;
  const body = raw.length ? await unpacked(headers, raw) : undefined;
  const answer = await fetch(`${twin.restUrl}/v10${path}`, { method: request.method, headers, body });
  const text = await answer.text();
  const isJson = (answer.headers.get("content-type") || "").startsWith("application/json");
  return { status: answer.status, headers: answer.headers, json: isJson && text ? JSON.parse(text) : undefined, text };
}

const front = http.createServer(async (request, response) => {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  const raw = Buffer.concat(pieces);
  const say = (status, value) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(value ?? null));
  };
  try {
    const [, what, path] = request.url.match(/^\/(api\/v10|twin|)\/?(.*)$/);
    if (what !== "api/v10") {
      const body = raw.length ? JSON.parse(raw) : {};
      const work = asked[path || "world"] ?? twin[path].bind(twin);
      return say(200, await work(body));
    }
    const bare = `/${path.split("?")[0]}`;
    const own = routes.find(([method, form]) => method === request.method && form.test(bare));
    if (own) return say(200, await own[2](bare, raw.length ? JSON.parse(raw) : {}));
    const isMenu = request.method === "PUT" && /\/commands$/.test(bare);
    for (const { name, contexts, integration_types } of isMenu ? JSON.parse(raw) : []) {
      scopes[name] = { contexts, integration_types };
    }
    const answer = await passed(request, `/${path}`, raw);
    const limits = [...answer.headers].filter(([name]) => name.startsWith("x-ratelimit"));
    if (answer.json === undefined) {
      response.writeHead(answer.status, Object.fromEntries(limits));
      return response.end(answer.text);
    }
    response.writeHead(answer.status, { "content-type": "application/json", ...Object.fromEntries(limits) });
    const isList = request.method === "GET" && /^\/guilds\/\d+\/channels$/.test(bare);
    // nobody is kept out of a channel
    const open = (channel) => ({ permission_overwrites: [], ...channel });
    const told = isMenu ? answer.json.map(scoped) : isList ? answer.json.map(open) : whole(answer.json);
    return response.end(JSON.stringify(told));
  } catch (error) {
    return say(500, { code: 0, message: String(error) });
  }
});
front.keepAliveTimeout = 60_000;
front.listen(Number(port), "127.0.0.1");
