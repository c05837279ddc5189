//! The best lines of a running search, put together from its `info` lines.

use std::cmp::Reverse;

use super::Info;

/// The latest line of every move that a search has shown.
///
/// A line replaces what is known of its rank and of its move, so no move has two ranks. Lines of earlier iterations
/// only fill the ranks that the newest iteration has not reached: engines show some iterations only, and stop within
/// one.
#[derive(Debug, Default)]
pub struct MultiPv {
    /// The depth of the newest iteration.
    depth: u32,
    lines: Vec<Line>,
}

#[derive(Debug)]
struct Line {
    info: Info,
    /// Rank 0 is the best; `None` if another move has taken the rank in the same iteration.
    rank: Option<usize>,
    /// Lines of a higher worth come first, see [`worth`].
    worth: i64,
}

/// How much a line counts: by its depth, but an exact score counts more than a bound of the next iteration.
fn worth(depth: u32, bound: bool) -> i64 {
    2 * i64::from(depth) - if bound { 3 } else { 0 }
}

impl MultiPv {
    /// Takes an `info` line. A line without moves does not replace one with moves.
    pub fn take(&mut self, info: Info) {
        if info.score.is_none() || info.string.is_some() {
            return;
        }
        let rank = Some(info.multipv.unwrap_or(1).max(1) as usize - 1);
        let depth = info.depth.unwrap_or(self.depth);
        self.depth = self.depth.max(depth);
        let worth = worth(depth, info.bound);
        let is_bare = info.pv.is_empty();
        if is_bare && self.lines.iter().any(|line| line.rank == rank && !line.info.pv.is_empty()) {
            return;
        }
        self.lines.retain(|line| is_bare || line.rank != rank || !line.info.pv.is_empty());
        if let Some(known) = self.lines.iter().position(|line| line.info.pv.first() == info.pv.first()) {
            if self.lines[known].worth > worth {
                return;
            }
            self.lines.remove(known);
        }
        for line in self.lines.iter_mut().filter(|line| line.worth == worth && line.rank == rank) {
            line.rank = None;
        }
        self.lines.push(Line { info, rank, worth });
    }

    /// The best lines, at most `count`.
    pub fn lines(mut self, count: usize) -> Vec<Info> {
        self.lines.sort_by_key(|line| {
            let score = line.info.score.map(|score| score.value().0);
            (Reverse(line.worth), line.rank.unwrap_or(usize::MAX), Reverse(score))
        });
        self.lines.into_iter().map(|line| line.info).take(count).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First moves and depths of the best lines.
    fn lines(count: usize, infos: &[&str]) -> Vec<(String, u32)> {
        let mut lines = MultiPv::default();
        for text in infos {
            lines.take(Info::parse(text));
        }
        let word = |info: Info| (info.pv.first().cloned().unwrap_or_default(), info.depth.unwrap_or(0));
        lines.lines(count).into_iter().map(word).collect()
    }

    fn expected(words: &[(&str, u32)]) -> Vec<(String, u32)> {
        words.iter().map(|&(mv, depth)| (mv.to_owned(), depth)).collect()
    }

    const DEPTH_5: [&str; 3] = [
        "depth 5 multipv 1 score cp 35 pv 7g7f 3c3d",
        "depth 5 multipv 2 score cp 20 pv 2g2f",
        "depth 5 multipv 3 score cp 10 pv 5g5f",
    ];

    #[test]
    fn bounds_do_not_replace_exact_scores() {
        let infos = [
            "depth 5 multipv 1 score cp 35 nodes 100 pv 7g7f",
            "depth 6 multipv 1 score cp 50 lowerbound nodes 200 pv 2g2f",
            "depth 5 multipv 2 score cp 10 pv 2g2f",
            "depth 7 nodes 300",
            "string score cp 9999",
            "depth 7 score cp 1 nodes 300",
        ];
        assert_eq!(lines(2, &infos), expected(&[("7g7f", 5), ("2g2f", 5)]));
        let bound = ["depth 1 score cp 50 lowerbound pv 2g2f", "depth 1 score cp 60 pv 7g7f"];
        assert_eq!(lines(1, &bound), expected(&[("7g7f", 1)]));
    }

    #[test]
    fn a_move_stands_at_one_rank_only() {
        let mut infos = DEPTH_5.to_vec();
        infos.push("depth 6 multipv 1 score cp 40 pv 2g2f 8c8d");
        assert_eq!(lines(3, &infos), expected(&[("2g2f", 6), ("7g7f", 5), ("5g5f", 5)]));
        infos.push("depth 6 multipv 2 score cp 30 pv 9g9f");
        assert_eq!(lines(3, &infos), expected(&[("2g2f", 6), ("9g9f", 6), ("7g7f", 5)]));
        infos.push("depth 6 multipv 3 score cp 20 pv 7g7f");
        assert_eq!(lines(3, &infos), expected(&[("2g2f", 6), ("9g9f", 6), ("7g7f", 6)]));
    }

    #[test]
    fn a_replaced_line_is_the_latest_word_on_its_move() {
        let mut infos = DEPTH_5.to_vec();
        infos.push("depth 6 multipv 1 score cp 30 pv 7g7f 8c8d");
        infos.push("depth 6 multipv 1 score cp 40 pv 2g2f");
        assert_eq!(lines(2, &infos), expected(&[("2g2f", 6), ("7g7f", 6)]));
    }

    #[test]
    fn repeated_lines_of_the_last_iteration_do_no_harm() {
        let mut infos = DEPTH_5.to_vec();
        infos.extend([
            "depth 6 multipv 1 score cp 40 pv 2g2f",
            "depth 5 multipv 2 score cp 35 pv 7g7f",
            "depth 5 multipv 3 score cp 10 pv 5g5f",
        ]);
        assert_eq!(lines(3, &infos), expected(&[("2g2f", 6), ("7g7f", 5), ("5g5f", 5)]));
    }

    /// As an engine prints it that shows few iterations and is cut short.
    #[test]
    fn a_line_from_long_ago_is_no_line() {
        let mut infos = DEPTH_5.to_vec();
        infos.extend([
            "depth 9 multipv 1 score cp 19 pv 2g2f 4a3b",
            "depth 9 multipv 2 score cp 12 upperbound pv 5i6h 3c3d",
            "depth 8 multipv 3 score cp 23 pv 9g9f",
        ]);
        assert_eq!(lines(3, &infos), expected(&[("2g2f", 9), ("9g9f", 8), ("5i6h", 9)]));
        infos.truncate(3);
        infos.push("depth 7 multipv 1 score cp 90 lowerbound pv 1g1f");
        assert_eq!(lines(1, &infos), expected(&[("1g1f", 7)]));
    }

    #[test]
    fn lines_without_moves() {
        let bare = ["depth 3 score cp 5", "depth 4 score cp 6"];
        assert_eq!(lines(1, &bare), expected(&[("", 4)]));
        assert_eq!(lines(2, &[bare[0], "depth 3 score cp 7 pv 7g7f", bare[1]]), expected(&[("7g7f", 3)]));
    }

    #[test]
    fn fewer_moves_than_lines() {
        let infos = ["depth 1 multipv 1 score cp 1 pv 5i5h", "depth 1 multipv 2 score cp 0 pv 5i4h"];
        let deeper = ["depth 2 multipv 1 score cp 9 pv 5i4h", "depth 2 multipv 2 score cp 3 pv 5i5h"];
        assert_eq!(lines(3, &[infos, deeper].concat()), expected(&[("5i4h", 2), ("5i5h", 2)]));
        assert!(lines(3, &[]).is_empty());
    }
}
