//! A hash that is the same on every machine and in every version.

/// Takes numbers in, one after the other.
///
/// ```
/// use clearway_gp::StableHash;
/// let of = |numbers: [u64; 2]| {
///     let mut hash = StableHash::new();
///     numbers.iter().for_each(|number| hash.number(*number));
///     hash.finish()
/// };
/// assert_eq!(of([1, 2]), of([1, 2]));
/// assert_ne!(of([1, 2]), of([2, 1]));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct StableHash(u64);

impl Default for StableHash {
    fn default() -> Self {
        Self::new()
    }
}

impl StableHash {
    /// Of nothing yet.
    pub fn new() -> StableHash {
        StableHash(0x243F_6A88_85A3_08D3)
    }

    /// Takes in a number, by the steps of a 64-bit finaliser: every bit of it reaches every bit of the hash.
    pub fn number(&mut self, number: u64) {
        let mut x = (self.0.rotate_left(23) ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        x ^= x >> 32;
        x = x.wrapping_mul(0xD6E8_FEB8_6659_FD93);
        self.0 = x ^ (x >> 29);
    }

    /// Takes in a text with its length, so that two texts do not run into each other.
    pub fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        for chunk in text.as_bytes().chunks(8) {
            let mut bytes = [0; 8];
            bytes[..chunk.len()].copy_from_slice(chunk);
            self.number(u64::from_le_bytes(bytes));
        }
    }

    /// The hash of all that was taken in.
    pub fn finish(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_text(text: &str) -> u64 {
        let mut hash = StableHash::new();
        hash.text(text);
        hash.finish()
    }

    #[test]
    fn a_checkpoint_of_today_is_known_tomorrow() {
        assert_eq!(of_text(""), 15_267_146_844_119_509_696);
        assert_eq!(of_text("a tree of trees"), 14_564_826_845_740_279_304);
    }

    #[test]
    fn one_bit_changes_about_half_of_the_hash() {
        let changed = (of_text("tree") ^ of_text("trea")).count_ones();
        assert!((16..=48).contains(&changed), "{changed}");
        assert_ne!(of_text("tree"), of_text("tree\0"));
    }
}
