//! The functions that expressions may call: a table with name, shape and meaning, and what each does.

use std::sync::Arc;

use super::error::{Failure, cut};
use super::meter::Meter;
use super::number::Exact;
use super::types::Type;
use super::value::Val;

/// How a function is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// `f(x)`.
    Global,
    /// `x.f()`.
    Method,
    /// Either way.
    Both,
}

/// A function of the table. Arguments count the value that a method is called on.
#[derive(Debug)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// How it is called.
    pub shape: Shape,
    /// What it gives.
    pub gives: Type,
    /// The fewest arguments.
    pub least: usize,
    /// The most arguments.
    pub most: usize,
    /// What it does, for the documentation.
    pub doc: &'static str,
    pub(super) run: Body,
}

type Body = for<'v> fn(&[&Val<'v>], &Meter) -> Result<Val<'v>, Failure>;

const ANY_NUMBER: usize = usize::MAX;

/// Every function, by name. `has`, `matches` (its pattern must be a literal) and the macros are no functions.
pub static FUNCTIONS: &[Function] = &[
    f("abs", Shape::Global, Type::Number, 1, 1, "a number without its sign", abs),
    f("bool", Shape::Global, Type::Bool, 1, 1, "a boolean from a boolean or from the text `true` or `false`", to_bool),
    f("contains", Shape::Method, Type::Bool, 2, 2, "whether a text contains another", contains),
    f("double", Shape::Global, Type::Number, 1, 1, "a number from a number or from its text", to_number),
    f("endsWith", Shape::Method, Type::Bool, 2, 2, "whether a text ends with another", ends_with),
    f(
        "int",
        Shape::Global,
        Type::Number,
        1,
        1,
        "a whole number: a number without its fraction, or the text of a whole number",
        to_int,
    ),
    f("join", Shape::Method, Type::Text, 1, 2, "the texts of a list as one, with a separator between", join),
    f("lowerAscii", Shape::Method, Type::Text, 1, 1, "a text with the letters A-Z in lower case", lower_ascii),
    f("max", Shape::Global, Type::Number, 1, ANY_NUMBER, "the largest of some numbers, or of a list of them", max),
    f("min", Shape::Global, Type::Number, 1, ANY_NUMBER, "the smallest of some numbers, or of a list of them", min),
    f(
        "replace",
        Shape::Method,
        Type::Text,
        3,
        4,
        "a text with one part replaced by another, everywhere or so many times",
        replace,
    ),
    f("size", Shape::Both, Type::Number, 1, 1, "how many characters a text, items a list, keys a map has", size),
    f("split", Shape::Method, Type::List, 2, 3, "the parts of a text between separators, all or at most so many", split),
    f("startsWith", Shape::Method, Type::Bool, 2, 2, "whether a text starts with another", starts_with),
    f("string", Shape::Global, Type::Text, 1, 1, "the text of a number or a boolean", to_text),
    f(
        "substring",
        Shape::Method,
        Type::Text,
        2,
        3,
        "the characters of a text from one position, to its end or to another",
        substring,
    ),
    f("trim", Shape::Method, Type::Text, 1, 1, "a text without blanks at its ends", trim),
    f("upperAscii", Shape::Method, Type::Text, 1, 1, "a text with the letters a-z in upper case", upper_ascii),
];

const fn f(
    name: &'static str,
    shape: Shape,
    gives: Type,
    least: usize,
    most: usize,
    doc: &'static str,
    run: Body,
) -> Function {
    Function { name, shape, gives, least, most, doc, run }
}

static NOTHING: Val<'static> = Val::Null;

/// The argument at a position; null when there is none, which every function refuses as a type it isn't defined for.
fn argument<'a, 'v>(arguments: &[&'a Val<'v>], index: usize) -> &'a Val<'v> {
    arguments.get(index).copied().unwrap_or(&NOTHING)
}

/// The text at a position; reading it is charged.
fn text<'a>(function: &'static str, arguments: &[&'a Val<'_>], index: usize, meter: &Meter) -> Result<&'a str, Failure> {
    let value = argument(arguments, index);
    let text = value.as_text().ok_or(Failure::Operand { function, kind: value.kind() })?;
    meter.read(text)?;
    Ok(text)
}

fn number<'a>(function: &'static str, value: &'a Val<'_>) -> Result<&'a Exact, Failure> {
    value.as_number().ok_or(Failure::Operand { function, kind: value.kind() })
}

/// A whole number at a position, if there is one.
fn whole(function: &'static str, arguments: &[&Val<'_>], index: usize) -> Result<Option<i64>, Failure> {
    match arguments.get(index) {
        None => Ok(None),
        Some(value) => number(function, value)?.to_i64().map(Some).ok_or(Failure::Position { function }),
    }
}

/// Part of a text: still borrowed from the recording if the text is.
fn part<'v>(text: &Val<'v>, part: impl for<'t> Fn(&'t str) -> Option<&'t str>) -> Option<Val<'v>> {
    match text {
        Val::Text(text) => part(text).map(Val::Text),
        Val::Made(text) => part(text).map(|part| Val::Made(part.into())),
        _ => None,
    }
}

fn abs<'v>(arguments: &[&Val<'v>], _: &Meter) -> Result<Val<'v>, Failure> {
    let number = number("abs", argument(arguments, 0))?;
    Ok(if number.is_negative() { number.negate() } else { number.clone() }.into())
}

fn contains<'v>(arguments: &[&Val<'v>], meter: &Meter) -> Result<Val<'v>, Failure> {
    Ok(text("contains", arguments, 0, meter)?.contains(text("contains", arguments, 1, meter)?).into())
}

fn starts_with<'v>(arguments: &[&Val<'v>], meter: &Meter) -> Result<Val<'v>, Failure> {
    let prefix = text("startsWith", arguments, 1, meter)?;
    let whole = argument(arguments, 0);
    let whole = whole.as_text().ok_or(Failure::Operand { function: "startsWith", kind: whole.kind() })?;
    Ok(whole.starts_with(prefix).into())
}

fn ends_with<'v>(arguments: &[&Val<'v>], meter: &Meter) -> Result<Val<'v>, Failure> {
    let suffix = text("endsWith", arguments, 1, meter)?;
    let whole = argument(arguments, 0);
    let whole = whole.as_text().ok_or(Failure::Operand { function: "endsWith", kind: whole.kind() })?;
    Ok(whole.ends_with(suffix).into())
}

fn lower_ascii<'v>(arguments: &[&Val<'v>], meter: &Meter) -> Result<Val<'v>, Failure> {
    Ok(text("lowerAscii", arguments, 0, meter)?.to_ascii_lowercase().into())
}

fn upper_ascii<'v>(arguments: &[&Val<'v>], meter: &Meter) -> Result<Val<'v>, Failure> {
    Ok(text("upperAscii", arguments, 0, meter)?.to_ascii_uppercase().into())
}

fn trim<'v>(arguments: &[&Val<'v>], meter: &Meter) -> Result<Val<'v>, Failure> {
    text("trim", arguments, 0, meter)?;
    Ok(part(argument(arguments, 0), |text| Some(text.trim())).unwrap_or_default())
}

fn size<'v>(arguments: &[&Val<'v>], meter: &Meter) -> Result<Val<'v>, Failure> {
    let value = argument(arguments, 0);
    let size = if let Some(text) = value.as_text() {
        meter.read(text)?;
        text.chars().count()
    } else if let Some(items) = value.items() {
        items.len()
    } else {
        let size = value.map_size().ok_or(Failure::Operand { function: "size", kind: value.kind() })?;
        meter.charge(size)?;
        size
    };
    Ok(Exact::from(size).into())
}

fn split<'v>(arguments: &[&Val<'v>], meter: &Meter) -> Result<Val<'v>, Failure> {
    let whole_text = text("split", arguments, 0, meter)?;
    let separator = text("split", arguments, 1, meter)?;
    let limit = match whole("split", arguments, 2)? {
        None | Some(i64::MIN..=-1) => usize::MAX,
        Some(limit) => usize::try_from(limit).unwrap_or(usize::MAX),
    };
    // An empty separator parts the characters, without empty texts at the ends.
    let count = if separator.is_empty() { whole_text.chars().count() } else { whole_text.matches(separator).count() + 1 };
    meter.charge(count.min(limit))?;
    let base = argument(arguments, 0);
    let mut start = 0;
    let mut parts = Vec::with_capacity(count.min(limit));
    for nth in 1..=count.min(limit) {
        let rest = whole_text.get(start..).unwrap_or_default();
        let (length, gap) = if nth == limit {
            (rest.len(), 0)
        } else if separator.is_empty() {
            (rest.chars().next().map_or(0, char::len_utf8), 0)
        } else {
            (rest.find(separator).unwrap_or(rest.len()), separator.len())
        };
        parts.push(part(base, |text| text.get(start..start + length)).unwrap_or_default());
        start += length + gap;
    }
    Ok(parts.into())
}

fn join<'v>(arguments: &[&Val<'v>], meter: &Meter) -> Result<Val<'v>, Failure> {
    let list = argument(arguments, 0);
    let items = list.items().ok_or(Failure::Operand { function: "join", kind: list.kind() })?;
    let separator = if arguments.len() > 1 { text("join", arguments, 1, meter)? } else { "" };
    let mut joined = String::new();
    for (nth, item) in items.iter().enumerate() {
        let item_text = item.as_text().ok_or(Failure::Operand { function: "join", kind: "a list with other items" })?;
        meter.charge(1)?;
        meter.bytes(item_text.len() + separator.len())?;
        if nth > 0 {
            joined.push_str(separator);
        }
        joined.push_str(item_text);
    }
    Ok(joined.into())
}

fn replace<'v>(arguments: &[&Val<'v>], meter: &Meter) -> Result<Val<'v>, Failure> {
    let whole_text = text("replace", arguments, 0, meter)?;
    let (old, new) = (text("replace", arguments, 1, meter)?, text("replace", arguments, 2, meter)?);
    let most = match whole("replace", arguments, 3)? {
        None | Some(i64::MIN..=-1) => usize::MAX,
        Some(most) => usize::try_from(most).unwrap_or(usize::MAX),
    };
    // Charged before it is made: the result may be far longer than what it is made of.
    let count = whole_text.matches(old).take(most).count();
    meter.bytes(count.saturating_mul(new.len()))?;
    Ok(whole_text.replacen(old, new, count).into())
}

fn substring<'v>(arguments: &[&Val<'v>], meter: &Meter) -> Result<Val<'v>, Failure> {
    let whole_text = text("substring", arguments, 0, meter)?;
    let outside = Failure::Position { function: "substring" };
    let byte = |position: i64| -> Option<usize> {
        let position = usize::try_from(position).ok()?;
        whole_text.char_indices().map(|(at, _)| at).chain([whole_text.len()]).nth(position)
    };
    let start = whole("substring", arguments, 1)?.and_then(byte);
    let end = match whole("substring", arguments, 2)? {
        Some(position) => byte(position),
        None => Some(whole_text.len()),
    };
    let (Some(start), Some(end)) = (start, end) else { return Err(outside) };
    part(argument(arguments, 0), |text| text.get(start..end)).ok_or(outside)
}

fn to_int<'v>(arguments: &[&Val<'v>], meter: &Meter) -> Result<Val<'v>, Failure> {
    let value = argument(arguments, 0);
    if let Val::Number(number) = value {
        meter.bytes(number.weight())?;
        return Ok(number.truncate()?.into());
    }
    let text = text("int", arguments, 0, meter)?;
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let wrong = || Failure::Conversion { text: cut(text, 40).into(), wanted: "whole number" };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(wrong());
    }
    Exact::from_spelling(text.strip_prefix('+').unwrap_or(text)).map(Val::Number).ok_or_else(wrong)
}

fn to_number<'v>(arguments: &[&Val<'v>], meter: &Meter) -> Result<Val<'v>, Failure> {
    let value = argument(arguments, 0);
    if let Val::Number(number) = value {
        return Ok(number.clone().into());
    }
    let text = text("double", arguments, 0, meter)?;
    let wrong = Failure::Conversion { text: cut(text, 40).into(), wanted: "number" };
    Exact::from_spelling(text.strip_prefix('+').unwrap_or(text)).map(Val::Number).ok_or(wrong)
}

fn to_text<'v>(arguments: &[&Val<'v>], _: &Meter) -> Result<Val<'v>, Failure> {
    match argument(arguments, 0) {
        text @ (Val::Text(_) | Val::Made(_)) => Ok((*text).clone()),
        Val::Number(number) => Ok(number.to_string().into()),
        Val::Bool(truth) => Ok(Val::Made(Arc::from(if *truth { "true" } else { "false" }))),
        other => Err(Failure::Operand { function: "string", kind: other.kind() }),
    }
}

fn to_bool<'v>(arguments: &[&Val<'v>], meter: &Meter) -> Result<Val<'v>, Failure> {
    if let Val::Bool(truth) = argument(arguments, 0) {
        return Ok((*truth).into());
    }
    match text("bool", arguments, 0, meter)? {
        "true" | "True" | "TRUE" | "t" | "1" => Ok(true.into()),
        "false" | "False" | "FALSE" | "f" | "0" => Ok(false.into()),
        other => Err(Failure::Conversion { text: cut(other, 40).into(), wanted: "boolean" }),
    }
}

fn max<'v>(arguments: &[&Val<'v>], meter: &Meter) -> Result<Val<'v>, Failure> {
    extreme("max", arguments, meter, |candidate, best| candidate > best)
}

fn min<'v>(arguments: &[&Val<'v>], meter: &Meter) -> Result<Val<'v>, Failure> {
    extreme("min", arguments, meter, |candidate, best| candidate < best)
}

fn extreme<'v>(
    function: &'static str,
    arguments: &[&Val<'v>],
    meter: &Meter,
    better: fn(&Exact, &Exact) -> bool,
) -> Result<Val<'v>, Failure> {
    let mut best: Option<Exact> = None;
    let mut take = |value: &Val<'_>| -> Result<(), Failure> {
        meter.charge(1)?;
        let number = number(function, value)?;
        meter.bytes(number.weight())?;
        if best.as_ref().is_none_or(|best| better(number, best)) {
            best = Some(number.clone());
        }
        Ok(())
    };
    match arguments {
        [list] if list.items().is_some() => {
            for item in list.items().into_iter().flat_map(super::value::Items::iter) {
                take(&item)?;
            }
        }
        several => several.iter().try_for_each(|value| take(value))?,
    }
    best.map(Val::Number).ok_or(Failure::Empty { function })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_described() {
        assert!(FUNCTIONS.is_sorted_by(|a, b| a.name < b.name));
        assert!(FUNCTIONS.iter().all(|function| !function.doc.is_empty() && function.least <= function.most));
    }

    #[test]
    fn parts_of_recorded_texts_stay_borrowed() {
        let meter = Meter::new();
        let parts = split(&[&Val::Text("a, b"), &Val::Text(", ")], &meter).unwrap();
        assert!(matches!(parts.items().unwrap().get(1), Some(Val::Text("b"))));
        assert!(matches!(trim(&[&Val::Text(" x\n")], &meter), Ok(Val::Text("x"))));
    }

    #[test]
    fn making_long_texts_runs_out_of_steps_before_memory() {
        let long = "a".repeat(1_000_000);
        let result = replace(&[&Val::Text(&long), &Val::Text("a"), &Val::Text(&long)], &Meter::new());
        assert_eq!(result.unwrap_err(), Failure::Budget);
    }
}
