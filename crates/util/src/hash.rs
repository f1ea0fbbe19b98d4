//! Hash functions that give the same value on every machine and in every version.

/// 64-bit FNV-1a hash.
///
/// ```
/// assert_eq!(clearway_util::hash::fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
/// ```
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// 32-bit FNV-1a hash.
///
/// ```
/// assert_eq!(clearway_util::hash::fnv1a_32(b"a"), 0xe40c_292c);
/// ```
pub fn fnv1a_32(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Mixes a word into a hash: multiplies to 128 bits and folds the halves together. For hash tables: one multiplication per word,
/// good in all bits.
#[inline]
pub fn mix(hash: u64, word: u64) -> u64 {
    let product = u128::from((hash ^ word).wrapping_add(0x2545_F491_4F6C_DD1D)) * 0x9E37_79B9_7F4A_7C15;
    product as u64 ^ (product >> 64) as u64
}

/// Incremental hash of numbers and texts.
///
/// ```
/// use clearway_util::hash::StableHash;
/// let hash_of = |numbers: [u64; 2]| {
///     let mut hash = StableHash::new();
///     numbers.iter().for_each(|number| hash.number(*number));
///     hash.finish()
/// };
/// assert_eq!(hash_of([1, 2]), hash_of([1, 2]));
/// assert_ne!(hash_of([1, 2]), hash_of([2, 1]));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct StableHash(u64);

impl Default for StableHash {
    fn default() -> Self {
        Self::new()
    }
}

impl StableHash {
    /// Hash of the empty input.
    pub fn new() -> StableHash {
        StableHash(0x243F_6A88_85A3_08D3)
    }

    /// Adds a number with the steps of a 64-bit finaliser: every bit of it affects every bit of the hash.
    pub fn number(&mut self, number: u64) {
        let mut x = (self.0.rotate_left(23) ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        x ^= x >> 32;
        x = x.wrapping_mul(0xD6E8_FEB8_6659_FD93);
        self.0 = x ^ (x >> 29);
    }

    /// Adds a text and its length, so that consecutive texts cannot be confused.
    pub fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        for chunk in text.as_bytes().chunks(8) {
            let mut bytes = [0; 8];
            bytes[..chunk.len()].copy_from_slice(chunk);
            self.number(u64::from_le_bytes(bytes));
        }
    }

    /// Returns the hash of everything added.
    pub fn finish(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash_text(text: &str) -> u64 {
        let mut hash = StableHash::new();
        hash.text(text);
        hash.finish()
    }

    #[test]
    fn hashes_in_stored_checkpoints_stay_valid() {
        assert_eq!(hash_text(""), 15_267_146_844_119_509_696);
        assert_eq!(hash_text("a tree of trees"), 14_564_826_845_740_279_304);
    }

    #[test]
    fn one_bit_changes_about_half_of_the_hash() {
        let changed = (hash_text("tree") ^ hash_text("trea")).count_ones();
        assert!((16..=48).contains(&changed), "{changed}");
        assert_ne!(hash_text("tree"), hash_text("tree\0"));
    }
}
