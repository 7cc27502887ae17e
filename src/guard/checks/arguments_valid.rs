//! The arguments, after lax coercion, are what the schema says, and hold no format characters.

use super::{Check, Outcome};

pub(super) const CHECK: Check = Check {
    name: "arguments_valid",
    description: "The arguments are what the tool's schema says, without invisible characters.",
    explanation: "Numbers and booleans written as text are read as such first. Unknown arguments are errors unless the schema \
                  allows them. Characters that can't be seen (Unicode category Cf) make a value differ from what people read, \
                  so a text or key with one is refused.",
    on_fail: Outcome::Deny,
    run: |proposed, results| {
        let case = proposed.case;
        let mut reasons: Vec<String> = case
            .faults
            .iter()
            .map(|fault| match fault.path.is_empty() {
                true => fault.message.clone(),
                false => format!("`{}`: {}", fault.path, fault.message),
            })
            .collect();
        reasons.extend(case.invisible.iter().map(|path| format!("`{path}` holds an invisible character")));
        CHECK.add(results, &reasons);
    },
};
