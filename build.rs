//! Tells the code whether there are a network and a book to build in: `eval/hagane.nn`, `book/hagane.ybb`.

fn main() {
    println!("cargo::rustc-check-cfg=cfg(embedded_network)");
    // The folder, not the file: a file that is missing would have everything built anew each time.
    println!("cargo::rerun-if-changed=eval");
    if std::path::Path::new("eval/hagane.nn").exists() {
        println!("cargo::rustc-cfg=embedded_network");
    }
    println!("cargo::rustc-check-cfg=cfg(embedded_book)");
    println!("cargo::rerun-if-changed=book");
    if std::path::Path::new("book/hagane.ybb").exists() {
        println!("cargo::rustc-cfg=embedded_book");
    }
}
