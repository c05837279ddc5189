//! The end of the process: `quit` and the end of input, in every state.

use std::time::Duration;

use crate::common::client::Client;

const SOON: Duration = Duration::from_secs(2);

/// What the program may be doing when the end comes.
const STATES: [&str; 9] = [
    "",
    "usi",
    "isready",
    "position startpos\ngo infinite",
    "position startpos\ngo ponder",
    "go btime 600000 wtime 600000",
    "go mate infinite",
    "perft 9",
    "isready\nusinewgame\nposition startpos\ngo infinite\ngameover lose",
];

/// A process just started; before a count, one that has answered, since a count is finished if the end of the input is
/// read within 50 ms of it, as a process that starts slowly does.
fn started(state: &str) -> Client {
    let mut client = Client::start();
    if state.starts_with("perft") {
        client.say("side");
        client.hear("black");
    }
    client
}

#[test]
fn quit_ends_the_process_from_every_state() {
    for state in STATES {
        let mut client = started(state);
        client.say(state);
        std::thread::sleep(Duration::from_millis(100));
        let (status, time, _) = client.end(|client| client.say("quit"));
        assert!(status.success() && time < SOON, "{state}: {status} after {time:?}");
    }
}

#[test]
fn the_end_of_input_ends_the_process_from_every_state() {
    for state in STATES {
        let mut client = started(state);
        client.say(state);
        std::thread::sleep(Duration::from_millis(100));
        let (status, time, _) = client.end(Client::hang_up);
        assert!(status.success() && time < SOON, "{state}: {status} after {time:?}");
    }
}

#[test]
fn what_is_owed_is_still_answered() {
    let mut client = Client::start();
    client.say("usi\nisready\nposition startpos\ngo infinite");
    let (_, _, heard) = client.end(Client::hang_up);
    for start in ["usiok", "readyok", "bestmove "] {
        assert_eq!(heard.iter().filter(|line| line.starts_with(start)).count(), 1, "{start} in {heard:?}");
    }
}

#[test]
fn a_client_that_stops_reading_leaves_no_orphan() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_hagane"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let mut input = child.stdin.take().expect("a pipe");
    use std::io::Write;
    input.write_all(b"usi\nisready\n").expect("it reads");
    for _ in 0..200 {
        if child.try_wait().expect("it can be asked").is_some() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().expect("it can be killed");
    panic!("nobody listens, and the process lives on");
}
