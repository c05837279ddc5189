//! The mate solver beside others: the same problems in turns, processor time (on Linux; elsewhere by the clock) to an
//! answer.
//!
//! `cargo bench --bench mate -- PROBLEMS SECONDS ROUNDS ENGINE...`; PROBLEMS is a file as `hagane mate` reads it, each
//! ENGINE a program and its options in quotes, the first is compared with the others, and `hagane` is this build:
//!
//! ```sh
//! cargo bench --bench mate -- classics.sfen 60 3 "hagane MateLength=First" "/engines/KomoringHeights PostSearchLevel=None" \
//!     /engines/shtsume
//! ```
//!
//! Every engine has `USI_Hash` 1024, one thread, and a process of its own for each problem. The time is that of the
//! process from `go mate infinite` to `checkmate`, the median of the rounds. A line of moves that does not end in mate, an
//! engine that does not know or fails, and no answer within SECONDS are open, and count as SECONDS.

mod peers;

use std::slice;
use std::time::{Duration, Instant};

use hagane::client::{Client, ClientError, MateAnswer};
use hagane::position::Position;
use hagane::tsume::{mate_of, read};

use peers::{Peer, arguments, engine_time, number, spread, turns};

/// Table in MiB.
const HASH: u32 = 1024;
/// How often the time of a search is looked at.
const LOOK: Duration = Duration::from_millis(100);

/// What an engine found: the plies of a mate, or that there is none; otherwise why it is open.
type Answer = Result<Option<usize>, String>;

fn main() {
    let arguments = arguments();
    let (file, limit, rounds, engines) = match arguments.as_slice() {
        [] => return println!("no problems are given"),
        [file, seconds, rounds, engines @ ..] if !engines.is_empty() => {
            let limit = Duration::from_secs(number("SECONDS", seconds));
            (file, limit, number("ROUNDS", rounds) as usize, engines)
        }
        _ => panic!("expected PROBLEMS SECONDS ROUNDS ENGINE..."),
    };
    let input = read(slice::from_ref(file)).unwrap_or_else(|error| panic!("{error}"));
    let problems = input.problems.iter().map(|problem| match &problem.position {
        Ok(position) => (&problem.id, position),
        Err(error) => panic!("{}: {error}", problem.id),
    });
    let problems: Vec<_> = problems.collect();
    let peers = Peer::all(engines, HASH);
    let (mut sums, mut open, mut ratios) = (vec![0.0; peers.len()], vec![0; peers.len()], Vec::new());
    for (id, position) in &problems {
        let mut times = vec![Vec::new(); peers.len()];
        let mut answers: Vec<Vec<Answer>> = vec![Vec::new(); peers.len()];
        for round in 0..rounds {
            for at in turns(round, peers.len()) {
                let (answer, time) = solve(&peers[at], position, limit);
                times[at].push(if answer.is_ok() { time } else { limit }.as_secs_f64());
                answers[at].push(answer);
            }
        }
        let medians: Vec<f64> = times.iter().map(|times| spread(times).1).collect();
        print!("{id}");
        for (at, peer) in peers.iter().enumerate() {
            sums[at] += medians[at];
            open[at] += usize::from(medians[at] >= limit.as_secs_f64());
            print!("   {}: {:.2} s, {}", peer.name, medians[at], text(&answers[at]));
        }
        let best = medians[1..].iter().copied().reduce(f64::min);
        // Where all are open there is nothing to compare.
        if let Some(best) = best.filter(|best| best.min(medians[0]) < limit.as_secs_f64()) {
            ratios.push(medians[0] / best);
        }
        let verdicts = answers.iter().flatten().flatten().map(Option::is_some);
        if verdicts.clone().min() != verdicts.max() {
            print!("   THEY DISAGREE");
        }
        println!();
    }
    for (at, peer) in peers.iter().enumerate() {
        println!("{}: {:.1} s for {} problems, {} open", peer.name, sums[at], problems.len(), open[at]);
    }
    if !ratios.is_empty() {
        let (least, median, most) = spread(&ratios);
        println!("time of the first engine to the best of the others: {median:.2} (median; {least:.2} to {most:.2})");
    }
}

/// The different answers of the rounds.
fn text(answers: &[Answer]) -> String {
    let mut words: Vec<String> = Vec::new();
    for answer in answers {
        let word = match answer {
            Ok(Some(plies)) => format!("{plies} plies"),
            Ok(None) => "no mate".to_owned(),
            Err(why) => format!("open ({why})"),
        };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words.join(" or ")
}

/// What an engine finds, and its time.
fn solve(peer: &Peer, position: &Position, limit: Duration) -> (Answer, Duration) {
    let checkmate = peer
        .start()
        .and_then(|mut client| checkmate(&mut client, &position.to_sfen(), limit).map_err(|error| error.to_string()));
    let (found, time) = match checkmate {
        Ok(Some(found)) => found,
        Ok(None) => return (Err("out of time".to_owned()), limit),
        Err(error) => return (Err(error), limit),
    };
    let answer = match found {
        MateAnswer::NoMate => Ok(None),
        MateAnswer::Unknown => Err("the engine gave it up".to_owned()),
        MateAnswer::NotImplemented => Err("the engine solves no mates".to_owned()),
        MateAnswer::Mate(moves) => mate_of(position, &moves).map(Some),
    };
    (answer, time)
}

/// An engine's answer and its time; `None` if it has taken `limit`.
fn checkmate(client: &mut Client, sfen: &str, limit: Duration) -> Result<Option<(MateAnswer, Duration)>, ClientError> {
    client.new_game()?;
    client.position(&format!("sfen {sfen}"))?;
    let start = Instant::now();
    let before = engine_time(client, start);
    client.go("mate infinite")?;
    loop {
        let next = client.next_line(LOOK)?;
        let time = engine_time(client, start).saturating_sub(before);
        if let Some(answer) = next.and_then(|(_, line)| MateAnswer::of_line(&line)) {
            return Ok(Some((answer, time)));
        }
        // An engine that waits takes no processor time.
        if time >= limit || start.elapsed() >= 10 * limit {
            return Ok(None);
        }
    }
}
