// Keys for those who would rather not reach for a mouse, and what is live. Everything can be read without this file.
"use strict";
(() => {
  const rows = () => [...document.querySelectorAll("[data-row]")].filter((row) => !row.hidden);
  const search = document.getElementById("search");
  const keys = document.getElementById("keys");
  const label = document.querySelector("label.search");
  if (label) label.hidden = false;

  const target = (row) => row.querySelector("a, summary") || row;

  const step = (by) => {
    const all = rows();
    if (!all.length) return;
    const now = all.findIndex((row) => row.contains(document.activeElement));
    const next = now < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, now + by));
    target(all[next]).focus();
    all[next].scrollIntoView({ block: "nearest" });
  };

  document.addEventListener("keydown", (event) => {
    const typing = event.target instanceof HTMLInputElement;
    if (typing && event.key === "Escape") event.target.blur();
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "j") step(1);
    else if (event.key === "k") step(-1);
    else if (event.key === "g") location.assign("/overview");
    else if (event.key === "?" && keys) keys.showModal();
    else if (event.key === "/" && search) search.focus();
    else return;
    event.preventDefault();
  });

  // only the blocks of a request are searched here; elsewhere the server searches
  if (label && search) {
    search.addEventListener("input", () => {
      const wanted = search.value.trim().toLocaleLowerCase();
      for (const row of document.querySelectorAll("[data-words]")) {
        row.hidden = wanted !== "" && !row.textContent.toLocaleLowerCase().includes(wanted);
      }
    });
  }

  // what changes by itself is read again, unless somebody is in the middle of it; a lost right shows at once
  const live = document.querySelector("main[data-live]");
  const part = async (href, have) => {
    const address = new URL(href, location.href);
    address.searchParams.set("have", have.join("."));
    const answer = await fetch(address).catch(() => null);
    if (answer && [401, 403, 404].includes(answer.status)) location.reload();
    if (!answer || !answer.ok) return null;
    return new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main");
  };
  const keep = (fresh) => {
    const known = new Map([...live.querySelectorAll("[data-version]")].map((row) => [row.dataset.version, row]));
    const gaps = [...fresh.querySelectorAll("[data-same]")];
    if (!gaps.every((gap) => known.has(gap.dataset.same))) return false;
    gaps.forEach((gap) => gap.replaceWith(known.get(gap.dataset.same).cloneNode(true)));
    return true;
  };
  const refresh = async () => {
    const at = document.activeElement;
    if (document.hidden || (live.contains(at) && at instanceof HTMLInputElement)) return;
    let fresh = await part("", [...live.querySelectorAll("[data-version]")].map((row) => row.dataset.version));
    // what did not change is not sent again; where it is not here any more either, all of it is asked for
    if (fresh && !keep(fresh)) fresh = await part("", []);
    if (!fresh) return;
    const here = live.contains(document.activeElement) && document.activeElement.getAttribute("href");
    live.replaceChildren(...fresh.childNodes);
    live.dataset.live = fresh.dataset.live;
    if (here) [...live.querySelectorAll("a")].find((link) => link.getAttribute("href") === here)?.focus();
  };
  let stream = null;
  const follow = () => {
    if (stream) stream.close();
    stream = document.hidden ? null : new EventSource(live.dataset.live);
    if (!stream) return;
    stream.addEventListener("changed", refresh);
    stream.addEventListener("closed", () => location.reload());
    // the browser tries again by itself, but not after a refusal: then a look says why
    stream.addEventListener("error", () => {
      if (stream && stream.readyState === EventSource.CLOSED) setTimeout(() => refresh().then(follow), 15000);
    });
  };
  if (live) {
    follow();
    document.addEventListener("visibilitychange", () => refresh().then(follow));
  }

  // the slider of what was remembered says where it stands
  const slider = document.getElementById("at");
  if (slider) {
    slider.addEventListener("input", () => {
      const at = new Date(Number(slider.value)).toISOString();
      slider.form.querySelector("output").textContent = `${at.slice(0, 10)} ${at.slice(11, 16)}`;
    });
  }

  // what takes long says that it is under way; the doctor asks other machines
  let slow = 0;
  const leaves = () => {
    slow = setTimeout(() => document.body.setAttribute("aria-busy", "true"), 400);
  };
  addEventListener("submit", leaves);
  addEventListener("click", (event) => {
    const link = event.target.closest && event.target.closest("a[href^='/']");
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) leaves();
  });
  addEventListener("pageshow", () => {
    clearTimeout(slow);
    document.body.removeAttribute("aria-busy");
  });

  // a long request comes group by group, as somebody gets to it
  const coming = new Map();
  const fill = (rest) => {
    if (!coming.has(rest)) coming.set(rest, filled(rest).finally(() => coming.delete(rest)));
    return coming.get(rest);
  };
  const filled = async (rest) => {
    const fresh = await part(rest.querySelector("a").getAttribute("href"), []);
    if (!fresh) {
      setTimeout(() => rest.isConnected && near.observe(rest), 3000);
      return near.unobserve(rest);
    }
    const blocks = [...fresh.querySelectorAll(".blocks > li")];
    const was = rest.contains(document.activeElement);
    rest.replaceWith(...blocks);
    if (was && blocks.length) target(blocks[0]).focus({ preventScroll: true });
  };
  const near = new IntersectionObserver(
    (seen) => seen.filter((one) => one.isIntersecting).forEach((one) => fill(one.target)),
    { rootMargin: "800px 0px" },
  );
  document.querySelectorAll(".blocks > .rest").forEach((rest) => near.observe(rest));

  // a block that is pointed at from the map is here, and open
  const opened = async () => {
    const name = location.hash.slice(1);
    const number = Number((/^b(\d+)$/.exec(name) || [])[1]);
    const holds = (rest) => rest.dataset.first <= number && number <= rest.dataset.last;
    const rest = number && [...document.querySelectorAll(".blocks > .rest")].find(holds);
    if (rest) {
      // what stands around it comes first, so that nothing moves it away afterwards
      const around = [rest.previousElementSibling, rest, rest.nextElementSibling];
      await Promise.all(around.filter((one) => one && one.matches(".rest")).map(fill));
      // once more, now that it is there
      if (document.getElementById(name)) location.replace(location.hash);
    }
    const found = name && document.getElementById(name);
    const inner = found && found.querySelector("details");
    if (inner) inner.open = true;
    // how high the lines above it are is known when they were drawn
    const settled = () => requestAnimationFrame(() => requestAnimationFrame(() => found.scrollIntoView()));
    if (rest && found) settled();
  };
  addEventListener("click", (event) => {
    const link = event.target.closest && event.target.closest(".map a, .note a");
    const [, hash] = ((link && link.getAttribute("href")) || "").split("#");
    if (!/^b\d+$/.test(hash || "") || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    clearTimeout(slow);
    location.hash = hash;
  });
  addEventListener("hashchange", opened);
  opened();
})();
