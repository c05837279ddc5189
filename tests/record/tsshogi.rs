//! tsshogi
