//! Layered settings: unset values come from the layer below.

/// Fills the unset fields of `over` from `under`.
macro_rules! layer {
    ($over:expr, $under:expr; $($field:ident),+ $(,)?) => {
        $(if $over.$field.is_none() { $over.$field = $under.$field.clone(); })+
    };
}

pub(super) use layer;
