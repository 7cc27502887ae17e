//! From text to CEL's syntax tree: the only file that runs the crate's parser, and that turns its errors into plain ones.

use std::ops::Range;

use cel::common::ast::{CallExpr, Expr, IdedExpr, SourceInfo};

use super::error::{ExpressionError, cut};

/// The longest source that is read, in bytes; long lists belong into constants.
pub(super) const MAX_SOURCE: usize = 16 * 1024;
/// The parser and the tree walks recurse; a chain of operators as long as [`MAX_SOURCE`] fits into this stack.
const STACK: usize = 64 << 20;
/// How many numbers beyond 64 bits a source may write; each costs another run of the parser.
const MAX_LARGE_NUMBERS: usize = 16;

/// The macros: calls on a list or map that bind a name (their first argument) in the others.
pub(super) const MACROS: &[(&str, &[usize])] =
    &[("all", &[2]), ("exists", &[2]), ("exists_one", &[2]), ("existsOne", &[2]), ("filter", &[2]), ("map", &[2, 3])];

/// Where everything in a parsed source stands.
pub(super) struct Places<'s> {
    pub(super) source: &'s str,
    info: SourceInfo,
}

impl Places<'_> {
    /// The bytes of the token that stands for a node: a name, a literal, an operator, a call's parenthesis.
    pub(super) fn token(&self, id: u64) -> Range<usize> {
        match self.info.offset_for(id) {
            // The parser's ends are inclusive.
            Some((start, end)) => start as usize..(end as usize + 1).min(self.source.len()),
            None => 0..self.source.len(),
        }
    }

    /// The name that is called at the parenthesis which stands for a call.
    pub(super) fn called(&self, id: u64) -> Range<usize> {
        let token = self.token(id);
        let before = self.source.get(..token.start).unwrap_or_default().trim_end();
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let start = before.trim_end_matches(word).len();
        if start == before.len() { token } else { start..before.len() }
    }

    /// The bytes from the first to the last token of a node.
    pub(super) fn whole(&self, node: &IdedExpr) -> Range<usize> {
        let mut span = self.token(node.id);
        let mut rest = vec![node];
        while let Some(part) = rest.pop() {
            let token = self.token(part.id);
            // A selection stands at its point; its field follows.
            let end = match &part.expr {
                Expr::Select(select) => self.after(token.end, &select.field),
                _ => token.end,
            };
            span = span.start.min(token.start)..span.end.max(end);
            rest.extend(children(&part.expr));
        }
        span
    }

    fn after(&self, start: usize, word: &str) -> usize {
        let rest = self.source.get(start..).unwrap_or_default();
        let blanks = rest.len() - rest.trim_start().len();
        if rest.trim_start().starts_with(word) { start + blanks + word.len() } else { start }
    }
}

/// Parses a source and hands its tree to `use_tree`, on a thread of its own: its stack is large enough for any source
/// that is accepted, and a bug in the parser can't take the program down.
pub(super) fn with_tree<T: Send>(
    source: &str,
    use_tree: impl FnOnce(&IdedExpr, &Places<'_>) -> Result<T, ExpressionError> + Send,
) -> Result<T, ExpressionError> {
    if source.len() > MAX_SOURCE {
        return Err(ExpressionError::new(format!("the expression is longer than {MAX_SOURCE} bytes"), 0..source.len()));
    }
    let work = || {
        let (tree, info) = parse(source)?;
        use_tree(&tree, &Places { source, info })
    };
    let outcome = std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).ok()?;
        worker.join().ok()
    });
    outcome.unwrap_or_else(|| Err(ExpressionError::new("the expression can't be read", 0..source.len())))
}

/// Numbers too large for the parser are read again as small ones of the same length: their value is taken from the source.
fn parse(source: &str) -> Result<(IdedExpr, SourceInfo), ExpressionError> {
    let environment = cel::Env::default().with_optional_support(false);
    let mut readable = source.to_owned();
    for _ in 0..MAX_LARGE_NUMBERS {
        let errors = match environment.parser().parse_with_source_info(&readable) {
            Ok(parsed) => return Ok(parsed),
            Err(errors) => errors.errors,
        };
        let large: Vec<_> = errors
            .iter()
            .filter(|error| matches!(error.msg.as_str(), "invalid int literal" | "invalid double literal"))
            .filter_map(|error| number_at(source, offset(source, error.pos)))
            .collect();
        if large.is_empty() || errors.len() > large.len() {
            let first = errors.first();
            let (position, message) = first.map_or(((1, 1), ""), |error| (error.pos, error.msg.as_str()));
            return Err(plain(source, position, message));
        }
        for span in large {
            // …0001, not zero: the parser's value keeps the sign.
            let stand_in = format!("{}1", "0".repeat(span.len().saturating_sub(1)));
            readable.replace_range(span, &stand_in);
        }
    }
    Err(ExpressionError::new("too many numbers beyond 64 bits", 0..source.len()))
}

/// The number token that begins at an offset.
fn number_at(source: &str, start: usize) -> Option<Range<usize>> {
    let rest = source.get(start..)?;
    let digits = |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let mut length = digits(rest);
    if let Some(fraction) = rest.get(length..).and_then(|after| after.strip_prefix('.')) {
        length += 1 + digits(fraction);
    }
    if let Some(exponent) = rest.get(length..).and_then(|after| after.strip_prefix(['e', 'E'])) {
        let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        length += 1 + (exponent.len() - unsigned.len()) + digits(unsigned);
    }
    (length > 0 && rest.starts_with(|c: char| c.is_ascii_digit() || c == '.')).then(|| start..start + length)
}

/// The byte offset of the parser's line and column, which count from 1, columns in characters.
fn offset(source: &str, (line, column): (isize, isize)) -> usize {
    let lines = usize::try_from(line).unwrap_or(1).saturating_sub(1);
    let columns = usize::try_from(column).unwrap_or(1).saturating_sub(1);
    let start: usize = source.split_inclusive('\n').take(lines).map(str::len).sum();
    let rest = source.get(start..).unwrap_or_default();
    start + rest.char_indices().nth(columns).map_or(rest.len(), |(at, _)| at)
}

/// An error of the parser in plain words.
fn plain(source: &str, position: (isize, isize), message: &str) -> ExpressionError {
    if message.contains("Recursion limit") {
        return ExpressionError::new("the expression is nested too deeply", 0..source.len());
    }
    let start = offset(source, position);
    let rest = source.get(start..).unwrap_or_default();
    if rest.trim().is_empty() {
        let end = source.trim_end().len();
        return ExpressionError::new("the expression ends where more is expected", end.min(start)..source.len());
    }
    let token = first_token(rest);
    let span = start..start + token.len();
    let shown = cut(token, 40);
    if let Some(word) = message.strip_prefix("reserved identifier: ") {
        return ExpressionError::new(format!("`{word}` is a reserved word"), span);
    }
    if message.contains("token recognition error") && token.starts_with(['\'', '"']) {
        return ExpressionError::new("a text isn't closed, or has an escape that doesn't exist", start..source.len())
            .help("close it with the same quote; write a backslash as `\\\\`");
    }
    if let Some(wanted) = message.strip_prefix("Syntax error: missing '").and_then(|text| text.split('\'').next()) {
        return ExpressionError::new(format!("`{wanted}` is missing before `{shown}`"), span);
    }
    if message.contains("unsupported syntax") {
        return ExpressionError::new(format!("`{shown}` is not supported here"), span);
    }
    if message.contains("literal") {
        return ExpressionError::new(format!("`{shown}` can't be read"), span);
    }
    let error = ExpressionError::new(format!("unexpected `{shown}`"), span);
    // Operators of other languages; `not x` fails at `x`.
    let previous = source.get(..start).unwrap_or_default().trim_end().rsplit([' ', '(']).next();
    match (token, previous) {
        ("=", _) => error.help("compare with `==`"),
        ("and" | "&", _) => error.help("write `&&`"),
        ("or" | "|", _) => error.help("write `||`"),
        ("is", _) => error.help("compare with `==`"),
        ("not", _) | (_, Some("not")) => error.help("write `!`: `!(a in b)`"),
        (">", Some("<")) => error.help("write `!=`"),
        ("#" | ";", _) => error.help("an expression is one value; comments begin with `//`"),
        _ => error,
    }
}

/// A word, a number or a single character, for showing it.
fn first_token(rest: &str) -> &str {
    let word = rest.len() - rest.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_').len();
    let end = if word > 0 { word } else { rest.chars().next().map_or(0, char::len_utf8) };
    rest.get(..end).unwrap_or_default()
}

/// The parts of a node, in the order they are written.
pub(super) fn children(expr: &Expr) -> Vec<&IdedExpr> {
    use cel::common::ast::EntryExpr;
    match expr {
        Expr::Call(call) => call.target.as_deref().into_iter().chain(&call.args).collect(),
        Expr::Select(select) => vec![&select.operand],
        Expr::List(list) => list.elements.iter().collect(),
        Expr::Map(map) => (map.entries.iter())
            .filter_map(|entry| match &entry.expr {
                EntryExpr::MapEntry(entry) => Some([&entry.key, &entry.value]),
                EntryExpr::StructField(_) => None,
            })
            .flatten()
            .collect(),
        _ => Vec::new(),
    }
}

/// A call of a macro, taken apart: what it goes over, the name it binds, and what is evaluated for each item.
pub(super) fn as_macro(call: &CallExpr) -> Option<(&IdedExpr, &IdedExpr, &[IdedExpr])> {
    let target = call.target.as_deref()?;
    let (_, arities) = MACROS.iter().find(|(name, _)| *name == call.func_name)?;
    let (bound, bodies) = call.args.split_first()?;
    arities.contains(&call.args.len()).then_some((target, bound, bodies))
}

/// The names that a source reads from outside, each once with the place of its first use, in the order of first use.
///
/// ```
/// use dryguard::catalog::expression::free_names;
///
/// let names = free_names("items.all(i, i in known) && has(role)").unwrap();
/// assert_eq!(names, [("items".into(), 0..5), ("known".into(), 18..23), ("role".into(), 32..36)]);
/// ```
pub fn free_names(source: &str) -> Result<Vec<(String, Range<usize>)>, ExpressionError> {
    with_tree(source, |tree, places| {
        let mut names: Vec<(String, Range<usize>)> = Vec::new();
        gather(tree, places, &mut Vec::new(), &mut names);
        names.sort_by_key(|(_, span)| span.start);
        Ok(names)
    })
}

fn gather<'t>(node: &'t IdedExpr, places: &Places<'_>, bound: &mut Vec<&'t str>, names: &mut Vec<(String, Range<usize>)>) {
    match &node.expr {
        Expr::Ident(name) => {
            if !bound.contains(&name.as_str()) && !names.iter().any(|(known, _)| known == name) {
                names.push((name.clone(), places.token(node.id)));
            }
        }
        Expr::Call(call) => {
            if let Some((target, variable, bodies)) = as_macro(call)
                && let Expr::Ident(variable) = &variable.expr
            {
                gather(target, places, bound, names);
                bound.push(variable);
                bodies.iter().for_each(|body| gather(body, places, bound, names));
                bound.pop();
                return;
            }
            children(&node.expr).into_iter().for_each(|child| gather(child, places, bound, names));
        }
        other => children(other).into_iter().for_each(|child| gather(child, places, bound, names)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn error(source: &str) -> (String, &str, Option<String>) {
        let error = with_tree(source, |_, _| Ok(())).unwrap_err();
        (error.message, source.get(error.span).unwrap(), error.help)
    }

    #[test]
    fn syntax_errors_are_short_and_placed() {
        for (source, message, marked) in [
            ("", "the expression ends where more is expected", ""),
            ("a + ", "the expression ends where more is expected", " "),
            ("a b", "unexpected `b`", "b"),
            ("a = b", "unexpected `=`", "="),
            ("'é' == a and b", "unexpected `and`", "and"),
            ("not a", "unexpected `a`", "a"),
            ("(a", "the expression ends where more is expected", ""),
            ("a)", "unexpected `)`", ")"),
            ("{'a' 1}", "`:` is missing before `1`", "1"),
            ("a == 'abc", "a text isn't closed, or has an escape that doesn't exist", "'abc"),
            ("a && if", "`if` is a reserved word", "if"),
            ("a\n  && é", "unexpected `é`", "é"),
            ("a.?b", "`.` is not supported here", "."),
        ] {
            let (got, span, _) = error(source);
            assert_eq!((got.as_str(), span), (message, marked), "{source}");
        }
        assert_eq!(error("a = b").2.as_deref(), Some("compare with `==`"));
        assert_eq!(error("a and b").2.as_deref(), Some("write `&&`"));
    }

    #[test]
    fn hostile_sources_are_errors_not_crashes() {
        assert!(error(&"(".repeat(10_000)).0.contains("nested too deeply"));
        assert!(error(&"a".repeat(MAX_SOURCE + 1)).0.contains("longer than"));
        for chain in ["a+", "a.", "a<", "a&&", "a[0]+", "!", "- "] {
            let source = format!("{}a", chain.repeat((MAX_SOURCE - 1) / chain.len()));
            assert!(with_tree(&source, |_, _| Ok(())).is_ok(), "{chain}");
        }
    }

    #[test]
    fn free_names_leave_out_what_macros_bind() {
        let names = |source| free_names(source).unwrap().into_iter().map(|(name, _)| name).collect::<Vec<_>>();
        assert_eq!(names("a.b.c + d['e'] + f(g)"), ["a", "d", "g"]);
        assert_eq!(names("xs.map(i, i > low, i + i) + i"), ["xs", "low", "i"]);
        assert_eq!(names("xs.all(i, ys.exists(j, i == j))"), ["xs", "ys"]);
        assert_eq!(names("{'k': v}.k"), ["v"]);
        assert!(names("99999999999999999999 > 1").is_empty());
    }

    proptest! {
        #[test]
        fn never_panics(source in "[a-c0-9 .,()\\[\\]{}'\"&|!=<>+*/%?:é\n-]{0,24}") {
            match free_names(&source) {
                Ok(names) => for (name, span) in names {
                    prop_assert!(source.get(span).is_some_and(|text| name.ends_with(text)));
                },
                Err(error) => prop_assert!(source.get(error.span.clone()).is_some(), "{error:?}"),
            }
        }
    }
}
