//! A page of the solver's table: entries in chains, read without a lock and written with one.
//!
//! ```text
//!   version   8 ...... 8 | 9 ......... | 10          A reader looks at the version before and after: an odd or a
//!   writer               | takes, writes, gives      changed one means that it may have read a mixture of old and
//!   reader     [ good ]    [ again ]     [ good ]    new, and it reads again.
//! ```
//!
//! (Sequence lock; Boehm, Can seqlocks get along with programming language memory models?, MSPC 2012.) Nearly all that
//! threads do with pages is reading; if each reading wrote a lock, each would wait for the other processor's cache.

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence};

use crate::mate::key::NodeKey;
use crate::mate::pn_dn::PnDn;
use crate::types::Hand;

/// Entries of a page; their numbers fit a byte, 0 means none. With them a page takes 16 KiB.
pub(super) const ENTRIES: usize = 238;
/// Chains of a page.
const CHAINS: usize = 512;

/// Declares an entry and the place for it in a page: the same fields, there as atomic integers.
macro_rules! entry {
    ($($(#[doc = $doc:literal])* $field:ident: $int:ty as $atomic:ty,)*) => {
        /// What is known of one board with one hand of the attacker.
        #[derive(Clone, Copy)]
        pub(super) struct TableEntry {
            $($(#[doc = $doc])* pub(super) $field: $int,)*
        }

        /// The place of an entry in a page.
        #[repr(C, align(64))]
        pub(super) struct Slot {
            $($field: $atomic,)*
        }

        impl Slot {
            $(#[inline(always)]
            pub(super) fn $field(&self) -> $int {
                self.$field.load(Ordering::Relaxed)
            })*

            #[inline(always)]
            fn load(&self) -> TableEntry {
                TableEntry { $($field: self.$field(),)* }
            }

            #[inline(always)]
            fn store(&self, entry: &TableEntry) {
                $(self.$field.store(entry.$field, Ordering::Relaxed);)*
            }
        }
    };
}

entry! {
    board: u64 as AtomicU64,
    /// Board of the node from which this one was last searched.
    parent_board: u64 as AtomicU64,
    /// Children whose delta counts by maximum instead of by sum.
    max_mask: u64 as AtomicU64,
    hand: u32 as AtomicU32,
    parent_hand: u32 as AtomicU32,
    pn: PnDn as AtomicU64,
    dn: PnDn as AtomicU64,
    /// Nodes searched under this entry: what it would cost to lose it.
    amount: u32 as AtomicU32,
    /// Mate within this many plies with at least `hand`; `u16::MAX` if none is known.
    proven: u16 as AtomicU16,
    /// One more than the plies within which there is no mate with at most `hand`; 0 if nothing is known.
    disproven: u16 as AtomicU16,
    /// The smallest distance from the root at which the position was reached.
    depth: u16 as AtomicU16,
    /// The move that proves or disproves, 0 if none.
    best: u16 as AtomicU16,
    /// Next entry of the chain.
    next: u8 as AtomicU8,
    flags: u8 as AtomicU8,
}

/// The position was disproven by a repetition on some path: probe the repetition table.
pub(super) const MAY_REPEAT: u8 = 1;
/// `pn` and `dn` come from a search; otherwise only a proof or disproof was stored.
pub(super) const SEARCHED: u8 = 2;
/// The shallow search of a new leaf has been made: it has no mate in one.
pub(super) const LEAF_SEARCHED: u8 = 4;

/// The entries whose boards have some bits of their keys in common: the number of the first one, and a filter with one
/// bit for each of its boards, perhaps also for removed ones. Most boards that are absent are recognised by it alone,
/// without a cache miss (Bloom, Space/time trade-offs in hash coding, 1970).
#[derive(Clone, Copy)]
struct Chain {
    head: u8,
    filter: u8,
}

impl Chain {
    #[inline(always)]
    const fn bit(board: u64) -> u8 {
        1 << (board >> 52 & 7)
    }
}

/// A page; all zero when empty. Where several threads use it, whoever writes holds its lock, and whoever reads does so
/// by [`Page::read`].
// Whole pairs of cache lines, which processors fetch together.
#[repr(C, align(128))]
pub(super) struct Page {
    /// Odd while a thread writes.
    version: AtomicU32,
    /// Entries in use are 1..=used, without gaps.
    used: AtomicU32,
    /// How many leading bits of the slot number the boards of this page have in common, and which.
    depth: AtomicU32,
    prefix: AtomicUsize,
    /// `Chain::head` and `Chain::filter` of each.
    chains: [AtomicU16; CHAINS],
    entries: [Slot; ENTRIES],
}

const _: () = assert!(size_of::<Page>() == 16 << 10 && size_of::<Slot>() == 64);

// SAFETY: all fields are atomic integers or arrays of them, and zero is a value of each.
unsafe impl bytemuck::Zeroable for Page {}

/// A locked page, unlocked when dropped.
struct PageLock<'a>(&'a Page);

impl Drop for PageLock<'_> {
    fn drop(&mut self) {
        let version = self.0.version.load(Ordering::Relaxed);
        self.0.version.store(version.wrapping_add(1), Ordering::Release);
    }
}

impl Page {
    fn lock(&self) -> PageLock<'_> {
        loop {
            let version = self.version.load(Ordering::Relaxed);
            let (free, taken) = (version & !1, version & !1 | 1);
            if self.version.compare_exchange_weak(free, taken, Ordering::Acquire, Ordering::Relaxed).is_ok() {
                // No write may be seen before the odd version.
                fence(Ordering::Release);
                return PageLock(self);
            }
            std::hint::spin_loop();
        }
    }

    /// Calls `work`, which may write, with the page locked.
    #[inline]
    pub(super) fn write<R>(&self, work: impl FnOnce(&Self) -> R) -> R {
        let _lock = self.lock();
        work(self)
    }

    /// What `work` reads while nobody writes. It may be called several times, and on a page that is being written.
    #[inline]
    pub(super) fn read<R>(&self, mut work: impl FnMut(&Self) -> R) -> R {
        loop {
            let before = self.version.load(Ordering::Acquire);
            if before & 1 == 0 {
                let result = work(self);
                fence(Ordering::Acquire);
                if self.version.load(Ordering::Relaxed) == before {
                    return result;
                }
            }
            std::hint::spin_loop();
        }
    }

    #[inline(always)]
    pub(super) fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed) as usize
    }

    fn set_used(&self, used: usize) {
        self.used.store(used as u32, Ordering::Relaxed);
    }

    /// How many leading bits of the slot number the boards of this page have in common, and which.
    #[inline(always)]
    pub(super) fn place_in_directory(&self) -> (u32, usize) {
        (self.depth.load(Ordering::Relaxed), self.prefix.load(Ordering::Relaxed))
    }

    pub(super) fn set_place_in_directory(&self, depth: u32, prefix: usize) {
        self.depth.store(depth, Ordering::Relaxed);
        self.prefix.store(prefix, Ordering::Relaxed);
    }

    #[inline(always)]
    fn chain_number(board: u64) -> usize {
        (board >> 55) as usize
    }

    #[inline(always)]
    fn chain(&self, board: u64) -> Chain {
        let [head, filter] = self.chains[Self::chain_number(board)].load(Ordering::Relaxed).to_le_bytes();
        Chain { head, filter }
    }

    #[inline(always)]
    fn set_chain(&self, board: u64, chain: Chain) {
        let bits = u16::from_le_bytes([chain.head, chain.filter]);
        self.chains[Self::chain_number(board)].store(bits, Ordering::Relaxed);
    }

    /// Puts an entry of a board first in its chain; returns the entry that was first.
    fn put_first(&self, board: u64, index: usize) -> u8 {
        let Chain { head, filter } = self.chain(board);
        self.set_chain(board, Chain { head: index as u8, filter: filter | Chain::bit(board) });
        head
    }

    /// What a probe of a board touches first: the head of the page and the board's chain.
    #[inline(always)]
    pub(super) fn heads(&self, board: u64) -> (*const AtomicU32, *const AtomicU16) {
        (&self.version, &self.chains[Self::chain_number(board)])
    }

    /// What it touches next: the chain's first entry, or the place where a new one would be written.
    #[inline(always)]
    pub(super) fn first_slot(&self, board: u64) -> Option<&Slot> {
        let place = match self.first(board) {
            0 => self.used(),
            first => first - 1,
        };
        self.entries.get(place)
    }

    /// The first entry of a board's chain (counted from 1), 0 if the board has none.
    #[inline(always)]
    fn first(&self, board: u64) -> usize {
        let chain = self.chain(board);
        if chain.filter & Chain::bit(board) != 0 { chain.head.into() } else { 0 }
    }

    /// Visits the entries of a board until `visit` returns false.
    #[inline(always)]
    pub(super) fn each_of<'a>(&'a self, board: u64, mut visit: impl FnMut(&'a Slot) -> bool) {
        let mut index = self.first(board);
        // A page that is being written may have chains without an end.
        for _ in 0..ENTRIES {
            let Some(slot) = index.checked_sub(1).and_then(|place| self.entries.get(place)) else {
                return;
            };
            if slot.board() == board && !visit(slot) {
                return;
            }
            index = slot.next().into();
        }
    }

    /// The entry with exactly this board and hand.
    #[inline]
    pub(super) fn find(&self, key: NodeKey) -> Option<&Slot> {
        let mut found = None;
        self.each_of(key.board, |slot| {
            if slot.hand() == key.hand.bits() {
                found = Some(slot);
            }
            found.is_none()
        });
        found
    }

    /// Lets `change` change the entry with exactly this board and hand, a new one if there is none.
    pub(super) fn update(&self, key: NodeKey, change: impl FnOnce(&mut TableEntry)) {
        let found = self.find(key).map(|slot| (slot, slot.load()));
        let (slot, mut entry) = found.unwrap_or_else(|| {
            // The caller has made room.
            let place = self.used();
            debug_assert!(place < ENTRIES);
            self.set_used(place + 1);
            let new = TableEntry {
                board: key.board,
                parent_board: 0,
                max_mask: 0,
                hand: key.hand.bits(),
                parent_hand: 0,
                pn: 0,
                dn: 0,
                amount: 1,
                proven: u16::MAX,
                disproven: 0,
                depth: u16::MAX,
                best: 0,
                next: self.put_first(key.board, place + 1),
                flags: 0,
            };
            (&self.entries[place], new)
        });
        change(&mut entry);
        slot.store(&entry);
    }

    /// A node was reached at `depth` plies from the root.
    pub(super) fn lower_depth(&self, key: NodeKey, depth: u16) {
        if let Some(slot) = self.find(key) {
            slot.depth.store(slot.depth().min(depth), Ordering::Relaxed);
        }
    }

    /// Removes the entries of a board that a new result makes useless, except the one with exactly `kept`.
    pub(super) fn prune(&self, board: u64, kept: Hand, useless: impl Fn(&TableEntry, Hand) -> bool) {
        let mut index = self.first(board);
        while index != 0 {
            let slot = &self.entries[index - 1];
            let mut next = usize::from(slot.next());
            if slot.board() == board {
                let entry = slot.load();
                if entry.hand != kept.bits() && useless(&entry, Hand::from_bits(entry.hand)) {
                    if next == self.used() {
                        // The last entry is about to move here.
                        next = index;
                    }
                    self.remove(index);
                }
            }
            index = next;
        }
    }

    /// Removes an entry (counted from 1) and moves the last one to its place.
    fn remove(&self, index: usize) {
        let last = self.used();
        let after = self.entries[index - 1].next();
        self.redirect(index, after.into());
        if index != last {
            self.redirect(last, index);
            self.entries[index - 1].store(&self.entries[last - 1].load());
        }
        self.set_used(last - 1);
    }

    /// Redirects the link to an entry (counted from 1) to another one.
    fn redirect(&self, index: usize, target: usize) {
        let board = self.entries[index - 1].board();
        let chain = self.chain(board);
        let mut at = usize::from(chain.head);
        if at == index {
            self.set_chain(board, Chain { head: target as u8, ..chain });
            return;
        }
        while at != 0 {
            let next = usize::from(self.entries[at - 1].next());
            if next == index {
                self.entries[at - 1].next.store(target as u8, Ordering::Relaxed);
                return;
            }
            at = next;
        }
    }

    /// Moves the entries for which `moves` says so to an empty page.
    pub(super) fn move_entries(&self, other: &Self, moves: impl Fn(u64) -> bool) {
        self.retain(|place| {
            let entry = self.entries[place].load();
            let moved = moves(entry.board);
            if moved {
                other.entries[other.used()].store(&entry);
                other.set_used(other.used() + 1);
            }
            !moved
        });
        other.rebuild_chains();
    }

    /// Drops the half of the page with the smallest subtrees. Proofs and disproofs, which stay true on every path,
    /// count double.
    pub(super) fn collect_garbage(&self) {
        let mut weights: [u64; ENTRIES] = std::array::from_fn(|place| {
            let entry = self.entries[place].load();
            let decided = entry.proven != u16::MAX || entry.disproven != 0;
            u64::from(entry.amount) * if decided { 2 } else { 1 }
        });
        let unsorted = weights;
        let (_, &mut median, _) = weights.select_nth_unstable(ENTRIES / 2);
        // Of the entries with the median's weight, drop as many as it takes to free half the page.
        let mut equal = ENTRIES / 2 - unsorted.iter().filter(|&&weight| weight < median).count();
        self.retain(|place| match unsorted[place].cmp(&median) {
            std::cmp::Ordering::Greater => true,
            std::cmp::Ordering::Less => false,
            std::cmp::Ordering::Equal if equal > 0 => {
                equal -= 1;
                false
            }
            std::cmp::Ordering::Equal => true,
        });
    }

    /// Keeps the entries at the places for which `keep` says so.
    fn retain(&self, mut keep: impl FnMut(usize) -> bool) {
        let mut kept = 0;
        for place in 0..self.used() {
            if keep(place) {
                self.entries[kept].store(&self.entries[place].load());
                kept += 1;
            }
        }
        self.set_used(kept);
        self.rebuild_chains();
    }

    fn rebuild_chains(&self) {
        for chain in &self.chains {
            chain.store(0, Ordering::Relaxed);
        }
        for place in 0..self.used() {
            let slot = &self.entries[place];
            let next = self.put_first(slot.board(), place + 1);
            slot.next.store(next, Ordering::Relaxed);
        }
    }
}
