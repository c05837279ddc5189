// Reads records with tsshogi, the library of ShogiHome, and prints one line of JSON each: the start as SFEN, and the
// tree in the form of `sketch.rs`. Arguments: the files.
const { readFileSync } = require("node:fs");
const { Move, importCSA, importJKFString, importKI2, importKIF } = require("tsshogi");

const files = process.argv.slice(2);
const readers = { kif: importKIF, ki2: importKI2, csa: importCSA, jkf: importJKFString };

function notes(node) {
  const time = node.elapsedMs > 0 ? `[${Math.floor(node.elapsedMs / 1000)}]` : "";
  const comments = node.comment.split("\n").filter((line) => line !== "").map((line) => `{*${line}}`);
  return time + comments.join("") + (node.bookmark ? `<${node.bookmark}>` : "");
}

function entry(node) {
  return " " + (node.move instanceof Move ? node.move.usi : "end") + notes(node);
}

function line(children, from) {
  let text = "";
  for (let at = from; children.has(at); at = children.get(at)[0]) {
    const [next, ...variations] = children.get(at);
    text += entry(next);
    for (const variation of variations) {
      text += " (" + entry(variation) + line(children, variation) + " )";
    }
  }
  return text;
}

for (const file of files) {
  const record = readers[file.split(".").pop()](readFileSync(file, "utf8"));
  if (record instanceof Error) {
    console.log(JSON.stringify({ error: record.message }));
    continue;
  }
  const children = new Map();
  record.forEach((node) => {
    if (node.prev) {
      children.set(node.prev, [...(children.get(node.prev) ?? []), node]);
    }
  });
  console.log(JSON.stringify({ sfen: record.initialPosition.sfen, tree: notes(record.first) + line(children, record.first) }));
}
