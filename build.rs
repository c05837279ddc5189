//! Tells the code whether there is a network to build in: `eval/hagane.nn`.

fn main() {
    println!("cargo::rustc-check-cfg=cfg(embedded_network)");
    println!("cargo::rerun-if-changed=eval/hagane.nn");
    if std::path::Path::new("eval/hagane.nn").exists() {
        println!("cargo::rustc-cfg=embedded_network");
    }
}
