//! Networks: values of other programs reproduced, incremental = recomputed, every instruction set alike, files of any
//! content.

mod files;
mod games;
mod reference;
mod values;
