//! Tells the code whether there is a network to build in: `eval/hagane.nn`.

fn main() {
    println!("cargo::rustc-check-cfg=cfg(embedded_network)");
    // The folder, not the file: a file that is missing would have everything built anew each time.
    println!("cargo::rerun-if-changed=eval");
    if std::path::Path::new("eval/hagane.nn").exists() {
        println!("cargo::rustc-cfg=embedded_network");
    }
}
