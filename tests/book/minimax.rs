//! Values in graphs of positions, against a referee that plays every line out.

use hagane::bookmaker::minimax::{Edge, Worth, solve};
use hagane::platform::random::Random;
use hagane::types::Score;

const WIN: i32 = Score::MATE.0;

/// Plays every line to its end or its first repetition: the rule itself, on a small graph. `path` has the positions
/// so far with the side to move and whether the move into them gave check.
fn referee(graph: &[Vec<Edge>], path: &mut Vec<(usize, bool)>) -> i32 {
    let (at, _) = path[path.len() - 1];
    let mut best = -WIN - 1;
    for &edge in &graph[at] {
        let value = match edge {
            Edge::Leaf(value, _) => value,
            Edge::Inner(to, check) => {
                // The same position with the same side to move, an even number of plies ago.
                let before =
                    (0..path.len()).rev().find(|&index| path[index].0 == to && (path.len() - index).is_multiple_of(2));
                match before {
                    Some(begin) => {
                        let plies = path.len() - begin;
                        let mut checks: Vec<bool> = path[begin + 1..].iter().map(|(_, check)| *check).collect();
                        checks.push(check);
                        // The last move is the mover's; so is every second one before it.
                        let of = |offset: usize| (0..plies).rev().skip(offset).step_by(2).all(|index| checks[index]);
                        match (of(0), of(1)) {
                            (true, false) => -WIN,
                            (false, true) => WIN,
                            _ => 0,
                        }
                    }
                    None => {
                        path.push((to, check));
                        let value = -referee(graph, path);
                        path.pop();
                        value
                    }
                }
            }
        };
        best = best.max(value);
    }
    best
}

fn random_graph(random: &mut Random) -> Vec<Vec<Edge>> {
    let count = 2 + random.below(5);
    let mut graph = vec![Vec::new(); count];
    for edges in &mut graph {
        for _ in 0..1 + random.below(3) {
            edges.push(match random.below(3) {
                0 => Edge::Leaf(random.below(9) as i32 * 10 - 40, random.below(5) as u32),
                _ => Edge::Inner(random.below(count), random.below(2) == 0),
            });
        }
    }
    graph
}

#[test]
fn values_are_those_of_the_rule_played_out() {
    let mut random = Random::new(5);
    let mut circles = 0;
    for number in 0..4000 {
        let graph = random_graph(&mut random);
        let worth = solve(&graph);
        for at in 0..graph.len() {
            let value = referee(&graph, &mut vec![(at, false)]);
            assert_eq!(worth[at].map(|worth| worth.value), Some(value), "graph {number}, position {at}: {graph:?}");
            circles += usize::from(value.abs() == WIN || value == 0);
        }
    }
    assert!(circles > 2000, "only {circles} values come from circles");
}

#[test]
fn equal_values_are_told_apart_by_their_depth() {
    let graph = vec![
        vec![Edge::Leaf(20, 9), Edge::Leaf(20, 3), Edge::Inner(1, false)],
        vec![Edge::Leaf(-20, 0), Edge::Leaf(-20, 7)],
        vec![Edge::Leaf(-5, 2), Edge::Leaf(-5, 4)],
        vec![],
        vec![Edge::Inner(3, false)],
    ];
    let worth = solve(&graph);
    assert_eq!(worth[0], Some(Worth { value: 20, depth: 3 }), "the sooner, where it is good");
    assert_eq!(worth[1], Some(Worth { value: -20, depth: 7 }));
    assert_eq!(worth[2], Some(Worth { value: -5, depth: 4 }), "the later, where it is bad");
    assert_eq!(worth[3..], [None, None], "nothing is known there");
}
