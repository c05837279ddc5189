//! Large blocks of memory, on huge pages where the system has them.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;

use bytemuck::Zeroable;

/// Huge pages save most TLB misses of a table far larger than any cache (2 MiB on x86-64 and AArch64).
const HUGE_PAGE: usize = 2 << 20;
/// The alignment requested from the allocator: small, so that it maps fresh zero pages instead of writing zeros.
const SMALL_ALIGN: usize = 16;

/// Asks the processor to fetch a cache line that will be needed soon.
#[inline(always)]
pub(crate) fn prefetch<T>(address: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch is a hint: it has no effect on memory and faults at no address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

/// A fixed array of items on the heap.
pub(crate) struct Memory<T> {
    /// What the allocator gave, and with what layout.
    block: (NonNull<u8>, Layout),
    /// The first aligned item in it.
    first: NonNull<T>,
    count: usize,
}

// SAFETY: it owns its items like a Box<[T]>.
unsafe impl<T: Send> Send for Memory<T> {}
// SAFETY: as above; shared references give only shared items.
unsafe impl<T: Sync> Sync for Memory<T> {}

impl<T: Zeroable> Memory<T> {
    /// `count` zeroed items (at least one), or `None` where the system refuses. The first `small` bytes stay on small
    /// pages: for a table that is filled from its front and often hardly at all.
    pub(crate) fn zeroed(count: usize, small: usize) -> Option<Self> {
        const { assert!(HUGE_PAGE.is_multiple_of(align_of::<T>()) && !std::mem::needs_drop::<T>()) };
        let bytes = count.max(1).checked_mul(size_of::<T>())?;
        let layout = Layout::from_size_align(bytes.checked_add(HUGE_PAGE)?, SMALL_ALIGN).ok()?;
        // SAFETY: the size is not zero.
        let block = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        let shift = block.align_offset(HUGE_PAGE);
        // SAFETY: `shift` is below HUGE_PAGE, which was added to the size.
        let first = unsafe { block.add(shift) };
        if small < bytes {
            // SAFETY: within the block, as just asked.
            advise_huge(unsafe { first.add(small) }.as_ptr(), bytes - small);
        }
        Some(Self { block: (block, layout), first: first.cast(), count: count.max(1) })
    }

    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[T] {
        // SAFETY: `first` is aligned for T (see `zeroed`), `count` of them lie in the block, which lives as long as
        // self, and zero bytes are a valid T.
        unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.count) }
    }

    #[inline(always)]
    pub(crate) fn as_mut_slice(&mut self) -> &mut [T] {
        // SAFETY: as in `as_slice`; the borrow is unique.
        unsafe { std::slice::from_raw_parts_mut(self.first.as_ptr(), self.count) }
    }
}

impl<T> Drop for Memory<T> {
    fn drop(&mut self) {
        let (block, layout) = self.block;
        // SAFETY: allocated in `zeroed` with this layout, and given back only here.
        unsafe { dealloc(block.as_ptr(), layout) }
    }
}

/// Requests huge pages for the spare capacity of a vector. A network's weights are read in scattered pieces of a few
/// hundred bytes; blocks smaller than some huge pages gain nothing.
pub(crate) fn prefer_huge<T>(vector: &mut Vec<T>) {
    let room = vector.spare_capacity_mut();
    let bytes = size_of_val(room);
    let first = room.as_mut_ptr().cast::<u8>();
    let shift = first.align_offset(HUGE_PAGE);
    if bytes >= shift.saturating_add(2 * HUGE_PAGE) {
        // Whole pages only: the rest may hold other allocations.
        let whole = (bytes - shift) / HUGE_PAGE * HUGE_PAGE;
        advise_huge(first.wrapping_add(shift), whole);
    }
}

/// Asks Linux for huge pages in a range of one allocation; a refusal costs only speed.
fn advise_huge(first: *mut u8, bytes: usize) {
    #[cfg(all(target_os = "linux", not(miri)))]
    // SAFETY: the advice does not change what the range holds.
    unsafe {
        libc::madvise(first.cast(), bytes, libc::MADV_HUGEPAGE);
    }
    #[cfg(not(all(target_os = "linux", not(miri))))]
    let _ = (first, bytes);
}
