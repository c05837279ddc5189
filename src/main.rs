//! The `hagane` executable.

fn main() {}
