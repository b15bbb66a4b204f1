// Reads what somebody types at a terminal, and says what it will do before Enter is pressed: wagers, cards, decisions.
// `table` tells what the page shows: its places, seats, slots and choices. Whatever can't be done is `wrong`, in words.
(() => {
  "use strict";
  const CARD = /10[shdc]|[2-9tjqka][shdc]|x[12]|\?/gi;
  const SUITS = { s: "♠", h: "♥", d: "♦", c: "♣" };
  const AMOUNT = /^(\d{1,3}(?:,\d{3}){1,3}|\d{1,12})(?:\.(\d\d))?$/;
  const NUMBERS = /^-?[\d.,]*\d[\d.,]*$/;
  const MOST_CENTS = 100_000_000_000;

  const money = (cents) => (cents % 100 ? (cents / 100).toFixed(2) : String(cents / 100)).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  const shownCard = (card) => card === "?" ? "unseen" : card[0] === "X" ? `Joker ${card[1]}` : (card[0] === "T" ? "10" : card[0]) + SUITS[card[1]];
  const named = (card) => card === "?" ? card : card.slice(0, -1).toUpperCase().replace("10", "T") + card.slice(-1).toLowerCase();
  const together = (cards) => [...cards].sort().join("");

  function cardsIn(word) {
    const found = word.match(CARD) || [];
    return found.join("").length === word.length ? found.map(named) : [];
  }

  /** "1,075.50" → 107550; null for what is no amount. */
  function centsOf(word) {
    const found = word.match(AMOUNT);
    return found && Number(found[1].replaceAll(",", "")) * 100 + Number(found[2] || 0);
  }

  /** "1,075.50" → {cents: 107550}; what is no amount, or none that can be staked → {wrong: a sentence}. */
  function amountIn(word) {
    const cents = centsOf(word);
    if (cents === null && /^\d+\.\d$/.test(word)) return { wrong: `“${word}” is no amount: cents have two digits, as in ${word}0.` };
    if (cents === null) return { wrong: `“${word}” is no amount: write 5, 12.50 or 1,000; between wagers stands a comma and a blank.` };
    if (!cents) return { wrong: "A stake is above zero." };
    if (cents > MOST_CENTS) return { wrong: `${money(cents)} is more than anybody can mean.` };
    return { cents };
  }

  function reader(table) {
    let byKey = new Map();

    /** Learns by which words each place of the felt is typed. */
    function learn() {
      byKey = new Map();
      for (const place of table.places()) {
        const add = (key) => byKey.set(key, [...(byKey.get(key) || []), place]);
        const cards = cardsIn((place.dataset.wager.split(":")[1] || "").replaceAll("+", ""));
        if (cards.length) add(together(cards));
        for (const key of [place.dataset.wager, ...place.dataset.keys.split(" ")]) if (key) add(key);
      }
    }

    function placeOf(word, seat) {
      const cards = cardsIn(word), tries = [cards.length ? together(cards) : null, word, word.toUpperCase(), word.toLowerCase(), [...word.toUpperCase()].reverse().join("")];
      for (const key of tries) for (const place of byKey.get(key) || []) if (!place.dataset.seat || Number(place.dataset.seat) === seat) return place;
      return byKey.size ? null : { dataset: { wager: word } };  // a game that draws no felt is typed by its codes
    }

    /** The one place for all these cards together, so that a finger that slides finds it too. */
    const placeOfCards = (cards) => byKey.get(together(cards))?.[0];

    // A comma ends a wager, but not between two digits, where it may stand between thousands.
    const wagersIn = (text) => text.split(/(?<!\d),|,(?!\d)/).map((part) => part.trim()).filter(Boolean);

    function bets(text) {
      const read = { moves: [], seat: table.seat(), words: [], wrong: "" };
      for (const part of wagersIn(text)) {
        read.wrong = oneSeat(part.split(/\s+/), read);
        if (read.wrong) break;
      }
      return read;
    }

    function oneSeat(words, read) {
      if (/^[1-9]$/.test(words[0]) || (/^\d\d$/.test(words[0]) && table.hasSeat(Number(words[0])))) read.seat = Number(words.shift());
      if (!table.hasSeat(read.seat)) return `There is no seat ${read.seat} at this table.`;
      if (!words.length) { read.words.push(`choose seat ${read.seat}`); return ""; }
      const first = table.places().find((place) => Number(place.dataset.seat) === read.seat);
      if (words.length === 1 && first && NUMBERS.test(words[0])) words.unshift(first.dataset.wager);
      const given = words.length > 1 && NUMBERS.test(words.at(-1)) ? amountIn(words.pop()) : null;
      if (given?.wrong) return given.wrong;
      for (const word of words) {
        const wrong = oneWager(word, given, read);
        if (wrong) return wrong;
      }
      return "";
    }

    function oneWager(word, given, read) {
      const place = placeOf(word, read.seat);
      if (!place) return NUMBERS.test(word) && /[.,]/.test(word) ? amountIn(word).wrong || `“${word}” stands where a wager is expected.` : table.noWager(word);
      const move = table.moveOn(place, read.seat, given?.cents ?? table.chip(), read.moves.flat());
      if (typeof move === "string") return move;
      if (given && move[0].cents !== given.cents) return `The ${table.label(move[0].wager)} costs ${money(move[0].cents)}, not ${money(given.cents)}.`;
      read.moves.push(move);
      read.words.push(`seat ${read.seat}: ${move.map((bet) => table.label(bet.wager)).join(" and ")} ${money(move[0].cents)}`);
      return "";
    }

    /** Cards for the slots that are still to be filled; one that lies face down there already may be named again. */
    function cards(text) {
      const found = cardsIn(text.replace(/[\s,]/g, "")), slots = table.openSlots(), before = table.picks();
      const twice = found.find((card, index) => card !== "?" && card !== slots[index]?.dataset.card && (table.isUsed(card) || before.includes(card) || found.indexOf(card) !== index));
      const blind = slots.find((slot, index) => found[index] === "?" && !("mayBeUnseen" in slot.dataset));
      const name = (slot) => slot.querySelector("span").textContent;
      const wrong = !found.length ? `“${text}” can't be read as cards; write them like AsKd9h, ? for one unseen.`
        : twice ? `${shownCard(twice)} is there already; a deck has one.`
        : blind ? `The card for ${name(blind).replace(/ up$/, "")} lies face up; name it.` : "";
      return { cards: found, wrong, words: found.map((card, index) => `${slots[index] ? name(slots[index]) : "too many"}: ${shownCard(card)}`) };
    }

    /** Decisions of the seats whose turns follow each other, each with what it may do. */
    function moves(text) {
      const read = { words: [], wrong: "" }, deciding = table.deciding();
      for (const [index, word] of text.toLowerCase().split(/\s+/).entries()) {
        const seat = deciding[index];
        if (!seat) { read.wrong = `Only ${deciding.length} decide now; the cards come before the next.`; break; }
        const typed = { check: "c", fold: "f" }[word] || word.replace(/(\d)x$/, "$1"), option = seat.options.find((one) => one.move === typed);
        if (!option) { read.wrong = `Seat ${seat.seat} can't do “${word}” now: ${seat.options.map((one) => `${one.move} (${one.words})`).join(", ")}.`; break; }
        read.words.push(`seat ${seat.seat}: ${option.words}`);
      }
      return read;
    }

    return { learn, bets, cards, moves, placeOfCards };
  }

  window.typed = { reader, money, shownCard, cents: centsOf, mostCents: MOST_CENTS };
})();
