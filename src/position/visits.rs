//! Which boards a game may have seen before.

/// Counts the positions of the game by the low bits of their board keys. Nearly every node of a search is new, which
/// this tells without a scan of the game.
#[derive(Clone)]
pub(super) struct Visits([u32; Self::PLACES]);

impl Visits {
    /// A power of two, far above the number of positions of a game.
    const PLACES: usize = 1024;

    /// A game with no position yet.
    pub(super) fn new() -> Self {
        Self([0; Self::PLACES])
    }

    #[inline(always)]
    const fn place(board_key: u64) -> usize {
        board_key as usize & (Self::PLACES - 1)
    }

    #[inline(always)]
    pub(super) fn enter(&mut self, board_key: u64) {
        self.0[Self::place(board_key)] += 1;
    }

    #[inline(always)]
    pub(super) fn leave(&mut self, board_key: u64) {
        self.0[Self::place(board_key)] -= 1;
    }

    /// Whether the position just entered is certainly the only one with its board; different boards may share low bits.
    #[inline(always)]
    pub(super) fn is_first(&self, board_key: u64) -> bool {
        self.0[Self::place(board_key)] == 1
    }
}
