//! What the engine reports, as lines for the client.

use std::io::Write;

use super::reply::Reply;
use super::session::{Activity, LastLine, Session};
use crate::engine::{BestMove, BookReport, Report};
use crate::search::Progress;

impl<W: Write> Session<W> {
    pub(super) fn report(&mut self, report: Report) {
        match report {
            Report::Progress(progress) => self.progress(progress),
            Report::BestMove(choice) => self.best_move(&choice),
            Report::Book(report) => self.book(report),
            Report::Ready(result) => {
                if let Err(error) = result {
                    self.output.note(error);
                }
                if let Activity::Preparing { replies } = self.activity {
                    (0..replies).for_each(|_| self.output.send(&Reply::ReadyOk));
                    self.end_activity();
                }
            }
        }
    }

    fn progress(&mut self, progress: Progress) {
        let Activity::Searching { last, .. } = &mut self.activity else {
            return;
        };
        last.was_sent_last = false;
        let reply = match progress {
            Progress::Line(line) => {
                if line.multipv == 1 {
                    last.best = Some(line.clone());
                    last.was_sent_last = true;
                }
                Reply::Info { line, numbered: self.engine.options().multi_pv > 1 }
            }
            other => Reply::Progress(other),
        };
        self.output.send(&reply);
    }

    /// Says what happens with the opening book; why it is not used in debug mode only.
    fn book(&mut self, report: BookReport) {
        if self.debug || !matches!(report, BookReport::NotUsed(_)) {
            let dialect = self.output.dialect();
            self.output.note(report.sentence(|mv| dialect.spell(mv)));
        }
        let BookReport::Candidates { lines, .. } = report else {
            return;
        };
        let numbered = lines.len() > 1 || self.engine.options().multi_pv > 1;
        if let (Activity::Searching { last, .. }, Some(best)) = (&mut self.activity, lines.first()) {
            *last = LastLine { best: Some(best.clone()), was_sent_last: true };
        }
        // The best last: some clients read only the last line.
        for line in lines.into_iter().rev() {
            self.output.send(&Reply::Info { line, numbered });
        }
    }

    /// Sends `bestmove`, and before it the line of the best move: some clients read only the last line.
    pub(super) fn best_move(&mut self, choice: &BestMove) {
        if let Activity::Searching { last, .. } = &mut self.activity
            && !last.was_sent_last
            && let Some(line) = last.best.take()
        {
            let numbered = self.engine.options().multi_pv > 1;
            self.output.send(&Reply::Info { line, numbered });
        }
        self.output.send(&Reply::BestMove(*choice));
        self.end_activity();
    }
}
