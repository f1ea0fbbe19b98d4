//! The standard fonts Helvetica and Helvetica Bold: their characters, which are those of Windows-1252, and the widths.

/// Characters with the codes 0x80 to 0x9f; U+0000 marks unused codes. All other codes are those of Latin-1.
const HIGH: [char; 32] = [
    '€', '\0', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\0', 'Ž', '\0', '\0', '‘', '’', '“', '”', '•',
    '–', '—', '˜', '™', 'š', '›', 'œ', '\0', 'ž', 'Ÿ',
];

/// Returns the code of a character in Windows-1252; none if the fonts lack it.
pub(super) fn code(c: char) -> Option<u8> {
    match c {
        ' '..='~' | '\u{a0}'..='\u{ff}' => u8::try_from(c).ok(),
        '\0' => None,
        _ => HIGH.iter().position(|&other| other == c).map(|place| 0x80 + place as u8),
    }
}

/// Encodes a text; characters that the fonts lack become question marks.
pub(super) fn encode(text: &str) -> Vec<u8> {
    text.chars().map(|c| code(c).unwrap_or(b'?')).collect()
}

/// Returns the width of a text.
pub(super) fn width_of(text: &str, size: f64, bold: bool) -> f64 {
    let widths = if bold { &BOLD_WIDTHS } else { &WIDTHS };
    let width = |code: &u8| widths.get(usize::from(*code) - 32).map_or(0.0, |&width| f64::from(width) / 1e3);
    encode(text).iter().map(width).sum::<f64>() * size
}

/// Widths of the codes from 32 on in Helvetica, in thousandths of the font size.
const WIDTHS: [u16; 224] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584, 350, // 0x7f
    556, 350, 222, 556, 333, 1000, 556, 556, 333, 1000, 667, 333, 1000, 350, 611, 350, // 0x80
    350, 222, 222, 333, 333, 350, 556, 1000, 333, 1000, 500, 333, 944, 350, 500, 667, // 0x90
    278, 333, 556, 556, 556, 556, 260, 556, 333, 737, 370, 556, 584, 333, 737, 333, // 0xa0
    400, 584, 333, 333, 333, 556, 537, 278, 333, 333, 365, 556, 834, 834, 834, 611, // 0xb0
    667, 667, 667, 667, 667, 667, 1000, 722, 667, 667, 667, 667, 278, 278, 278, 278, // 0xc0
    722, 722, 778, 778, 778, 778, 778, 584, 778, 722, 722, 722, 722, 667, 667, 611, // 0xd0
    556, 556, 556, 556, 556, 556, 889, 500, 556, 556, 556, 556, 278, 278, 278, 278, // 0xe0
    556, 556, 556, 556, 556, 556, 556, 584, 611, 556, 556, 556, 556, 500, 556, 500, // 0xf0
];

/// Widths of the same codes in Helvetica Bold.
const BOLD_WIDTHS: [u16; 224] = [
    278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611,
    556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611, 611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389,
    280, 389, 584, 350, // 0x7f
    556, 350, 278, 556, 500, 1000, 556, 556, 333, 1000, 667, 333, 1000, 350, 611, 350, // 0x80
    350, 278, 278, 500, 500, 350, 556, 1000, 333, 1000, 556, 333, 944, 350, 500, 667, // 0x90
    278, 333, 556, 556, 556, 556, 280, 556, 333, 737, 370, 556, 584, 333, 737, 333, // 0xa0
    400, 584, 333, 333, 333, 611, 556, 278, 333, 333, 365, 556, 834, 834, 834, 611, // 0xb0
    722, 722, 722, 722, 722, 722, 1000, 722, 667, 667, 667, 667, 278, 278, 278, 278, // 0xc0
    722, 722, 778, 778, 778, 778, 778, 584, 778, 722, 722, 722, 722, 667, 667, 611, // 0xd0
    556, 556, 556, 556, 556, 556, 889, 556, 556, 556, 556, 556, 278, 278, 278, 278, // 0xe0
    611, 611, 611, 611, 611, 611, 611, 584, 611, 611, 611, 611, 611, 556, 611, 556, // 0xf0
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latin_letters_and_typographic_signs_are_encoded() {
        assert_eq!(encode("Äpfel – 5 €, “çà”"), b"\xc4pfel \x96 5 \x80, \x93\xe7\xe0\x94");
        assert_eq!(encode("λ\u{81}\0"), b"???");
        let codes = (' '..='\u{ffff}').filter(|&c| code(c).is_some());
        assert_eq!(codes.count(), 95 + 27 + 96);
    }

    #[test]
    fn accents_do_not_change_the_width_of_capitals() {
        for bold in [false, true] {
            let width = |text: &str| width_of(text, 10.0, bold);
            for (accented, plain) in
                [("ÀÁÂÃÄÅ", "A"), ("ÈÉÊË", "E"), ("ÒÓÔÕÖ", "O"), ("ÙÚÛÜ", "U"), ("Ñ", "N"), ("Š", "S")]
            {
                assert!(accented.chars().all(|c| width(&c.to_string()).total_cmp(&width(plain)).is_eq()), "{accented}");
            }
        }
    }
}
