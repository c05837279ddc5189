"use strict";
(() => {
  const game = JSON.parse(document.getElementById("data").textContent);
  const root = document.documentElement;
  const kanji = { P: "歩", L: "香", N: "桂", S: "銀", G: "金", B: "角", R: "飛", K: "玉", "+P": "と", "+L": "杏", "+N": "圭", "+S": "全", "+B": "馬", "+R": "龍" };
  const ranks = { ja: "一二三四五六七八九", en: "abcdefghi" };
  const words = { ja: { best: "最善", inaccuracy: "緩手", mistake: "疑問手", blunder: "悪手", move: "手目", win: "先手勝率", line: "読み筋" }, en: { best: "best", inaccuracy: "inaccuracy", mistake: "mistake", blunder: "blunder", move: "", win: "Black's win probability", line: "Engine's line" } };
  const at = { ply: 0, step: 0 };
  const lang = () => root.dataset.lang;
  const el = (name, text, cls) => { const e = document.createElement(name); if (text !== undefined) e.textContent = text; if (cls) e.className = cls; return e; };

  function hand(field, white) {
    const box = el("div", undefined, "hand");
    box.append(el("b", (white ? "△" : "▲") + game.names[white ? 1 : 0]));
    for (const [, count, letter] of field.matchAll(/(\d*)([A-Za-z])/g)) {
      if ((letter === letter.toLowerCase()) !== white) continue;
      box.append(kanji[letter.toUpperCase()] + (count ? count : "") + " ");
    }
    return box;
  }

  function draw(sfen, last) {
    const [board, , hands] = sfen.split(" ");
    const table = el("table"), head = table.insertRow();
    for (let file = 9; file > 0; file--) head.append(el("th", String(file)));
    board.split("/").forEach((row, rank) => {
      const tr = table.insertRow();
      let file = 9;
      for (const [token] of row.matchAll(/\d|\+?[A-Za-z]/g)) {
        for (let n = /\d/.test(token) ? Number(token) : 1; n > 0; n--) {
          const td = tr.insertCell();
          if (last === file + "abcdefghi"[rank]) td.className = "last";
          if (!/\d/.test(token)) {
            const piece = el("span", kanji[token.toUpperCase()]);
            if (token === token.toLowerCase()) piece.classList.add("white");
            if (token[0] === "+") piece.classList.add("promoted");
            td.append(piece);
          }
          file--;
        }
      }
      tr.append(el("th", ranks[lang()][rank]));
    });
    document.getElementById("board").replaceChildren(hand(hands, true), table, hand(hands, false));
  }

  const list = document.getElementById("moves");
  const items = game.plies.map((entry, ply) => {
    const li = el("li", undefined, entry.mark || "");
    li.append(el("i", String(ply)), el("span"), el("span", "", "m"), el("em", ""));
    li.addEventListener("click", () => go(ply, 0));
    list.append(li);
    return li;
  });
  const end = game.end && list.appendChild(el("li", undefined, "end"));

  function go(ply, step) {
    at.ply = Math.max(0, Math.min(game.plies.length - 1, ply));
    at.step = step;
    show();
  }

  function show() {
    const entry = game.plies[at.ply], word = words[lang()];
    const line = entry.line || [];
    const shown = line[at.step - 1] || entry;
    draw(shown.sfen, shown.to);
    items.forEach((li, ply) => {
      li.classList.toggle("on", ply === at.ply);
      const { text, mark, worth } = game.plies[ply];
      li.children[1].textContent = text[lang()];
      li.children[2].textContent = word[mark] || "";
      li.children[3].textContent = worth ? worth[lang()] : "";
    });
    if (end) end.textContent = game.end[lang()];
    const item = items[at.ply];
    if (item.offsetTop < list.scrollTop + list.offsetTop || item.offsetTop + 30 > list.scrollTop + list.offsetTop + list.clientHeight) list.scrollTop = item.offsetTop - list.offsetTop - list.clientHeight / 2;
    const status = [at.ply + word.move, entry.text[lang()]];
    if (entry.worth) status.push(entry.worth[lang()], word.win + " " + entry.win + "%");
    if (entry.mark) status.push(word[entry.mark]);
    if (entry.why && entry.why[lang()]) status.push(entry.why[lang()]);
    document.getElementById("status").textContent = status.join("　");
    const box = document.getElementById("engineline");
    box.replaceChildren();
    if (line.length) {
      box.append(word.line + ": ");
      line.forEach((move, index) => {
        const b = el("button", move.text[lang()], at.step === index + 1 ? "on" : "");
        b.type = "button";
        b.addEventListener("click", () => go(at.ply, index + 1));
        box.append(b);
      });
    }
    const graph = document.getElementById("graph"), cursor = document.getElementById("cursor");
    const left = Number(graph.dataset.left), right = Number(graph.dataset.right);
    const x = left + (right - left) * at.ply / Number(graph.dataset.plies);
    cursor.setAttribute("x1", x);
    cursor.setAttribute("x2", x);
    document.getElementById("language").textContent = lang() === "ja" ? "English" : "日本語";
  }

  document.getElementById("graph").addEventListener("click", (event) => {
    const graph = event.currentTarget, box = graph.getBoundingClientRect();
    const x = (event.clientX - box.left) * graph.viewBox.baseVal.width / box.width;
    const left = Number(graph.dataset.left), right = Number(graph.dataset.right);
    go(Math.round((x - left) / (right - left) * Number(graph.dataset.plies)), 0);
  });
  document.getElementById("language").addEventListener("click", () => {
    root.dataset.lang = root.lang = lang() === "ja" ? "en" : "ja";
    show();
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.classList.contains("goto")) go(Number(button.dataset.ply), 0);
    if (button.classList.contains("line")) go(Number(button.dataset.ply), 1);
    const ways = { first: () => go(0, 0), back: () => step(-1), forward: () => step(1), last: () => go(game.plies.length - 1, 0) };
    if (button.dataset.go) ways[button.dataset.go]();
  });

  /* Inside the engine's line the arrows walk the line; back at its beginning, the game. */
  function step(by) {
    const line = game.plies[at.ply].line || [];
    if (at.step > 0 && at.step + by <= line.length) go(at.ply, at.step + by);
    else go(at.ply + (at.step > 0 ? 0 : by), 0);
  }
  document.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (by) { event.preventDefault(); step(by); }
  });
  /* #ja or #en chooses the language, a number the move: #84, #en84; else the page's own language, else the reader's. */
  const [, chosen, ply] = /^#(ja|en)?(\d*)/.exec(location.hash) || [];
  root.dataset.lang = root.lang = chosen || root.dataset.chosen || (navigator.language.startsWith("ja") ? "ja" : "en");
  go(Number(ply || 0), 0);
})();
