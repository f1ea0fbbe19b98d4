//! Breadth-first search over a whole family at once, from all states with the target at the exit.

use super::space::Space;
use super::transitions::Transitions;

/// Distances found by the search. The buffers are reused.
#[derive(Debug, Default)]
pub(super) struct DistanceLayers {
    seen: Vec<u64>,
    next: Vec<u64>,
    touched: Vec<u64>,
    /// Entries in the order of their distances.
    entries: Vec<LayerEntry>,
    /// For each distance: the index of its first entry; ends with the total.
    starts: Vec<u32>,
    /// For each word: its last entry, or [`NO_ENTRY`].
    last: Vec<u32>,
}

/// States of one word at one distance.
#[derive(Clone, Copy, Debug)]
pub(super) struct LayerEntry {
    pub states: u64,
    pub word: u32,
    /// Entry of the same word at the next smaller distance that it has, or [`NO_ENTRY`].
    previous: u32,
}

/// Marks the end of the entries of a word.
const NO_ENTRY: u32 = u32::MAX;

/// Implementation of the extraction and deposit of bits.
#[derive(Clone, Copy, Debug)]
pub(super) enum BitOperations {
    /// One instruction each.
    #[cfg(target_arch = "x86_64")]
    Bmi2(Bmi2Token),
    /// Loops over the bits.
    Portable,
}

/// Proof that the processor supports BMI2. Only [`BitOperations::detect`] creates it.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub(super) struct Bmi2Token(());

impl BitOperations {
    /// Returns the fastest implementation that this processor supports.
    pub fn detect() -> BitOperations {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("bmi2") {
            return BitOperations::Bmi2(Bmi2Token(()));
        }
        BitOperations::Portable
    }
}

/// Moves the bits of `states` at the ones of `pick` to the ones of `put`, in order.
fn carried(states: u64, mut pick: u64, mut put: u64) -> u64 {
    let (mut left, mut moved) = (states & pick, 0);
    while left != 0 {
        let (from, to) = (pick & pick.wrapping_neg(), put & put.wrapping_neg());
        if left & from != 0 {
            moved |= to;
        }
        left &= !from;
        pick ^= from;
        put ^= to;
    }
    moved
}

impl DistanceLayers {
    /// Searches the family. Afterwards the distance of a state is that of the entry which contains it.
    pub fn search(&mut self, space: &Space, transitions: &Transitions, bits: BitOperations) {
        self.seen.clear();
        self.seen.resize(space.words(), 0);
        self.next.clear();
        self.next.resize(space.words(), 0);
        self.touched.clear();
        self.touched.resize(space.words().div_ceil(64), 0);
        self.last.clear();
        self.last.resize(space.words(), NO_ENTRY);
        self.entries.clear();
        self.starts.clear();
        for block in space.blocks.iter().filter(|block| block.is_goal) {
            for word in block.first_word..block.first_word + block.words {
                self.next[word as usize] = block.used;
                self.touched[word as usize / 64] |= 1 << (word % 64);
            }
        }
        loop {
            let start = self.entries.len();
            self.starts.push(start as u32);
            self.collect();
            if self.entries.len() == start {
                break;
            }
            self.spread(space, transitions, start, bits);
        }
    }

    /// Creates entries for the states reached for the first time.
    fn collect(&mut self) {
        for (group, touched) in self.touched.iter_mut().enumerate() {
            let mut rest = std::mem::take(touched);
            while rest != 0 {
                let word = group * 64 + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let states = std::mem::take(&mut self.next[word]) & !self.seen[word];
                if states != 0 {
                    self.seen[word] |= states;
                    self.entries.push(LayerEntry { states, word: word as u32, previous: self.last[word] });
                    self.last[word] = self.entries.len() as u32 - 1;
                }
            }
        }
    }

    /// Marks all states one move away from the entries from `start` on.
    fn spread(&mut self, space: &Space, transitions: &Transitions, start: usize, bits: BitOperations) {
        match bits {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `BitOperations::detect` found the instructions that the function is compiled for. Measured: a fifth of
            // the time of the portable search.
            BitOperations::Bmi2(_) => unsafe { self.spread_bmi2(space, transitions, start) },
            BitOperations::Portable => self.spread_with(space, transitions, start, carried),
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "bmi2")]
    fn spread_bmi2(&mut self, space: &Space, transitions: &Transitions, start: usize) {
        use std::arch::x86_64::{_pdep_u64, _pext_u64};
        self.spread_with(space, transitions, start, |states, pick, put| _pdep_u64(_pext_u64(states, pick), put));
    }

    #[inline(always)]
    fn spread_with(
        &mut self,
        space: &Space,
        transitions: &Transitions,
        start: usize,
        carried: impl Fn(u64, u64, u64) -> u64,
    ) {
        for &LayerEntry { states, word, .. } in &self.entries[start..] {
            let block = space.block_of[word as usize] as usize;
            let shifts = transitions.shifts(block).iter();
            let inside = shifts.fold(0, |all, shift| all | (states & shift.mask) << shift.left >> shift.right);
            self.next[word as usize] |= inside;
            self.touched[word as usize / 64] |= 1 << (word % 64);
            let carries = transitions.carries(block);
            for edge in transitions.edges(word) {
                let carry = carries[edge.carry as usize];
                self.next[edge.to as usize] |= carried(states >> edge.from_bit, carry.pick, carry.put) << edge.to_bit;
                self.touched[edge.to as usize / 64] |= 1 << (edge.to % 64);
            }
        }
    }

    /// Returns the number of layers: the largest distance plus 1.
    pub fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the entries at a distance.
    pub fn at(&self, distance: usize) -> &[LayerEntry] {
        &self.entries[self.starts[distance] as usize..self.starts[distance + 1] as usize]
    }

    /// Returns the states of a word at a distance.
    pub fn states_at(&self, word: u32, distance: usize) -> u64 {
        let (start, end) = (self.starts[distance], self.starts[distance + 1]);
        let mut entry = self.last[word as usize];
        while entry != NO_ENTRY && entry >= end {
            entry = self.entries[entry as usize].previous;
        }
        if entry != NO_ENTRY && entry >= start { self.entries[entry as usize].states } else { 0 }
    }
}
