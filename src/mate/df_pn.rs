//! The search: depth-first proof-number search (Nagai and Imai, df-pn アルゴリズムの詰将棋を解くプログラムへの応用, 2002).
//!
//! At every node the child with the smallest number of the side to move is searched until its numbers pass thresholds
//! that say when another node of the tree is worth more:
//!
//! ```text
//!       attacker to move, searched while pn < 12 and dn < 20
//!          /            |            \
//!     pn 4, dn 5    pn 6, dn 3    pn 9, dn 2        pn = min = 4, dn = sum = 10
//!         |
//!   searched while pn < 8 (the second best pn, 6, and a margin)
//!              and dn < 15 (20 without the 5 of the others)
//! ```
//!
//! Around that core, one idea in each file: the children of a node (`expand`), first estimates ([`super::estimate`]),
//! thresholds with a margin ([`super::expansion`]), dominance ([`super::table`]), repetitions by path
//! ([`super::repetition`]), delayed moves ([`super::delayed_moves`]), double counting (`double_count`), the
//! threshold control where a line leads back towards the root (`visit`), and the division of the work among threads
//! (`division`).

mod division;
mod double_count;
mod expand;
mod team;
mod visit;
mod worker;

pub(super) use team::Team;
pub(super) use worker::DfPnWorker;
