// What ShogiHome makes of the comments in KIF files: prints, for each file and ply, the score and mate of its graph and
// the lines that can be played. The rules are those of ShogiHome 1.29 (src/common/record/comment.ts): the last value of a
// key counts, and each line is read by tsshogi without a previous move.
const { readFileSync } = require("node:fs");
const { importKIF, parseMoves } = require("tsshogi");

const files = process.argv.slice(2).map((path) => {
  const record = importKIF(readFileSync(path, "utf8"));
  if (record instanceof Error) throw record;
  const plies = [];
  for (let ply = 0; ply <= record.length; ply++) {
    record.goto(ply);
    const seen = { ply, score: null, mate: null, lines: [], errors: [] };
    for (const line of record.current.comment.split("\n")) {
      const score = /^#評価値=([+-]?[0-9]+(?:\.[0-9]+)?)/.exec(line);
      const mate = /^#詰み=(先手勝ち|後手勝ち)(?::([0-9]+)手)?/.exec(line);
      if (score) seen.score = Number(score[1]);
      if (mate) seen.mate = Number(mate[2] || 1000) * (mate[1] === "先手勝ち" ? 1 : -1);
      if (/^[#*]読み筋=/.test(line)) {
        const [moves, error] = parseMoves(record.position, line.substring(5));
        seen.lines.push(moves.map((move) => move.usi));
        if (error) seen.errors.push(`${line}: ${error}`);
      }
    }
    plies.push(seen);
  }
  return plies;
});
console.log(JSON.stringify(files));
