// telegram-test-api behind what it lacks of the Bot API: `node telegram.cjs PACKAGE PORT`. See README.md beside this file.
"use strict";
const [, , home, port] = process.argv;
const { TelegramServer } = require(`${home}/lib/telegramServer.js`);
const express = require(require.resolve("express", { paths: [home] }));

const LOOK_MS = 10;
const ME = { id: 666, is_bot: true, first_name: "Test First name", username: "TestNameBot" };

class Shimmed extends TelegramServer {
  addBotMessage(raw, token) {
    const message = super.addBotMessage(raw, token);
    // it writes milliseconds, strings and the fields of the request
    const { chat_id, reply_parameters, link_preview_options, ...rest } = message;
    return { ...rest, from: ME, date: Math.floor(message.date / 1000) };
  }
}

const server = new Shimmed({ port: Number(port), host: "127.0.0.1" });
const front = express();
const waiting = new Map();
// a press lacks what the real one always has
const whole = (update) =>
  update.callback_query
    ? { ...update, callback_query: { chat_instance: "1", ...update.callback_query } }
    : update;
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

front.use(express.urlencoded({ extended: true }));
front.use(express.json());
front.all("/bot:token/getMe", (req, res) => res.json({ ok: true, result: ME }));
front.all("/bot:token/getWebhookInfo", (req, res) => {
  const result = { url: "", has_custom_certificate: false, pending_update_count: 0 };
  res.json({ ok: true, result });
});
front.all("/bot:token/getMyCommands", (req, res) => res.json({ ok: true, result: [] }));
front.all(/^\/bot[^/]+\/(setMyCommands|sendChatAction|setMessageReaction)$/, (req, res) => {
  res.json({ ok: true, result: true });
});
front.all(/^\/bot[^/]+\/(sendMessageDraft|sendRichMessage)$/, (req, res) => {
  res.status(404).json({ ok: false, error_code: 404, description: "Not Found" });
});
front.all("/bot:token/answerCallbackQuery", (req, res) => {
  server.answers = [...(server.answers || []), req.body];
  res.json({ ok: true, result: true });
});
// it forgets what it has handed out; the real one keeps it until an offset confirms it, and waits for news
front.all("/bot:token/getUpdates", async (req, res) => {
  const { token } = req.params;
  const until = Date.now() + 1000 * Number(req.body.timeout || 0);
  for (;;) {
    const known = (waiting.get(token) || []).concat(server.getUpdates(token).map(whole));
    const kept = known.filter((update) => update.update_id >= Number(req.body.offset || 0));
    waiting.set(token, kept);
    if (kept.length || Date.now() >= until || req.destroyed) return res.json({ ok: true, result: kept });
    await sleep(LOOK_MS);
  }
});
// a call that fails answers with status 500 and no `ok`
front.all("/bot:token/deleteMessage", (req, res) => {
  const found = server.deleteMessage(Number(req.body.chat_id), Number(req.body.message_id));
  if (found) return res.json({ ok: true, result: true });
  const description = "Bad Request: message to delete not found";
  return res.status(400).json({ ok: false, error_code: 400, description });
});
front.all("/bot:token/editMessageText", (req, res) => {
  server.editMessageText(req.body);
  const chat = { id: Number(req.body.chat_id), type: "private", first_name: "Bot" };
  const message = { message_id: Number(req.body.message_id), date: 1, edit_date: 1, chat, text: req.body.text };
  res.json({ ok: true, result: { ...message, from: ME } });
});
front.get("/answers", (req, res) => res.json(server.answers || []));
front.use(server.webServer);
server.webServer = front;
server.start();
