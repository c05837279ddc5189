//! What was found, one sentence each.

use serde::Serialize;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// As it should be.
    Fine,
    /// Works, but could be better, or will disturb some client.
    Warning,
    /// Does not work.
    Fault,
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What was looked at, in a word or two.
    pub topic: &'static str,
    /// How it is.
    pub grade: Grade,
    /// What was found.
    pub text: String,
}

/// All that was found, in order.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(transparent)]
pub struct Findings(Vec<Finding>);

impl Findings {
    /// Notes that all is well.
    pub fn fine(&mut self, topic: &'static str, text: impl Into<String>) {
        self.add(topic, Grade::Fine, text.into());
    }

    /// Notes what could be better.
    pub fn warn(&mut self, topic: &'static str, text: impl Into<String>) {
        self.add(topic, Grade::Warning, text.into());
    }

    /// Notes what does not work.
    pub fn fault(&mut self, topic: &'static str, text: impl Into<String>) {
        self.add(topic, Grade::Fault, text.into());
    }

    /// Notes something of a grade.
    pub fn add(&mut self, topic: &'static str, grade: Grade, text: String) {
        self.0.push(Finding { topic, grade, text });
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Finding> {
        self.0.iter()
    }

    /// Puts others behind.
    pub fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// The worst grade.
    pub fn worst(&self) -> Grade {
        self.0.iter().map(|finding| finding.grade).max().unwrap_or(Grade::Fine)
    }
}
