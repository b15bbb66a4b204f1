// The table terminal: bets and cards are collected here and sent with one press. Every press has a key that stays the
// same until it is answered, so that pressing twice, or again after a lost answer, records once. What was entered is
// kept in this browser until the house has it.
(() => {
  "use strict";
  const root = document.getElementById("terminal");
  if (!root) return;
  const OUTDATED = ["no_more_bets", "round_open", "round_voided", "round_settled", "already_collected", "table_closed",
    "bets_open", "no_such_wager", "not_settled"];
  const LOST = "No answer from the house. What you entered is kept here; press again when the line is back: nothing is recorded twice.";
  const CARD = /10[shdc]|[2-9tjqka][shdc]|x[12]|\?/gi;
  const SUITS = { s: "♠", h: "♥", d: "♦", c: "♣" };
  htmx.config.timeout = 15000;

  let now, step, moves = [], picks = [], byKey, seat = 1, chip = 500, typing = false, swappedAt = 0, toSay = "";

  const one = (what, within = now) => within.querySelector(what);
  const all = (what, within = now) => [...within.querySelectorAll(what)];
  const money = (cents) => (cents % 100 ? (cents / 100).toFixed(2) : String(cents / 100)).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  const shownCard = (card) => card === "?" ? "unseen" : card[0] === "X" ? `Joker ${card[1]}` : (card[0] === "T" ? "10" : card[0]) + SUITS[card[1]];

  // ------------------------------------------------------------------ kept in this browser

  const place = () => `terminal:${root.dataset.table}:`;
  const store = () => `${place()}${now.dataset.round}`;

  function keep() {
    try { localStorage.setItem(store(), JSON.stringify({ moves, picks, position: now.dataset.position, seat, chip })); } catch { /* a full or closed store loses only the copy */ }
  }

  function recover() {
    let kept = {};
    try { kept = JSON.parse(localStorage.getItem(store()) || "{}"); } catch { /* unreadable: begin anew */ }
    moves = step === "bets" ? kept.moves || [] : [];
    picks = step === "cards" && kept.position === now.dataset.position ? kept.picks || [] : [];
    if (!("recalled" in now.dataset)) for (const key of Object.keys(localStorage)) if (key.startsWith(place()) && key !== store()) localStorage.removeItem(key);
  }

  // ------------------------------------------------------------------ bets: what lies on the layout but is not sent

  function drafts() {
    const lying = new Map();
    for (const move of moves) for (const { seat, wager, cents } of move) {
      const key = `${seat} ${wager}`;
      if (cents === null) lying.delete(key);
      else lying.set(key, { seat, wager, cents: (lying.get(key)?.cents || 0) + cents });
    }
    return [...lying.values()].sort((a, b) => a.seat - b.seat);
  }

  const standing = () => all("[data-standing]").map(({ dataset }) => ({ seat: +dataset.seat, wager: dataset.wager, cents: +dataset.cents }));
  const label = (wager) => (all("[data-wager]").find((spot) => spot.dataset.wager === wager && spot.matches(".place"))?.getAttribute("aria-label") || wager).replace(/^Seat \d+ /, "");
  const withIt = (spot) => (spot.dataset.with || "").split(" ").filter(Boolean);

  function moveOn(spot, who, cents) {
    const price = Number(spot.dataset.price || 0), wager = spot.dataset.wager;
    if (price && [...drafts(), ...standing()].some((bet) => bet.seat === who && bet.wager === wager)) return `Seat ${who} has its ${label(wager)} already; one a seat.`;
    return [wager, ...withIt(spot)].map((code) => ({ seat: who, wager: code, cents: price || cents }));
  }

  function put(spot) {
    const move = moveOn(spot, Number(spot.dataset.seat || seat), chip);
    if (typeof move === "string") return refuse(move);
    if (spot.dataset.seat) seat = Number(spot.dataset.seat);
    moves.push(move);
    refuse("");
    show();
  }

  function takeBack(who, wager) {
    const spot = all(".place").find((found) => found.dataset.wager === wager);
    moves.push([wager, ...(spot ? withIt(spot) : [])].map((code) => ({ seat: who, wager: code, cents: null })));
    show();
  }

  // ------------------------------------------------------------------ painting

  function disc(who) {
    const made = document.createElement("span");
    made.className = `disc s${who}`;
    made.textContent = who;
    return made;
  }

  function ticket({ seat, wager, cents }) {
    const line = document.createElement("li"), name = document.createElement("span"), sum = document.createElement("span"), take = document.createElement("button");
    name.textContent = label(wager);
    sum.textContent = money(cents);
    sum.className = "figure";
    take.type = "button";
    take.className = "take";
    take.textContent = "×";
    take.setAttribute("aria-label", `Take back ${label(wager)} of seat ${seat}`);
    take.addEventListener("click", () => takeBack(seat, wager));
    line.append(disc(seat), name, sum, take);
    return line;
  }

  function paintChips(bets) {
    for (const old of all(".lying-chips")) old.remove();
    const at = new Map();
    for (const bet of bets) for (const spot of all(".place")) {
      if (spot.dataset.wager !== bet.wager || (spot.dataset.seat && Number(spot.dataset.seat) !== bet.seat)) continue;
      at.set(spot, [...(at.get(spot) || []), bet]);
    }
    for (const [spot, found] of at) {
      const pile = document.createElement("span");
      pile.className = `lying-chips lying-chips--${Math.min(found.length, 4)}`;
      pile.append(...found.slice(0, 4).map((bet) => disc(bet.seat)));
      if (found.length === 1 && !spot.matches(".place--edge")) pile.append(money(found[0].cents));
      if (found.length > 4) pile.append(`+${found.length - 4}`);
      spot.append(pile);
    }
  }

  function showBets() {
    const mine = drafts(), bets = [...standing(), ...mine], sum = bets.reduce((total, bet) => total + bet.cents, 0);
    one("[data-drafts]").replaceChildren(...[...mine].sort((a, b) => (b.seat === seat) - (a.seat === seat)).map(ticket));
    one("[data-no-bets]").hidden = bets.length > 0;
    one("[name=wagers]").value = mine.map((bet) => `${bet.seat} ${bet.wager} ${bet.cents}`).join("\n");
    one("[data-go-sum]").textContent = bets.length ? `${bets.length} wager${bets.length > 1 ? "s" : ""}, ${money(sum)} in all` : "nothing on the layout";
    for (const button of all("[data-choose-seat]")) {
      const who = Number(button.dataset.chooseSeat), own = bets.filter((bet) => bet.seat === who);
      button.setAttribute("aria-pressed", who === seat);
      one("[data-seat-sum]", button).textContent = own.length ? money(own.reduce((total, bet) => total + bet.cents, 0)) : "";
    }
    for (const button of all("[data-choose-chip]")) button.setAttribute("aria-pressed", Number(button.dataset.chooseChip) === chip);
    for (const box of all("[data-seat-of]")) box.classList.toggle("circles__seat--chosen", Number(box.dataset.seatOf) === seat);
    paintChips(bets);
  }

  function showCards() {
    const slots = all("[data-slot]");
    slots.forEach((slot, index) => {
      slot.classList.toggle("filled", index < picks.length);
      slot.classList.toggle("next", index === picks.length);
      one("[data-slot-card]", slot).textContent = picks[index] ? shownCard(picks[index]) : "·";
    });
    for (const button of all("[data-pick]")) if (!("used" in button.dataset)) {
      button.disabled = button.dataset.pick !== "?" && picks.includes(button.dataset.pick);
      button.setAttribute("aria-pressed", button.disabled);
    }
    const left = slots.length - picks.length;
    one("[name=cards]").value = picks.join("");
    one("[data-go-cards]").textContent = picks.length ? `${picks.length} of ${slots.length}${left > 0 ? `, ${left} to come` : ", then it is settled or decided"}` : `${slots.length} to come`;
  }

  function show() {
    if (step === "bets") showBets();
    if (step === "cards") showCards();
    keep();
  }

  function refuse(sentence, near = null) {
    for (const shown of all("[data-refusal]")) { shown.hidden = true; shown.textContent = ""; }
    if (!sentence) return;
    const form = near?.closest("form") || one(".desk");
    const at = (form && one("[data-refusal]", form)) || one("[data-refusal]");
    at.textContent = sentence;
    at.hidden = false;
  }

  // ------------------------------------------------------------------ typing: what will happen is said before Enter

  const cardsIn = (word) => {
    const found = word.match(CARD) || [];
    return found.join("").length === word.length ? found.map((c) => c === "?" ? c : c.slice(0, -1).toUpperCase().replace("10", "T") + c.slice(-1).toLowerCase()) : [];
  };
  const together = (cards) => [...cards].sort().join("");

  function known() {
    byKey = new Map();
    for (const spot of all(".place")) {
      const add = (key) => byKey.set(key, [...(byKey.get(key) || []), spot]);
      const cards = cardsIn((spot.dataset.wager.split(":")[1] || "").replaceAll("+", ""));
      if (cards.length) add(together(cards));
      for (const key of [spot.dataset.wager, ...spot.dataset.keys.split(" ")]) if (key) add(key);
    }
  }

  function spotOf(word, who) {
    const cards = cardsIn(word), tries = [cards.length ? together(cards) : null, word, word.toUpperCase(), word.toLowerCase(), [...word.toUpperCase()].reverse().join("")];
    for (const key of tries) for (const spot of byKey.get(key) || []) if (!spot.dataset.seat || Number(spot.dataset.seat) === who) return spot;
    return byKey.size ? null : { dataset: { wager: word } };  // a game that draws no felt is typed by its codes
  }

  function readBets(text) {
    const read = { moves: [], seat, words: [], wrong: "" };
    for (const part of text.split(",").map((piece) => piece.trim()).filter(Boolean)) {
      const words = part.split(/\s+/);
      if (/^[1-9]$/.test(words[0])) read.seat = Number(words.shift());
      if (!words.length) { read.words.push(`choose seat ${read.seat}`); continue; }
      const first = all(".place--circle").find((spot) => Number(spot.dataset.seat) === read.seat);
      if (words.length === 1 && first && /^\d+(\.\d\d)?$/.test(words[0])) words.unshift(first.dataset.wager);
      const amount = words.length > 1 && /^\d+(\.\d\d)?$/.test(words.at(-1)) ? Math.round(Number(words.pop()) * 100) : chip;
      if (!one(`[data-choose-seat="${read.seat}"]`)) { read.wrong = `There is no seat ${read.seat} at this table.`; break; }
      for (const word of words) {
        const spot = spotOf(word, read.seat), move = spot && moveOn(spot, read.seat, amount);
        if (!spot) { read.wrong = `“${word}” is no wager here: cards that touch (AsKs), a rank (K, r9), a suit (h), red, af, sf …`; return read; }
        if (typeof move === "string") { read.wrong = move; return read; }
        read.moves.push(move);
        read.words.push(`seat ${read.seat}: ${move.map((bet) => label(bet.wager)).join(" and ")} ${money(move[0].cents)}`);
      }
    }
    return read;
  }

  function readCards(text) {
    const cards = cardsIn(text.replace(/[\s,]/g, "")), used = all("[data-used]").map((button) => button.dataset.pick);
    const names = all("[data-slot] > span").map((slot) => slot.textContent);
    const twice = cards.find((card, index) => card !== "?" && (used.includes(card) || picks.includes(card) || cards.indexOf(card) !== index));
    const wrong = !cards.length ? `“${text}” can't be read as cards; write them like AsKd9h, ? for one unseen.` : twice ? `${shownCard(twice)} is there already; a deck has one.` : "";
    return { cards, wrong, words: cards.map((card, index) => `${names[picks.length + index] || "too many"}: ${shownCard(card)}`) };
  }

  function preview() {
    const field = one("#typed"), said = one("#preview");
    if (!field) return;
    const text = field.value.trim();
    let read = { words: [], wrong: "" };
    if (text && step === "bets") read = readBets(text);
    if (text && step === "cards") read = readCards(text);
    if (text && step === "decide") read.words = text.split(/\s+/).map((word) => /^c/i.test(word) ? "check" : /^f/i.test(word) ? "fold" : `play ${word.replace(/x$/i, "")}×`);
    const next = one("[data-next]")?.firstChild.textContent.trim();
    const idle = step === "decide" ? "Type c to check, f to fold, or how many times; several in order." : `Enter: ${next || "the next step"}.`;
    said.textContent = read.wrong || (read.words.length ? `Enter: ${read.words.join(" · ")}` : idle);
    said.classList.toggle("typed__preview--wrong", Boolean(read.wrong));
  }

  function take() {
    const field = one("#typed"), text = field.value.trim();
    if (!text) return next();
    if (step === "bets") {
      const read = readBets(text);
      if (read.wrong) return preview();
      moves.push(...read.moves);
      seat = read.seat;
    } else if (step === "cards") {
      const read = readCards(text);
      if (read.wrong) return preview();
      picks.push(...read.cards);
    } else if (step === "decide") {
      return decide(text);
    }
    field.value = "";
    refuse("");
    show();
    preview();
  }

  function next() {
    const button = one("[data-next]");
    if (button && !button.disabled) button.click();
  }

  function decide(text) {
    one("[name=moves]").value = text;
    one("#decide").requestSubmit();
  }

  // ------------------------------------------------------------------ touches

  function undo() {
    (step === "bets" ? moves : picks).pop();
    refuse("");
    show();
  }

  root.addEventListener("click", (event) => {
    const hit = event.target.closest("button");
    if (!hit) return;
    // The big button stays where it was when the step changes: the second half of a double press is not the next step.
    if ("next" in hit.dataset && event.detail > 1 && Date.now() - swappedAt < 600) { event.preventDefault(); event.stopPropagation(); return; }
    if (hit.matches(".place")) put(hit);
    else if (hit.dataset.chooseSeat) { seat = Number(hit.dataset.chooseSeat); show(); }
    else if (hit.dataset.chooseChip) { chip = Number(hit.dataset.chooseChip); show(); }
    else if ("undo" in hit.dataset) undo();
    else if (hit.dataset.pick) { picks.push(hit.dataset.pick); refuse(""); show(); }
    else if ("allUnseen" in hit.dataset) { picks = all("[data-slot]").map(() => "?"); show(); next(); }
    else if (hit.dataset.move) decide(hit.dataset.move);
    preview();
  }, true);

  // A finger that slides from one cell to one that touches it lays a split; to one across a corner, a corner.
  let began = null;
  root.addEventListener("pointerdown", (event) => { began = event.target.closest(".place--card"); });
  root.addEventListener("pointerup", (event) => {
    const ended = document.elementFromPoint(event.clientX, event.clientY)?.closest(".grid-felt .place");
    if (!began || !ended || began === ended) return;
    const cards = [began.dataset.card, ended.dataset.card];
    const spot = ended.dataset.card ? byKey.get(together(cards))?.[0] || all(".place--edge").find((found) => cards.every((card) => found.dataset.wager.split(/[:+]/).includes(card))) : ended;
    if (spot) put(spot);
    else refuse(`${shownCard(cards[0])} and ${shownCard(cards[1])} do not touch on the layout.`);
  });

  // ------------------------------------------------------------------ keys

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const at = document.activeElement, field = one("#typed");
    if (at === field && field) {
      if (event.key === "Enter") { event.preventDefault(); take(); }
      if (event.key === "Escape") field.blur();
      return;
    }
    if (at.matches("input, select, textarea, summary") || (at.matches("button, a") && at.matches(":focus-visible") && ["Enter", " "].includes(event.key))) return;
    if (event.key === "Enter") { event.preventDefault(); next(); }
    else if (event.key === "Backspace" && field) { event.preventDefault(); undo(); }
    else if (event.key === "/" && field) { event.preventDefault(); field.focus(); }
    else if (/^\d$/.test(event.key) && one(`[data-digit="${event.key}"]`)) one(`[data-digit="${event.key}"]`).click();
    else if (step === "bets" && /^[1-9]$/.test(event.key)) one(`[data-choose-seat="${event.key}"]`)?.click();
    else if (step === "bets" && all(".chip kbd").some((kbd) => kbd.textContent === event.key)) all(".chip kbd").find((kbd) => kbd.textContent === event.key).closest("button").click();
    else if (event.key.length === 1 && event.key !== " " && field) field.focus();
  });
  root.addEventListener("input", (event) => { if (event.target.id === "typed") preview(); });

  // ------------------------------------------------------------------ presses

  const open = new Map();

  function keyFor(element, content) {
    const known = open.get(element);
    if (known?.content === content) return known.key;
    const key = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    open.set(element, { content, key });
    return key;
  }

  root.addEventListener("htmx:configRequest", ({ detail }) => {
    if (detail.verb === "post") detail.headers["Idempotency-Key"] = keyFor(detail.elt, JSON.stringify([...detail.formData]));
    typing = document.activeElement?.id === "typed";
  });
  root.addEventListener("htmx:afterRequest", ({ detail }) => { if (detail.xhr.status >= 200 && detail.xhr.status < 500) open.delete(detail.elt); });
  root.addEventListener("htmx:beforeSwap", ({ detail }) => {
    const code = detail.xhr.getResponseHeader("X-Refused");
    if (!code) return;
    detail.shouldSwap = detail.isError = false;
    refuse(detail.xhr.responseText, detail.requestConfig.elt);
    if (OUTDATED.includes(code)) { toSay = detail.xhr.responseText; htmx.ajax("GET", root.dataset.home, "#terminal"); }
  });
  root.addEventListener("htmx:afterSwap", begin);
  for (const name of ["htmx:sendError", "htmx:timeout"]) root.addEventListener(name, ({ detail }) => refuse(LOST, detail.elt));
  root.addEventListener("htmx:responseError", ({ detail }) => refuse(`The house could not record this (${detail.xhr.status}). What you entered is kept; press again.`, detail.elt));

  function begin() {
    now = document.getElementById("now");
    step = now.dataset.step;
    swappedAt = Date.now();
    recover();
    known();
    show();
    preview();
    if (typing) one("#typed")?.focus();
    if (toSay) { refuse(toSay); toSay = ""; }
  }

  begin();
})();
