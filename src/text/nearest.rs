//! The known name that somebody probably meant.

/// The known name that is nearest to this one (letters swapped, left out, added or mistaken; case aside), if any is near:
/// at most one letter in three may differ.
pub fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    // Nobody misspells a name that long by a letter.
    if name.len() > 100 {
        return None;
    }
    let allowed = name.chars().count() / 3 + 1;
    let lower = name.to_lowercase();
    known
        .filter(|candidate| candidate.len() <= 100)
        .map(|candidate| (strsim::damerau_levenshtein(&lower, &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance <= allowed && *distance < candidate.chars().count())
        .min()
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_near() {
        let known = ["ground", "ground_from", "ground_last", "once"];
        assert_eq!(nearest("groud", known.into_iter()), Some("ground"));
        assert_eq!(nearest("groundfrom", known.into_iter()), Some("ground_from"));
        assert_eq!(nearest("Once", known.into_iter()), Some("once"));
        assert_eq!(nearest("authorizer", known.into_iter()), None);
        assert_eq!(nearest("x", ["a"].into_iter()), None);
    }
}
