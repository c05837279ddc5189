//! Settings in layers: what one leaves open, the one below fills in.

/// Takes what `over` says, and else what `under` says.
macro_rules! layer {
    ($over:expr, $under:expr; $($field:ident),+ $(,)?) => {
        $(if $over.$field.is_none() { $over.$field = $under.$field.clone(); })+
    };
}

pub(super) use layer;
