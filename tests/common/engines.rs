//! The engines of the tests (`tests/engines/`), built as examples.

use std::path::Path;
use std::process::Command;
use std::sync::Once;

/// The path of an example program (`tests/engines/`), built if needed.
pub fn example(name: &str) -> String {
    static BUILD: Once = Once::new();
    let folder = Path::new(env!("CARGO_BIN_EXE_hagane")).with_file_name("examples");
    let path = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    // `cargo test` builds the examples, `cargo test --test arena` does not: then they are missing or out of date.
    BUILD.call_once(|| {
        let changed = |path: &Path| std::fs::metadata(path).and_then(|file| file.modified()).ok();
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engines");
        let newest =
            std::fs::read_dir(sources).into_iter().flatten().flatten().filter_map(|file| changed(&file.path())).max();
        if changed(&path) < newest {
            // The folder is named after the profile, except for dev.
            let profile = folder.parent().and_then(Path::file_name).and_then(|name| name.to_str()).unwrap_or_default();
            let profile = if profile == "debug" { "dev" } else { profile };
            let mut cargo = Command::new(env!("CARGO"));
            cargo.args(["build", "--examples", "--profile", profile]).current_dir(env!("CARGO_MANIFEST_DIR"));
            assert!(cargo.status().expect("cargo runs").success());
        }
    });
    path.to_string_lossy().into_owned()
}
