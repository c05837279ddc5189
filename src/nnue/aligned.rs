//! Arrays that start at a cache line, so that no vector load straddles two.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use crate::platform::memory::prefer_huge;

/// A cache line.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; 64]);

/// The element types: plain numbers for which every bit pattern is a value.
pub(super) trait Plain: Copy + 'static {}
impl Plain for i8 {}
impl Plain for u8 {}
impl Plain for i16 {}
impl Plain for i32 {}

/// A fixed-length array aligned to 64 bytes.
#[derive(Clone)]
pub(super) struct Aligned<T> {
    lines: Vec<Line>,
    len: usize,
    element: PhantomData<T>,
}

impl<T: Plain> Aligned<T> {
    /// An array of zeros.
    pub fn zeroed(len: usize) -> Self {
        let count = (len * size_of::<T>()).div_ceil(64);
        let mut lines = Vec::with_capacity(count);
        prefer_huge(&mut lines);
        lines.resize(count, Line([0; 64]));
        Self { lines, len, element: PhantomData }
    }

    /// Makes the array longer, with zeros, or shorter.
    pub fn resize(&mut self, len: usize) {
        self.lines.resize((len * size_of::<T>()).div_ceil(64), Line([0; 64]));
        self.len = len;
    }
}

impl<T: Plain> Deref for Aligned<T> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: the lines hold at least `len` elements, all bytes are initialised, every bit pattern is a `T`,
        // and a line's alignment is above that of `T`.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.len) }
    }
}

impl<T: Plain> DerefMut for Aligned<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`; the borrow is unique.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.len) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_one_is_zeros_from_line_to_line() {
        // Several huge pages, and no whole number of them.
        let array = Aligned::<i16>::zeroed((7 << 20) / 2 + 33);
        assert_eq!(array.as_ptr() as usize % 64, 0);
        assert_eq!(array.len(), (7 << 20) / 2 + 33);
        assert!(array.iter().all(|&number| number == 0));
    }

    #[test]
    fn starts_at_a_line_and_keeps_its_content() {
        let mut array = Aligned::<i16>::zeroed(100);
        assert_eq!(array.as_ptr() as usize % 64, 0);
        array[99] = -3;
        array.resize(5000);
        assert_eq!((array.len(), array[99], array[4999]), (5000, -3, 0));
        assert_eq!(array.as_ptr() as usize % 64, 0);
    }
}
