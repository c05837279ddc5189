//! What the workers of one search show each other: where they are, and what they have decided.

use std::sync::atomic::{AtomicU16, AtomicU64, Ordering};

use super::super::key::NodeKey;
use super::super::path::MAX_DEPTH;

/// The workers of one search, by their numbers.
pub(in crate::mate) struct Team(Box<[Member]>);

// No two workers have a cache line in common.
#[repr(align(128))]
struct Member {
    /// The tags of the nodes of the worker's path, by ply; 0 beyond its end.
    path: Box<[AtomicU64]>,
    /// The ply of a node of the path that another worker has decided, [`NO_PLY`] if there is none.
    decided: AtomicU16,
}

const NO_PLY: u16 = u16::MAX;

/// What tells a node from others. One that is taken for another costs time, but makes nothing wrong.
pub(super) const fn tag(key: NodeKey) -> u64 {
    key.board.wrapping_add((key.hand.bits() as u64) << 32)
}

impl Team {
    /// A team of so many workers.
    pub(in crate::mate) fn new(workers: usize) -> Self {
        let path = || std::iter::repeat_with(|| AtomicU64::new(0)).take(MAX_DEPTH).collect();
        let member = || Member { path: path(), decided: AtomicU16::new(NO_PLY) };
        Self(std::iter::repeat_with(member).take(workers).collect())
    }

    /// The worker has entered a node at this ply.
    pub(super) fn enter(&self, worker: usize, ply: usize, key: NodeKey) {
        self.0[worker].path[ply].store(tag(key), Ordering::Relaxed);
    }

    /// The worker has left the node at this ply.
    pub(super) fn leave(&self, worker: usize, ply: usize) {
        self.0[worker].path[ply].store(0, Ordering::Relaxed);
    }

    /// The other workers whose paths are so long, with the tags of their nodes at this ply.
    fn others(&self, worker: usize, ply: u16) -> impl Iterator<Item = (&Member, u64)> {
        let others = self.0.iter().enumerate().filter(move |&(number, _)| number != worker);
        let nodes = others.filter_map(move |(_, member)| Some((member, member.path.get(usize::from(ply))?)));
        nodes.map(|(member, node)| (member, node.load(Ordering::Relaxed))).filter(|&(_, node)| node != 0)
    }

    /// The tags of the nodes that the other workers are in at this ply.
    pub(super) fn nodes_of_others(&self, worker: usize, ply: u16) -> impl Iterator<Item = u64> {
        self.others(worker, ply).map(|(_, node)| node)
    }

    /// Tells those of the others who are below a node that the worker has decided it.
    pub(super) fn announce_decision(&self, worker: usize, ply: u16, key: NodeKey) {
        for (member, node) in self.others(worker, ply) {
            if node == tag(key) {
                member.decided.fetch_min(ply, Ordering::Relaxed);
            }
        }
    }

    /// The ply of a node of the worker's path that another one has decided. The worker may have left that node since.
    pub(super) fn decided_by_others(&self, worker: usize) -> Option<u16> {
        let ply = self.0[worker].decided.load(Ordering::Relaxed);
        (ply != NO_PLY).then_some(ply)
    }

    /// The worker has followed what it was told of the node at this ply. What it was told of others since stays.
    pub(super) fn forget_decision(&self, worker: usize, ply: u16) {
        let decided = &self.0[worker].decided;
        // Fails where a node nearer to the root was announced meanwhile.
        let _ = decided.compare_exchange(ply, NO_PLY, Ordering::Relaxed, Ordering::Relaxed);
    }
}
