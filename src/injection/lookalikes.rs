//! Letters that look like Latin ones, for words that mix scripts to slip past a reader of words.

/// The Latin letter that a Cyrillic, Greek or other letter (lower case) looks like.
pub(super) fn latin_for(c: char) -> Option<char> {
    Some(match c {
        'а' | 'α' | 'ɑ' => 'a',
        'в' | 'β' | 'ʙ' => 'b',
        'с' | 'ϲ' | 'ᴄ' => 'c',
        'ԁ' | 'ɗ' | 'ᴅ' => 'd',
        'е' | 'ё' | 'ε' | 'ҽ' | 'ᴇ' => 'e',
        'ғ' | 'ϝ' => 'f',
        'ɡ' | 'ց' | 'ɢ' => 'g',
        'һ' | 'н' | 'հ' | 'ʜ' => 'h',
        'і' | 'ї' | 'ι' | 'ı' | 'ɪ' | 'ɩ' => 'i',
        'ј' | 'ϳ' | 'ᴊ' => 'j',
        'к' | 'κ' | 'ĸ' | 'ᴋ' => 'k',
        'ӏ' | 'ʟ' | 'ℓ' | 'ⅼ' => 'l',
        'м' | 'μ' | 'ᴍ' => 'm',
        'ո' | 'η' | 'ɴ' | 'п' => 'n',
        'о' | 'ο' | 'σ' | 'օ' | 'ᴏ' => 'o',
        'р' | 'ρ' | 'ᴘ' => 'p',
        'ԛ' | 'զ' => 'q',
        'г' | 'ʀ' => 'r',
        'ѕ' | 'ꜱ' => 's',
        'т' | 'τ' | 'ᴛ' => 't',
        'υ' | 'ս' | 'ᴜ' | 'ц' => 'u',
        'ν' | 'ѵ' | 'ᴠ' => 'v',
        'ԝ' | 'ω' | 'ѡ' | 'ᴡ' => 'w',
        'х' | 'χ' => 'x',
        'у' | 'γ' | 'ү' | 'ʏ' => 'y',
        'ᴢ' => 'z',
        _ => return None,
    })
}
