//! Verifies the rules on the machine at hand: published perft figures, and the rules that engines get wrong.
//!
//! `hagane selftest` shows a user whether a build is sound; the tests run the same checks.

mod figures;
mod rules;

/// One check.
pub struct Check {
    /// What it verifies, in a few words.
    pub name: String,
    proof: Proof,
}

enum Proof {
    Figure(&'static figures::Figure),
    Rule(&'static rules::Rule),
}

impl Check {
    /// Runs it.
    ///
    /// # Errors
    /// One sentence on what was expected and what was found.
    pub fn run(&self) -> Result<(), String> {
        match self.proof {
            Proof::Figure(figure) => figure.prove(),
            Proof::Rule(rule) => rule.prove(),
        }
    }
}

/// The checks, the quick ones first (some seconds on two cores); with `long` also those that take minutes, the last one
/// up to an hour.
pub fn checks(long: bool) -> Vec<Check> {
    below(if long { u64::MAX } else { figures::LONG })
}

/// Those that take a second together.
pub(super) fn quick_checks() -> Vec<Check> {
    below(1_000_000)
}

/// The rules, and the figures below so many nodes.
fn below(nodes: u64) -> Vec<Check> {
    let rules = rules::RULES.iter().map(|rule| Check { name: rule.name.to_owned(), proof: Proof::Rule(rule) });
    let figures = figures::FIGURES
        .iter()
        .filter(|figure| figure.nodes < nodes)
        .map(|figure| Check { name: figure.to_string(), proof: Proof::Figure(figure) });
    rules.chain(figures).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_quick_check_passes() {
        let checks = super::checks(false);
        assert!(checks.len() > 40 && checks.len() < super::checks(true).len());
        let failed: Vec<String> =
            checks.iter().filter_map(|check| check.run().err().map(|why| format!("{}: {why}", check.name))).collect();
        assert!(failed.is_empty(), "{}", failed.join("\n"));
    }
}
