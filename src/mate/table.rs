//! The solver's own transposition table: what is known of a board, by the attacker's hand.
//!
//! All entries of one board are in one page, so that one probe compares every hand: a proof holds for every hand with
//! at least its pieces, a disproof for every hand with at most its pieces (dominance, 優越関係; Seo, The C* algorithm,
//! 1999, and Nagai 2002).
//!
//! ```text
//!   board's key ---leading bits---> directory: 00 01 10 11     A full page is split in two, and the
//!                                               |  |  \ /      directory points half of its slots to the
//!                                              p1 p3  p2       new page. Here p2 was never split.
//! ```
//!
//! A page is a small hash table with its own lock for writing. Splitting pages (extendible hashing; Fagin, Nievergelt,
//! Pippenger and Strong 1979) means that the table touches only the memory it fills, so that small problems stay in the
//! cache. When all pages are in use, a full page drops the entries with the smallest subtrees (SmallTreeGC; Nagai and
//! Imai 1999); the search never waits for a garbage collection of the whole table.

mod page;

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use super::key::NodeKey;
use super::mate_len::MateLen;
use super::pn_dn::{INFINITE, PnDn};
use super::search_result::{ANY_PATH, SearchResult};
use crate::platform::memory::{self, Memory};
use crate::types::{Hand, Move};
use page::{ENTRIES, LEAF_SEARCHED, MAY_REPEAT, Page, SEARCHED, TableEntry};

/// What the table knows of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProbeResult {
    pub(super) pn: PnDn,
    pub(super) dn: PnDn,
    /// Proof or disproof hand of a decided node.
    pub(super) hand: Hand,
    /// Length of the mate of a decided node, or the length up to which there is none.
    pub(super) len: MateLen,
    pub(super) amount: u32,
    pub(super) max_mask: u64,
    /// The node was never searched.
    pub(super) first_visit: bool,
    /// It was never visited, but the shallow search of a new leaf has been made, and has not decided it.
    pub(super) leaf_searched: bool,
    /// Some path to it was disproven by a repetition.
    pub(super) may_repeat: bool,
    /// The numbers come from a visit nearer to the root: following them may lead into a loop (Kishimoto's "old child").
    pub(super) old_child: bool,
    /// It was last searched from another node than the one that probes.
    pub(super) other_parent: bool,
    /// The proving or disproving move.
    pub(super) best: Option<Move>,
}

/// What is stored of an undecided node.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnknownData {
    pub(super) pn: PnDn,
    pub(super) dn: PnDn,
    pub(super) amount: u32,
    pub(super) max_mask: u64,
}

impl ProbeResult {
    /// Nothing is known.
    #[inline(always)]
    const fn nothing(hand: Hand, len: MateLen) -> Self {
        Self {
            pn: 0,
            dn: 0,
            hand,
            len,
            amount: 1,
            max_mask: 0,
            first_visit: true,
            leaf_searched: false,
            may_repeat: false,
            old_child: false,
            other_parent: false,
            best: None,
        }
    }

    /// The result, if the node is decided on every path.
    pub(super) fn decided(&self) -> Option<SearchResult> {
        if self.pn == 0 {
            Some(SearchResult::proven(self.hand, self.len, self.amount, self.best))
        } else if self.dn == 0 {
            Some(SearchResult::disproven(self.hand, self.len, ANY_PATH, self.amount, self.best))
        } else {
            None
        }
    }

    /// The result of a node of which more is known than that it exists.
    pub(super) fn result(&self, hand: Hand, len: MateLen) -> SearchResult {
        self.decided().unwrap_or(SearchResult {
            pn: self.pn,
            dn: self.dn,
            hand,
            len,
            repetition_start: ANY_PATH,
            amount: self.amount,
            max_mask: self.max_mask,
            first_visit: self.first_visit,
            best: None,
        })
    }
}

/// The table; shared by all workers of a search.
pub(super) struct MateTable {
    /// The page of each slot, by the leading bits of a board's key.
    directory: Box<[AtomicU32]>,
    /// The directory has `2^bits` slots.
    bits: u32,
    /// By how much a slot number is shifted from the top of a word.
    shift: u32,
    /// The pages that the table may have.
    pages: Memory<Page>,
    /// Pages in use.
    allocated: AtomicUsize,
    /// Several threads may work at once, so that pages are locked and what is read is checked.
    shared: bool,
}

/// A table in use by one search, see [`MateTable::claim`].
pub(super) struct Claim<'a>(&'a mut MateTable);

impl std::ops::Deref for Claim<'_> {
    type Target = MateTable;

    fn deref(&self) -> &MateTable {
        self.0
    }
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        self.0.shared = true;
    }
}

/// Bytes at the start of the table that use small pages of memory: a small problem needs no more.
const SMALL_PAGE_BYTES: usize = 1 << 20;

/// At most this many bits of a key choose the slot; the others choose the chain.
const SLOT_BITS: u32 = 48;

impl MateTable {
    /// A table of about `megabytes` (at least a few pages), or a smaller one if the system does not have as much. The
    /// system provides the memory as it is filled.
    ///
    /// # Panics
    /// If the system has no memory at all.
    pub(super) fn new(megabytes: usize) -> Self {
        let mut wanted = (megabytes.saturating_mul(1 << 20) / size_of::<Page>()).clamp(8, 1 << 30);
        let pages = loop {
            match Memory::zeroed(wanted, SMALL_PAGE_BYTES) {
                Some(pages) => break pages,
                None if wanted > 8 => wanted /= 2,
                None => panic!("no memory for the table of the mate solver"),
            }
        };
        let bits = wanted.next_power_of_two().trailing_zeros();
        let directory: Box<[AtomicU32]> = std::iter::repeat_with(|| AtomicU32::new(0)).take(1 << bits).collect();
        Self { directory, bits, shift: u64::BITS - bits, pages, allocated: AtomicUsize::new(1), shared: true }
    }

    /// Forgets everything and keeps the memory. Only what was filled is written.
    pub(super) fn clear(&mut self) {
        let used = self.allocated.get_mut();
        for page in &mut self.pages.as_mut_slice()[..*used] {
            *page = bytemuck::Zeroable::zeroed();
        }
        *used = 1;
        self.directory.iter_mut().for_each(|slot| *slot.get_mut() = 0);
    }

    /// The table for a search by several threads, or by one that uses it `alone` and without locks. When the claim is
    /// dropped, also by a panic, the table is locked as before.
    ///
    /// If `alone` is true, only one thread at a time may use the table through the claim; two would spoil its content.
    pub(super) fn claim(&mut self, alone: bool) -> Claim<'_> {
        self.shared = !alone;
        Claim(self)
    }

    #[inline(always)]
    fn page(&self, index: usize) -> &Page {
        &self.pages.as_slice()[index]
    }

    #[inline(always)]
    fn page_of(&self, board: u64) -> &Page {
        self.page(self.directory[self.slot(board)].load(Ordering::Acquire) as usize)
    }

    #[inline(always)]
    fn slot(&self, board: u64) -> usize {
        (board << (u64::BITS - SLOT_BITS) >> self.shift) as usize
    }

    /// What `work` reads in the page of a board. It may be called several times, and on a page that is being written.
    #[inline]
    fn read<R>(&self, board: u64, mut work: impl FnMut(&Page) -> R) -> R {
        if !self.shared {
            return work(self.page_of(board));
        }
        loop {
            let result = self.page_of(board).read(|page| self.is_page_of(page, board).then(|| work(page)));
            if let Some(result) = result {
                return result;
            }
        }
    }

    /// Calls `work`, which may write, with the page of a board.
    #[inline]
    fn write<R>(&self, board: u64, work: impl FnOnce(&Page) -> R) -> R {
        if !self.shared {
            return work(self.page_of(board));
        }
        let mut work = Some(work);
        loop {
            let result = self
                .page_of(board)
                .write(|page| if self.is_page_of(page, board) { work.take().map(|work| work(page)) } else { None });
            if let Some(result) = result {
                return result;
            }
        }
    }

    /// Whether the page still holds this board: it may have been split after the directory was read.
    #[inline(always)]
    fn is_page_of(&self, page: &Page, board: u64) -> bool {
        let (depth, prefix) = page.place_in_directory();
        self.slot(board) >> (self.bits - depth) == prefix
    }

    /// Calls `work`, which may write, with the page of a board, which has room for one more entry.
    fn with_room<R>(&self, board: u64, work: impl FnOnce(&Page) -> R) -> R {
        let mut work = Some(work);
        loop {
            let result = self.write(board, |page| {
                if page.used() == ENTRIES {
                    if self.split(page) {
                        return None;
                    }
                    page.collect_garbage();
                }
                work.take().map(|work| work(page))
            });
            if let Some(result) = result {
                return result;
            }
        }
    }

    /// Moves half of a full page's boards to a new page; `false` if none is left.
    fn split(&self, page: &Page) -> bool {
        let (depth, prefix) = page.place_in_directory();
        if depth == self.bits {
            return false;
        }
        let take = |used: usize| (used < self.pages.as_slice().len()).then_some(used + 1);
        let Ok(fresh) = self.allocated.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take) else {
            return false;
        };
        let (depth, prefix) = (depth + 1, prefix * 2 + 1);
        page.set_place_in_directory(depth, prefix - 1);
        self.page(fresh).write(|upper| {
            upper.set_place_in_directory(depth, prefix);
            page.move_entries(upper, |board| self.slot(board) >> (self.bits - depth) == prefix);
        });
        let width = self.bits - depth;
        for slot in &self.directory[prefix << width..(prefix + 1) << width] {
            slot.store(fresh as u32, Ordering::Release);
        }
        true
    }

    /// Prefetches what a probe of a board needs, in three steps, each of which needs the one before. First: where its
    /// page is.
    #[inline(always)]
    pub(super) fn prefetch_slot(&self, board: u64) {
        memory::prefetch(&self.directory[self.slot(board)]);
    }

    /// Second: the head of the page and of the board's chain.
    #[inline(always)]
    pub(super) fn prefetch_chain(&self, board: u64) {
        let (page, chain) = self.page_of(board).heads(board);
        memory::prefetch(page);
        memory::prefetch(chain);
    }

    /// Third: the chain's first entry, or the place where a new one would be written.
    #[inline(always)]
    pub(super) fn prefetch_entry(&self, board: u64) {
        if let Some(slot) = self.page_of(board).first_slot(board) {
            memory::prefetch(slot);
        }
    }

    /// What is known of a node at `depth` plies from the root, for mates within `len`.
    ///
    /// `parent` is the node that probes; `fresh` estimates the numbers of a node about which nothing is known. A node
    /// is at least as hard to disprove as with a weaker hand, and at least as hard to prove as with a stronger one.
    pub(super) fn probe(
        &self,
        key: NodeKey,
        parent: NodeKey,
        depth: u16,
        len: MateLen,
        fresh: impl FnOnce() -> (PnDn, PnDn),
    ) -> ProbeResult {
        let (mut found, mut nearer) = (ProbeResult::nothing(key.hand, len), false);
        self.read(key.board, |page| {
            if self.shared {
                // Perhaps a second time.
                (found, nearer) = (ProbeResult::nothing(key.hand, len), false);
            }
            page.each_of(key.board, |slot| {
                let hand = Hand::from_bits(slot.hand());
                let exact = hand == key.hand;
                let stronger = exact || key.hand.dominates(hand);
                let weaker = exact || hand.dominates(key.hand);
                if !stronger && !weaker {
                    return true;
                }
                let (proven, disproven) = (slot.proven(), slot.disproven());
                let decided = if stronger && proven <= len.0 && proven != u16::MAX {
                    Some((0, INFINITE, MateLen(proven)))
                } else if weaker && disproven != 0 && disproven_len(disproven) >= len {
                    Some((INFINITE, 0, disproven_len(disproven)))
                } else {
                    None
                };
                if let Some(decision) = decided {
                    (found.pn, found.dn, found.len) = decision;
                    found.hand = hand;
                    found.amount = slot.amount();
                    found.best = Move::from_bits(slot.best());
                    found.first_visit = false;
                    return false;
                }
                let (flags, mut entry_depth) = (slot.flags(), slot.depth());
                if exact {
                    nearer = depth < entry_depth;
                    entry_depth = entry_depth.min(depth);
                    found.may_repeat = flags & MAY_REPEAT != 0;
                }
                if flags & SEARCHED == 0 {
                    found.leaf_searched |= exact && flags & LEAF_SEARCHED != 0;
                    return true;
                }
                if exact {
                    found.first_visit = false;
                    found.amount = slot.amount();
                    found.max_mask = slot.max_mask();
                    found.other_parent =
                        slot.parent_board() != parent.board || slot.parent_hand() != parent.hand.bits();
                }
                if exact || entry_depth <= depth {
                    let (pn, dn) = (slot.pn(), slot.dn());
                    if stronger && found.dn < dn {
                        found.dn = dn;
                        found.old_child |= entry_depth < depth;
                    }
                    if weaker && found.pn < pn {
                        found.pn = pn;
                        found.old_child |= entry_depth < depth;
                    }
                }
                true
            });
        });
        if nearer {
            self.write(key.board, |page| page.lower_depth(key, depth));
        }
        if found.pn == 0 && found.dn == INFINITE || found.dn == 0 && found.pn == INFINITE {
            return found;
        }
        if found.first_visit {
            let (pn, dn) = fresh();
            found.pn = found.pn.max(pn);
            found.dn = found.dn.max(dn);
        }
        found
    }

    /// The stored numbers and parent of a node, for walking back along the table's paths.
    pub(super) fn parent(&self, key: NodeKey) -> Option<(NodeKey, PnDn, PnDn)> {
        self.read(key.board, |page| {
            let slot = page.find(key)?;
            (slot.flags() & SEARCHED != 0).then(|| {
                let parent = NodeKey { board: slot.parent_board(), hand: Hand::from_bits(slot.parent_hand()) };
                (parent, slot.pn(), slot.dn())
            })
        })
    }

    /// Lets `change` change the entry of a node.
    fn update(&self, key: NodeKey, change: impl FnOnce(&mut TableEntry)) {
        self.with_room(key.board, |page| page.update(key, change));
    }

    /// Stores the numbers of an undecided node.
    pub(super) fn store_unknown(&self, key: NodeKey, depth: u16, data: UnknownData, parent: Option<NodeKey>) {
        self.update(key, |entry| {
            entry.pn = data.pn;
            entry.dn = data.dn;
            entry.amount = entry.amount.max(data.amount);
            entry.max_mask = data.max_mask;
            entry.depth = entry.depth.min(depth);
            entry.flags |= SEARCHED;
            if let Some(parent) = parent {
                entry.parent_board = parent.board;
                entry.parent_hand = parent.hand.bits();
            }
        });
    }

    /// Marks a node that was not visited as having had its shallow search, so that it is not repeated.
    pub(super) fn mark_leaf_searched(&self, key: NodeKey, depth: u16) {
        self.update(key, |entry| {
            entry.depth = entry.depth.min(depth);
            entry.flags |= LEAF_SEARCHED;
        });
    }

    /// Stores a mate within `len` for every hand from `hand` on.
    pub(super) fn store_proven(&self, board: u64, hand: Hand, len: MateLen, amount: u32, best: Option<Move>) {
        self.with_room(board, |page| {
            // The numbers of stronger hands are no longer needed.
            page.prune(board, hand, |entry, held| {
                held.dominates(hand) && entry.proven >= len.0 && entry.disproven == 0
            });
            page.update(NodeKey { board, hand }, |entry| {
                entry.amount = entry.amount.max(amount);
                if len.0 < entry.proven {
                    entry.proven = len.0;
                    entry.best = best.map_or(0, Move::bits);
                }
            });
        });
    }

    /// Stores that no mate within `len` exists for any hand up to `hand`.
    pub(super) fn store_disproven(&self, board: u64, hand: Hand, len: MateLen, amount: u32, best: Option<Move>) {
        let coded = if len == MateLen::UNLIMITED { u16::MAX } else { len.0 + 1 };
        self.with_room(board, |page| {
            page.prune(board, hand, |entry, held| {
                hand.dominates(held)
                    && entry.proven == u16::MAX
                    && entry.disproven <= coded
                    && (coded == u16::MAX || entry.flags & SEARCHED == 0)
            });
            page.update(NodeKey { board, hand }, |entry| {
                entry.amount = entry.amount.max(amount);
                if coded > entry.disproven {
                    entry.disproven = coded;
                    if entry.proven == u16::MAX {
                        entry.best = best.map_or(0, Move::bits);
                    }
                }
            });
        });
    }

    /// Marks a node that was disproven by a repetition on some path; on the others it is undecided.
    pub(super) fn store_repetition(&self, key: NodeKey, depth: u16) {
        self.update(key, |entry| {
            entry.depth = entry.depth.min(depth);
            entry.flags |= MAY_REPEAT;
        });
    }

    /// How full the table is, in per mille.
    pub(super) fn hashfull(&self) -> u32 {
        (self.allocated.load(Ordering::Relaxed) * 1000 / self.pages.as_slice().len()) as u32
    }
}

/// The length that the field `disproven` of an entry stands for; the field must not be 0.
#[inline(always)]
const fn disproven_len(coded: u16) -> MateLen {
    if coded == u16::MAX { MateLen::UNLIMITED } else { MateLen(coded - 1) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::random::{Random, mix};

    #[test]
    fn threads_never_read_half_an_entry() {
        // Few boards on a few pages: they are read, written, removed, split and swept at the same time.
        let table = MateTable::new(0);
        let key = |number: u64| NodeKey { board: mix(number), hand: Hand::EMPTY };
        let found = std::thread::scope(|scope| {
            let work = |seed: u64| {
                let table = &table;
                move || {
                    let mut random = Random::new(seed);
                    let mut found = 0;
                    for round in 0..60_000 {
                        let key = key(random.next_u64() % 3000);
                        if round % 3 == 0 {
                            let pn = random.next_u64() % 1_000_000 + 1;
                            let data =
                                UnknownData { pn, dn: mix(pn) >> 8, amount: pn as u32, max_mask: mix(key.board ^ pn) };
                            table.store_unknown(key, 1, data, Some(key));
                            continue;
                        }
                        let known = table.probe(key, key, 1, MateLen::UNLIMITED, || (1, 1));
                        if !known.first_visit {
                            assert_eq!((known.dn, known.max_mask), (mix(known.pn) >> 8, mix(key.board ^ known.pn)));
                            assert!(!known.other_parent);
                            found += 1;
                        }
                        assert!(table.parent(key).is_none_or(|(parent, pn, dn)| parent == key && dn == mix(pn) >> 8));
                    }
                    found
                }
            };
            let threads: Vec<_> = (1..=3).map(|seed| scope.spawn(work(seed))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum::<usize>()
        });
        assert!(found > 10_000, "{found}");
    }
}
