//! A user's text made comparable with word lists: one spelling for what reads the same.

use std::borrow::Cow;

use caseless::Caseless;
use unicode_general_category::{GeneralCategory, get_general_category};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// The text in NFKC, case-folded, without format characters. Patterns of the user's own run on this.
pub(crate) fn folded(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return if text.bytes().any(|b| b.is_ascii_uppercase()) {
            Cow::Owned(text.to_ascii_lowercase())
        } else {
            Cow::Borrowed(text)
        };
    }
    // Format characters go first, so that letters they separate can compose.
    let visible: String = text.chars().filter(|c| !is_format(*c)).collect();
    Cow::Owned(composed(composed(visible).chars().default_case_fold().collect()))
}

/// The text as [`folded`], with plain quotes and dashes and without the dots of `ё`, which writers leave out as they like.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    let text = folded(text);
    if text.is_ascii() {
        return text;
    }
    Cow::Owned(
        text.chars()
            .map(|c| match c {
                '\u{2018}'..='\u{201b}' | '\u{2032}' | '\u{2bc}' | '`' | '\u{b4}' => '\'',
                '\u{201c}'..='\u{201f}' | '\u{2033}' | '«' | '»' => '"',
                '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe63}' | '\u{ff0d}' => '-',
                'ё' => 'е',
                c => c,
            })
            .collect(),
    )
}

/// The text in NFKC, which it nearly always is already.
fn composed(text: String) -> String {
    match is_nfkc_quick(text.chars()) {
        IsNormalized::Yes => text,
        IsNormalized::No | IsNormalized::Maybe => text.nfkc().collect(),
    }
}

fn is_format(c: char) -> bool {
    !c.is_ascii() && get_general_category(c) == GeneralCategory::Format
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_spelling_for_what_reads_the_same() {
        assert_eq!(plain("ｙｅｓ"), "yes");
        assert_eq!(plain("ye\u{200b}s"), "yes");
        assert_eq!(plain("That’s “RIGHT” – ok"), "that's \"right\" - ok");
        assert_eq!(plain("Всё ВЕРНО"), "все верно");
    }

    #[test]
    fn plain_lower_case_text_is_borrowed() {
        assert!(matches!(plain("yes, please"), Cow::Borrowed(_)));
        assert_eq!(plain("YES"), "yes");
    }
}
