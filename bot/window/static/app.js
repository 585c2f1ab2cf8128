// Telegram opens this page with its word on who opened it behind the `#`. That goes to the bot, which checks it.
"use strict";
(() => {
  const form = document.getElementById("app");
  const said = new URLSearchParams(location.hash.slice(1)).get("tgWebAppData");
  const framed = window.parent !== window;

  if (form && said) {
    // it opens something: no history and no copied address should hold it
    history.replaceState(null, "", location.pathname);
    for (const [name, value] of new URLSearchParams(said)) {
      const field = document.createElement("input");
      field.type = "hidden";
      field.name = name;
      field.value = value;
      form.append(field);
    }
    if (framed) form.setAttribute("action", "/app?framed=1");
    form.hidden = false;
    document.getElementById("unsaid").hidden = true;
    // in Telegram somebody has just pressed its button; what came by a link from elsewhere has to be meant
    const inTelegram = framed || "TelegramWebviewProxy" in window || (window.external && "notify" in window.external);
    // a field may be called `submit`, too
    if (inTelegram) HTMLFormElement.prototype.submit.call(form);
  }

  // a tab that a frame opens is held as short as the frame; Telegram's own page opens a whole one
  const tab = document.getElementById("tab");
  if (tab && framed) {
    tab.addEventListener("click", (event) => {
      event.preventDefault();
      const asked = { eventType: "web_app_open_link", eventData: { url: tab.href } };
      window.parent.postMessage(JSON.stringify(asked), tab.dataset.embedder);
    });
  }
})();
