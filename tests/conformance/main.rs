//! Worked cases from the reference system, family by family.
//!
//! Reads every family in the folder `$DRYGUARD_CONFORMANCE` (else `../shared/conformance` beside the project), prints one line
//! a family and fails where a case differs that isn't on the list of reasoned differences (`tests/conformance/differences.toml`).

mod cases;
mod guard;

use cases::Family;

/// Each family: the file's name and how a case of it is checked.
const FAMILIES: &[Family] =
    &[Family { name: "decisions", check: guard::decisions }, Family { name: "gates", check: guard::gates }];

#[test]
fn the_worked_cases_agree() {
    cases::run(FAMILIES);
}
