//! The direction of the arrows: a module uses what stands below it, never what stands above or beside it, and within a
//! module no file uses one that uses it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The crate's root, whose comment holds the table of layers.
const ROOT: &str = include_str!("../src/lib.rs");

/// The layer of every module by the table: rows like "| 3 | [`tt`] | the transposition table |".
fn layers() -> BTreeMap<String, usize> {
    let row = |line: &str| {
        let mut cells = line.strip_prefix("//! |")?.split('|').map(str::trim);
        let layer = cells.next()?.parse().ok()?;
        let name = cells.next()?.trim_matches(['[', ']', '`']);
        Some((name.to_owned(), layer))
    };
    ROOT.lines().filter_map(row).collect()
}

/// A module by the names that lead to it: `["position", "board"]`; the crate's root has none.
type Module = Vec<String>;

/// A source file without comments, texts and tests.
struct Source {
    code: String,
    uses: Vec<Use>,
}

/// One name that a `use` brings into a module.
struct Use {
    /// Where the `use` stands.
    module: Module,
    path: Vec<String>,
    name: String,
    public: bool,
}

/// All source files of the crate.
fn sources() -> BTreeMap<Module, Source> {
    fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("src can be read") {
            let path = entry.expect("src can be read").path();
            if path.is_dir() {
                walk(&path, files);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    walk(&root, &mut files);
    files
        .into_iter()
        .map(|file| {
            let path = file.strip_prefix(&root).expect("below src").with_extension("");
            let mut module: Module = path.iter().map(|name| name.to_string_lossy().into_owned()).collect();
            if module == ["lib"] {
                module.clear();
            }
            let source = source(&fs::read_to_string(&file).expect("a source file is text"), &module);
            (module, source)
        })
        .collect()
}

fn source(text: &str, module: &Module) -> Source {
    let mut code = without_tests(&bare(text));
    let mut uses = Vec::new();
    while let Some((start, end)) = next_use(&code) {
        let mut path = inline_modules(&code, start);
        path.splice(0..0, module.iter().cloned());
        let public = code[..start].trim_end().ends_with([')', 'b']);
        let tree = code[start + "use ".len()..end].split_whitespace().collect::<Vec<_>>().join(" ");
        expand(&tree, &[], &mut |names, name| {
            uses.push(Use { module: path.clone(), path: names, name, public });
        });
        // What is brought in is known now; the rest of the code shows what is used.
        code.replace_range(start..end, &" ".repeat(end - start));
    }
    Source { code: without_declarations(&code), uses }
}

/// Code without `mod name;`: that a module is there is no use of it.
fn without_declarations(code: &str) -> String {
    let mut out = code.to_owned();
    for (at, _) in code.match_indices("mod ") {
        let end = at + 4 + word(&code[at + 4..]).len();
        if code[end..].starts_with(';') {
            out.replace_range(at..end, &" ".repeat(end - at));
        }
    }
    out
}

/// Code with comments and texts blanked out.
fn bare(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(hashes) = raw_string(rest) {
            let end = format!("\"{}", "#".repeat(hashes));
            let start = hashes + 2;
            rest[start..].find(&end).map_or(rest.len(), |at| start + at + end.len())
        } else if first == '"' {
            closing(rest, '"')
        } else if first == '\'' && is_character(rest) {
            closing(rest, '\'')
        } else {
            0
        };
        if skipped > 0 {
            out.push(' ');
            rest = &rest[skipped..];
        } else {
            out.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    out
}

/// The number of hashes where a raw string begins.
fn raw_string(text: &str) -> Option<usize> {
    let hashes = text.strip_prefix('r')?;
    let count = hashes.len() - hashes.trim_start_matches('#').len();
    hashes[count..].starts_with('"').then_some(count)
}

/// Whether a quote begins a character and not a lifetime.
fn is_character(text: &str) -> bool {
    let mut letters = text.chars().skip(1);
    letters.next() == Some('\\') || letters.next() == Some('\'')
}

/// How long a quoted text is, quotes included.
fn closing(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if letter == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Code without what only tests are compiled with.
fn without_tests(code: &str) -> String {
    let mut out = String::new();
    let mut rest = code;
    while let Some(at) = rest.find("#[cfg(test)]") {
        out.push_str(&rest[..at]);
        let item = &rest[at..];
        let end = item.find([';', '{']).expect("an item after #[cfg(test)]");
        let end = if item[end..].starts_with('{') { end + block(&item[end..]) } else { end + 1 };
        rest = &item[end..];
    }
    out + rest
}

/// The length of a block in braces.
fn block(code: &str) -> usize {
    let mut depth = 0;
    for (at, letter) in code.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 1 => return at + 1,
            '}' => depth -= 1,
            _ => {}
        }
    }
    code.len()
}

/// Start and end (its semicolon) of the first `use`.
fn next_use(code: &str) -> Option<(usize, usize)> {
    let start = code.match_indices("use ").map(|(at, _)| at).find(|&at| {
        let before = code[..at].trim_end();
        code[..at].is_empty()
            || code[..at].ends_with([' ', '\n'])
                && (before.is_empty() || before.ends_with([';', '{', '}', ']', ')', 'b']))
    })?;
    Some((start, start + code[start..].find(';')?))
}

/// The modules written in the file itself (`mod linux { ... }`) around a place.
fn inline_modules(code: &str, place: usize) -> Module {
    let mut modules = Vec::new();
    for (at, _) in code[..place].match_indices("mod ") {
        let name = word(&code[at + 4..]);
        let after = at + 4 + name.len();
        if !name.is_empty() && code[after..].trim_start().starts_with('{') {
            let open = after + code[after..].find('{').unwrap_or(0);
            if open < place && place < open + block(&code[open..]) {
                modules.push(name);
            }
        }
    }
    modules
}

/// Calls `found` for every path of a tree of imports with the name that it gets.
fn expand(tree: &str, prefix: &[String], found: &mut impl FnMut(Vec<String>, String)) {
    let tree = tree.trim();
    if let Some(list) = tree.strip_prefix('{').and_then(|list| list.strip_suffix('}')) {
        let (mut depth, mut start) = (0, 0);
        for (at, letter) in list.char_indices().chain([(list.len(), ',')]) {
            match letter {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    expand(&list[start..at], prefix, found);
                    start = at + 1;
                }
                _ => {}
            }
        }
        return;
    }
    let mut path = prefix.to_vec();
    let first = word(tree);
    if let Some(rest) = tree[first.len()..].strip_prefix("::") {
        path.push(first);
        return expand(rest, &path, found);
    }
    let name = tree.split_once(" as ").map_or(first.clone(), |(_, name)| name.trim().to_owned());
    match first.as_str() {
        "" => {}
        "self" => {
            let name = if name == "self" { path.last().cloned().unwrap_or_default() } else { name };
            found(path, name);
        }
        _ => {
            path.push(first);
            found(path, name);
        }
    }
}

fn word(text: &str) -> String {
    text.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect()
}

/// Paths in code (`super::Name`, `crate::types::Move::NONE`, `child::Name`) with the module around each.
fn paths(source: &Source, module: &Module) -> Vec<(Module, Vec<String>)> {
    let mut paths = Vec::new();
    let mut at = 0;
    let code = &source.code;
    while let Some(step) = code[at..].find("::") {
        let middle = at + step;
        let start = code[..middle]
            .rfind(|c: char| !c.is_alphanumeric() && c != '_')
            .map_or(0, |before| before + code[before..].chars().next().map_or(1, char::len_utf8));
        let mut names = vec![code[start..middle].to_owned()];
        at = middle;
        while let Some(rest) = code[at..].strip_prefix("::") {
            let name = word(rest);
            if name.is_empty() {
                at += 2;
                break;
            }
            at += 2 + name.len();
            names.push(name);
        }
        if !names[0].is_empty() && !code[..start].ends_with("::") {
            let mut around = inline_modules(code, start);
            around.splice(0..0, module.iter().cloned());
            paths.push((around, names));
        }
    }
    paths
}

/// The crate's files and what they import.
struct House(BTreeMap<Module, Source>);

impl House {
    /// A path as seen from a module, from the crate's root on; `None` for what is not this crate's.
    fn absolute(&self, module: &Module, path: &[String]) -> Option<Vec<String>> {
        let mut base = module.clone();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" | "hagane" => (base, rest) = (Vec::new(), &path[1..]),
            "self" => rest = &path[1..],
            "super" => {
                while let Some(("super", after)) = rest.split_first().map(|(first, after)| (first.as_str(), after)) {
                    base.pop();
                    rest = after;
                }
            }
            first => {
                // A module of this one, or a name that was imported.
                let file = self.file(&base);
                let child: Module = file.iter().cloned().chain([first.to_owned()]).collect();
                if !self.0.contains_key(&child) {
                    let import =
                        self.0[&file].uses.iter().find(|import| import.name == *first && import.path != path)?;
                    let start = self.absolute(&import.module, &import.path)?;
                    return Some(start.into_iter().chain(path[1..].iter().cloned()).collect());
                }
                base = file;
            }
        }
        base.extend(rest.iter().cloned());
        Some(base)
    }

    /// The file that a module is written in.
    fn file(&self, module: &Module) -> Module {
        let mut file = module.clone();
        while !self.0.contains_key(&file) {
            file.pop();
        }
        file
    }

    /// The file in which something is defined, through all re-exports.
    fn definition(&self, absolute: &[String], patience: usize) -> Module {
        let file = self.file(&absolute.to_vec());
        let Some(name) = absolute.get(file.len()) else {
            return file;
        };
        let import = self.0[&file].uses.iter().find(|import| import.name == *name && import.module == file);
        match import.and_then(|import| self.absolute(&import.module, &import.path)) {
            Some(origin) if patience > 0 => self.definition(&origin, patience - 1),
            _ => file,
        }
    }

    /// The files that a file uses, the crate's other files of whatever module.
    fn used_by(&self, module: &Module) -> BTreeSet<Module> {
        let source = &self.0[module];
        let mut used = BTreeSet::new();
        for import in &source.uses {
            // A name that is only handed on is used by whoever asks for it.
            if import.public && !has_word(&source.code, &import.name) {
                continue;
            }
            used.extend(self.absolute(&import.module, &import.path).map(|path| self.definition(&path, 9)));
        }
        for (around, path) in paths(source, module) {
            used.extend(self.absolute(&around, &path).map(|path| self.definition(&path, 9)));
        }
        used.remove(module);
        used.remove(&Vec::new());
        used
    }
}

fn has_word(code: &str, name: &str) -> bool {
    let is_part = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    code.match_indices(name)
        .any(|(at, _)| !is_part(code[..at].chars().next_back()) && !is_part(code[at + name.len()..].chars().next()))
}

fn name(module: &Module) -> String {
    module.join("/") + ".rs"
}

#[test]
fn no_module_uses_what_stands_above_or_beside_it() {
    let (layers, house) = (layers(), House(sources()));
    let mut faults = Vec::new();
    let mut edges = 0;
    for module in house.0.keys().filter(|module| !module.is_empty()) {
        let own = layers.get(&module[0]);
        if own.is_none() {
            faults.push(format!("{}: {} stands in no layer; give it one in src/lib.rs", name(module), module[0]));
        }
        for used in house.used_by(module).into_iter().filter(|used| used[0] != module[0]) {
            edges += 1;
            if layers.get(&used[0]) >= own {
                faults.push(format!("{}: {} may not use {}", name(module), module[0], used[0]));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(edges > 300, "only {edges} edges: the test does not see the code");
}

/// All files that one uses, directly or not.
fn reach<'a>(from: &Module, edges: &'a BTreeMap<&Module, BTreeSet<Module>>) -> BTreeSet<&'a Module> {
    let mut seen = BTreeSet::new();
    let mut open: Vec<&Module> = edges[from].iter().collect();
    while let Some(module) = open.pop() {
        if seen.insert(module) {
            open.extend(&edges[module]);
        }
    }
    seen
}

#[test]
fn no_files_of_a_module_use_one_another_in_a_circle() {
    let house = House(sources());
    let edges: BTreeMap<&Module, BTreeSet<Module>> = house
        .0
        .keys()
        .map(|module| {
            let mut used = house.used_by(module);
            used.retain(|used| used.first() == module.first());
            (module, used)
        })
        .collect();
    let reached: BTreeMap<&Module, BTreeSet<&Module>> =
        edges.keys().map(|&module| (module, reach(module, &edges))).collect();
    let mut circles: BTreeSet<Vec<String>> = BTreeSet::new();
    for (&module, far) in &reached {
        if far.contains(module) {
            circles.insert(far.iter().filter(|other| reached[**other].contains(module)).map(|m| name(m)).collect());
        }
    }
    let told: Vec<String> = circles.iter().map(|circle| circle.join(", ")).collect();
    assert!(circles.is_empty(), "{} circles:\n{}", told.len(), told.join("\n"));
    let count: usize = edges.values().map(BTreeSet::len).sum();
    assert!(count > 300, "only {count} edges: the test does not see the code");
}

#[test]
fn names_are_found_where_code_has_them() {
    let files = [
        ("a", "pub mod b;\nmod c;\npub use c::Thing;\nuse crate::types::{Color, Move as M};\n"),
        ("a/b", "use super::{Thing, c::{self, Other}};\n// use super::d;\nlet x = \"crate::d\"; let y = '{';"),
        ("a/c", "fn f() { crate::a::b::g(); super::d::h() }\n#[cfg(test)]\nmod tests { use super::super::b; }"),
        ("a/d", "mod inside { use super::super::Thing; }"),
        ("types", ""),
        ("", "pub mod a;"),
    ];
    let module = |path: &str| path.split('/').filter(|name| !name.is_empty()).map(str::to_owned).collect::<Module>();
    let files = files.iter().map(|(path, text)| (module(path), source(text, &module(path))));
    let house = House(files.collect());
    let used = |path: &str| house.used_by(&module(path)).iter().map(name).collect::<Vec<_>>();
    assert_eq!(used("a"), ["types.rs"], "what is only handed on is not used");
    assert_eq!(used("a/b"), ["a/c.rs"]);
    assert_eq!(used("a/c"), ["a/b.rs", "a/d.rs"], "tests are left out");
    assert_eq!(used("a/d"), ["a/c.rs"]);
    assert_eq!(layers().get("main").copied(), layers().values().max().copied());
}
