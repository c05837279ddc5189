//! What the HTML pages share: the template, escaped text, and text in two languages.

use super::language::Language;

/// A template with its fields filled in; `fields` are the placeholders (`{{name}}`) and their values.
pub(super) fn fill(template: &str, fields: &[(&str, String)]) -> String {
    // A single pass over the template, so that inserted text is never expanded.
    let mut page = String::with_capacity(template.len() + 200_000);
    let mut rest = template;
    while let Some(start) = rest.find("{{") {
        page.push_str(&rest[..start]);
        rest = &rest[start..];
        match fields.iter().find(|(key, _)| rest.starts_with(key)) {
            Some((key, value)) => {
                page.push_str(value);
                rest = &rest[key.len()..];
            }
            None => {
                page.push_str("{{");
                rest = &rest[2..];
            }
        }
    }
    page.push_str(rest);
    page
}

/// A text as HTML.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A text in both languages, of which the page shows one.
pub(super) fn both(japanese: &str, english: &str) -> String {
    format!("<span lang=\"ja\">{japanese}</span><span lang=\"en\">{english}</span>")
}

/// A text that depends on the language, escaped, in both.
pub(super) fn in_both(text: impl Fn(Language) -> String) -> String {
    both(&escape(&text(Language::Japanese)), &escape(&text(Language::English)))
}

/// A percentage with one decimal.
pub(super) fn percent(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.1}"))
}

/// This program for the footer, unless the engine is this program and named there already.
pub(super) fn program(engine: &str) -> String {
    let name = concat!("Hagane ", env!("CARGO_PKG_VERSION"));
    if engine.starts_with("Hagane ") { String::new() } else { format!(" · {name}") }
}
