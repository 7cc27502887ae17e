//! What a character is: a letter, a digit, part of a word. One place, so that all matchers agree.

use unicode_general_category::{GeneralCategory, get_general_category};

/// Whether `c` is a format character (Unicode category Cf): invisible, and read as if it weren't there.
pub fn is_format(c: char) -> bool {
    !c.is_ascii() && get_general_category(c) == GeneralCategory::Format
}

/// Whether `c` is a letter or a number of any script. Combining marks are neither, unlike for [`char::is_alphanumeric`].
pub(crate) fn is_alphanumeric(c: char) -> bool {
    use GeneralCategory as G;
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    matches!(
        get_general_category(c),
        G::UppercaseLetter
            | G::LowercaseLetter
            | G::TitlecaseLetter
            | G::ModifierLetter
            | G::OtherLetter
            | G::DecimalNumber
            | G::LetterNumber
            | G::OtherNumber
    )
}

/// Whether `c` is part of a word: a letter or number of any script, or `_`.
pub(crate) fn is_word(c: char) -> bool {
    c == '_' || is_alphanumeric(c)
}

/// Whether `c` is a letter of a word of letters: part of a word, but no decimal digit and no `_`.
pub(crate) fn is_letter(c: char) -> bool {
    is_alphanumeric(c) && decimal_digit(c).is_none()
}

/// Whether `c` is a digit: a decimal one of any script, or one in a superscript, a circle and the like.
pub(crate) fn is_digit(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_digit();
    }
    match get_general_category(c) {
        GeneralCategory::DecimalNumber => true,
        // Other numbers are fractions and values of ten and more, save for these.
        GeneralCategory::OtherNumber => matches!(u32::from(c),
            0xB2 | 0xB3 | 0xB9 | 0x1369..=0x1371 | 0x19DA | 0x2070..=0x2089 | 0x2460..=0x2468 | 0x2474..=0x247C
            | 0x2488..=0x2490 | 0x24EA | 0x24F5..=0x24FD | 0x24FF | 0x2776..=0x277E | 0x2780..=0x2788 | 0x278A..=0x2792
            | 0x10A40..=0x10A43 | 0x10E60..=0x10E68 | 0x11052..=0x1105A | 0x1F100..=0x1F10A),
        _ => false,
    }
}

/// The value of a decimal digit of any script (Unicode category Nd).
pub(crate) fn decimal_digit(c: char) -> Option<u8> {
    if c.is_ascii() {
        return c.is_ascii_digit().then(|| c as u8 - b'0');
    }
    if get_general_category(c) != GeneralCategory::DecimalNumber {
        return None;
    }
    // Every script's digits are ten neighbours from zero to nine, so the place in the run is the value.
    let before = (1..u32::from(c))
        .map_while(|back| char::from_u32(u32::from(c) - back))
        .take_while(|&c| get_general_category(c) == GeneralCategory::DecimalNumber);
    u8::try_from(before.count() % 10).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_digits_of_every_script_have_their_value() {
        for (digits, from) in [("0123456789", '0'), ("٠١٢٣٤٥٦٧٨٩", '٠'), ("०१२३४५६७८९", '०'), ("０１２３４５６７８９", '０')]
        {
            for (i, c) in digits.chars().enumerate() {
                assert_eq!(decimal_digit(c), Some(u8::try_from(i).unwrap()), "{c} from {from}");
            }
        }
        // The mathematical digits: five runs of ten in a row.
        assert_eq!(decimal_digit('\u{1D7CE}'), Some(0));
        assert_eq!(decimal_digit('\u{1D7D9}'), Some(1));
        assert_eq!(decimal_digit('\u{1D7FF}'), Some(9));
        for c in ['²', '½', 'Ⅷ', 'a', '李'] {
            assert_eq!(decimal_digit(c), None, "{c}");
        }
    }

    #[test]
    fn words_hold_letters_and_numbers_of_any_script_but_no_marks() {
        assert!("aЯ李é_7٣²½Ⅷª".chars().all(is_word));
        assert!(!"\u{301}-. €°\u{200b}".chars().any(is_word));
        assert!("aЯ李Ⅷ".chars().all(is_letter) && !"7٣_".chars().any(is_letter));
        assert!("7٣²①".chars().all(is_digit) && !"½Ⅷa⑩".chars().any(is_digit));
    }

    #[test]
    fn format_characters_are_the_invisible_ones() {
        assert!("\u{ad}\u{200b}\u{200d}\u{202e}\u{2060}\u{feff}\u{e0041}".chars().all(is_format));
        assert!(!" a\u{a0}\u{301}\n\u{2028}".chars().any(is_format));
    }
}
