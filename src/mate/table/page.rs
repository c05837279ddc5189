//! A page of the solver's table: entries in chains, with a lock.

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::mate::key::NodeKey;
use crate::mate::pn_dn::PnDn;
use crate::types::Hand;

/// Entries of a page; their numbers fit a byte, 0 means none. With them a page takes 16 KiB.
pub(super) const ENTRIES: usize = 238;
/// Chains of a page.
const CHAINS: usize = 512;

/// What is known of one board with one hand of the attacker.
#[derive(Clone, Copy, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub(super) struct TableEntry {
    pub(super) board: u64,
    /// Board of the node from which this one was last searched.
    pub(super) parent_board: u64,
    /// Children whose delta counts by maximum instead of by sum.
    pub(super) max_mask: u64,
    pub(super) hand: u32,
    pub(super) parent_hand: u32,
    pub(super) pn: PnDn,
    pub(super) dn: PnDn,
    /// Nodes searched under this entry: what it would cost to lose it.
    pub(super) amount: u32,
    /// Mate within this many plies with at least `hand`; `u16::MAX` if none is known.
    pub(super) proven: u16,
    /// One more than the plies within which there is no mate with at most `hand`; 0 if nothing is known.
    pub(super) disproven: u16,
    /// The smallest distance from the root at which the position was reached.
    pub(super) depth: u16,
    /// The move that proves or disproves, 0 if none.
    pub(super) best: u16,
    /// Next entry of the chain.
    pub(super) next: u8,
    pub(super) flags: u8,
}

/// The position was disproven by a repetition on some path: probe the repetition table.
pub(super) const MAY_REPEAT: u8 = 1;
/// `pn` and `dn` come from a search; otherwise only a proof or disproof was stored.
pub(super) const SEARCHED: u8 = 2;
/// The shallow search of a new leaf has been made: it has no mate in one.
pub(super) const LEAF_SEARCHED: u8 = 4;

/// The entries whose boards have some bits of their keys in common.
#[derive(Clone, Copy, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct Chain {
    /// The first entry.
    head: u8,
    /// One bit for each of its boards, perhaps also for removed ones: most boards that are absent are recognised by it
    /// alone, without a cache miss (Bloom, Space/time trade-offs in hash coding, 1970).
    filter: u8,
}

impl Chain {
    const EMPTY: Self = Self { head: 0, filter: 0 };

    #[inline(always)]
    const fn bit(board: u64) -> u8 {
        1 << (board >> 52 & 7)
    }

    /// Puts an entry of a board first; returns the entry that was first.
    fn put(&mut self, index: usize, board: u64) -> u8 {
        self.filter |= Self::bit(board);
        std::mem::replace(&mut self.head, index as u8)
    }
}

#[repr(C)]
pub(super) struct PageData {
    /// Entries in use are 1..=used, without gaps.
    pub(super) used: u32,
    /// How many leading bits of the slot number the boards of this page have in common, and which.
    pub(super) depth: u32,
    pub(super) prefix: usize,
    pub(super) chains: [Chain; CHAINS],
    pub(super) entries: [TableEntry; ENTRIES],
}

#[repr(C, align(64))]
pub(super) struct Page {
    lock: AtomicU32,
    pub(super) data: UnsafeCell<PageData>,
}

const _: () = assert!(size_of::<Page>() == 16 << 10 && size_of::<TableEntry>() == 64);

// SAFETY: all fields are integers or arrays of them, and zero is a value of each (an empty, unlocked page).
unsafe impl bytemuck::Zeroable for Page {}

// SAFETY: `data` is only reached through `Page::with`, which holds `lock` for as long, or by the one thread that has the
// whole table for itself (`MateTable::claim`).
unsafe impl Sync for Page {}

impl Page {
    /// Calls `work` with the locked page.
    #[inline]
    pub(super) fn with<R>(&self, work: impl FnOnce(&mut PageData) -> R) -> R {
        struct Unlock<'a>(&'a AtomicU32);
        impl Drop for Unlock<'_> {
            fn drop(&mut self) {
                self.0.store(0, Ordering::Release);
            }
        }
        while self.lock.compare_exchange_weak(0, 1, Ordering::Acquire, Ordering::Relaxed).is_err() {
            std::hint::spin_loop();
        }
        let _unlock = Unlock(&self.lock);
        // SAFETY: the lock is held until `_unlock` is dropped, so this is the only reference to the data.
        work(unsafe { &mut *self.data.get() })
    }
}

impl PageData {
    #[inline(always)]
    pub(super) fn chain(board: u64) -> usize {
        (board >> 55) as usize
    }

    /// The first entry of a board's chain (counted from 1), 0 if the board has none.
    #[inline(always)]
    pub(super) fn first(&self, board: u64) -> usize {
        let chain = self.chains[Self::chain(board)];
        if chain.filter & Chain::bit(board) != 0 { chain.head as usize } else { 0 }
    }

    /// The place of the entry with exactly this board and hand.
    #[inline]
    fn place(&self, key: NodeKey) -> Option<usize> {
        let mut index = self.first(key.board);
        while index != 0 {
            let entry = &self.entries[index - 1];
            if entry.board == key.board && entry.hand == key.hand.bits() {
                return Some(index - 1);
            }
            index = entry.next as usize;
        }
        None
    }

    /// The entry with exactly this board and hand.
    #[inline]
    pub(super) fn find(&self, key: NodeKey) -> Option<&TableEntry> {
        self.place(key).map(|place| &self.entries[place])
    }

    /// The entry with exactly this board and hand, a new one if there is none.
    pub(super) fn find_or_insert(&mut self, key: NodeKey) -> &mut TableEntry {
        if let Some(place) = self.place(key) {
            return &mut self.entries[place];
        }
        // The caller has made room.
        debug_assert!((self.used as usize) < ENTRIES);
        let place = self.used as usize;
        self.used += 1;
        let next = self.chains[Self::chain(key.board)].put(place + 1, key.board);
        self.entries[place] = TableEntry {
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
            next,
            flags: 0,
        };
        &mut self.entries[place]
    }

    /// Removes the entries of a board that a new result makes useless, except the one with exactly `kept`.
    pub(super) fn prune(&mut self, board: u64, kept: Hand, useless: impl Fn(&TableEntry, Hand) -> bool) {
        let mut index = self.first(board);
        while index != 0 {
            let entry = &self.entries[index - 1];
            let mut next = entry.next as usize;
            if entry.board == board && entry.hand != kept.bits() && useless(entry, Hand::from_bits(entry.hand)) {
                if next == self.used as usize {
                    // The last entry is about to move here.
                    next = index;
                }
                self.remove(index);
            }
            index = next;
        }
    }

    /// Removes an entry (counted from 1) and moves the last one to its place.
    fn remove(&mut self, index: usize) {
        let last = self.used as usize;
        let after = self.entries[index - 1].next;
        self.redirect(index, after);
        if index != last {
            self.redirect(last, index as u8);
            self.entries[index - 1] = self.entries[last - 1];
        }
        self.used -= 1;
    }

    /// Redirects the link to an entry (counted from 1) to another one.
    fn redirect(&mut self, index: usize, target: u8) {
        let chain = Self::chain(self.entries[index - 1].board);
        let mut at = self.chains[chain].head as usize;
        if at == index {
            self.chains[chain].head = target;
            return;
        }
        while at != 0 {
            let next = self.entries[at - 1].next as usize;
            if next == index {
                self.entries[at - 1].next = target;
                return;
            }
            at = next;
        }
    }

    /// Drops the half of the page with the smallest subtrees. Proofs and disproofs, which stay true on every path,
    /// count double.
    pub(super) fn collect_garbage(&mut self) {
        let weight = |entry: &TableEntry| {
            let decided = entry.proven != u16::MAX || entry.disproven != 0;
            u64::from(entry.amount) * if decided { 2 } else { 1 }
        };
        let mut weights: [u64; ENTRIES] = std::array::from_fn(|i| weight(&self.entries[i]));
        let (_, &mut median, _) = weights.select_nth_unstable(ENTRIES / 2);
        // Of the entries with the median's weight, drop as many as it takes to free half the page.
        let mut equal = ENTRIES / 2 - self.entries.iter().filter(|entry| weight(entry) < median).count();
        let mut kept = 0;
        for i in 0..ENTRIES {
            let entry = self.entries[i];
            let keep = match weight(&entry).cmp(&median) {
                std::cmp::Ordering::Greater => true,
                std::cmp::Ordering::Less => false,
                std::cmp::Ordering::Equal if equal > 0 => {
                    equal -= 1;
                    false
                }
                std::cmp::Ordering::Equal => true,
            };
            if keep {
                self.entries[kept] = entry;
                kept += 1;
            }
        }
        self.used = kept as u32;
        self.rebuild_chains();
    }

    pub(super) fn rebuild_chains(&mut self) {
        self.chains = [Chain::EMPTY; CHAINS];
        for i in 0..self.used as usize {
            let board = self.entries[i].board;
            self.entries[i].next = self.chains[Self::chain(board)].put(i + 1, board);
        }
    }
}
