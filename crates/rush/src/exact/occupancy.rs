//! The occupied cells of a packed state, by a few table look-ups.

use super::key::Key;

/// Maps a packed state to the cells that the lines of one orientation occupy, a few lines per look-up.
#[derive(Debug, Default)]
pub(super) struct OccupancyTable {
    chunks: Vec<Chunk>,
    /// Occupied cells, by chunk and by the value of its bits.
    cells: Vec<u64>,
}

/// A few adjacent fields of the packed state.
#[derive(Clone, Copy, Debug)]
struct Chunk {
    shift: u32,
    bits: u32,
    mask: u32,
    /// Index of its first entry in `cells`.
    first: u32,
}

impl OccupancyTable {
    /// Maximum number of bits of a chunk: the tables must be quick to build and fit into the first-level cache.
    const CHUNK_BITS: u32 = 7;

    /// Adds the field of a line, given the cells that each of its configurations occupies.
    pub fn add_line(&mut self, shift: u32, bits: u32, configs: impl Iterator<Item = u64>) {
        let first = self.cells.len() as u32;
        let chunk = match self.chunks.last_mut() {
            Some(chunk) if chunk.bits + bits <= Self::CHUNK_BITS => chunk,
            _ => {
                self.chunks.push(Chunk { shift, bits: 0, mask: 0, first });
                self.cells.push(0);
                let last = self.chunks.len() - 1;
                &mut self.chunks[last]
            }
        };
        // The existing entries are repeated for each configuration of the new line.
        let (first, known) = (chunk.first as usize, 1 << chunk.bits);
        chunk.bits += bits;
        chunk.mask = (1 << chunk.bits) - 1;
        self.cells.resize(first + (1 << chunk.bits), 0);
        for (config, cells) in configs.enumerate().collect::<Vec<_>>().into_iter().rev() {
            for value in 0..known {
                self.cells[first + config * known + value] = self.cells[first + value] | cells;
            }
        }
    }

    /// Creates a table for six lines of three bits each, from `shift` on, that occupy no cells yet.
    pub fn fixed(shift: u32) -> Self {
        let chunk = |i: u32| Chunk { shift: shift + 6 * i, bits: 6, mask: 63, first: 64 * i };
        OccupancyTable { chunks: (0..3).map(chunk).collect(), cells: vec![0; 3 * 64] }
    }

    /// Sets the cells of one of the six lines of a [fixed](Self::fixed) table.
    pub fn fill_fixed(&mut self, line: usize, configs: impl Iterator<Item = u64>) {
        let chunk = &mut self.cells[line / 2 * 64..][..64];
        for (config, cells) in configs.enumerate() {
            for other in 0..8 {
                let value = if line.is_multiple_of(2) { other << 3 | config } else { config << 3 | other };
                chunk[value] |= cells;
            }
        }
    }

    /// Returns the occupied cells for a [fixed](Self::fixed) table.
    #[inline(always)]
    pub fn cells_six<K: Key>(&self, key: K, shift: u32) -> u64 {
        let cells: &[u64; 192] = self.cells.first_chunk().expect("a table for six lines");
        let chunk = |i: u32| cells[64 * i as usize + key.field(shift + 6 * i, 63)];
        chunk(0) | chunk(1) | chunk(2)
    }

    /// Returns the occupied cells of a state.
    #[inline(always)]
    pub fn cells<K: Key>(&self, key: K) -> u64 {
        let look_up = |chunk: &Chunk| self.cells[chunk.first as usize + key.field(chunk.shift, chunk.mask)];
        self.chunks.iter().fold(0, |all, chunk| all | look_up(chunk))
    }
}
