//! STUB.
use std::ops::Range;
use std::sync::Arc;

use crate::json;

/// stub
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Builtins {
    /// stub
    #[default]
    Call,
    /// stub
    Result,
}

/// stub
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// stub
    pub arguments: Vec<String>,
    /// stub
    pub open_arguments: bool,
    /// stub
    pub facts: Vec<String>,
    /// stub
    pub computed: Vec<String>,
    /// stub
    pub constants: Vec<(String, json::Value<'static>)>,
    /// stub
    pub builtins: Builtins,
}

/// stub
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ExpressionError {
    /// stub
    pub message: String,
    /// stub
    pub span: Range<usize>,
    /// stub
    pub help: Option<String>,
}

/// stub
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Variable {
    /// stub
    Argument(Arc<str>),
    /// stub
    Fact(usize),
    /// stub
    Computed(usize),
    /// stub
    Args,
    /// stub
    Tool,
    /// stub
    Conversation,
    /// stub
    UserRequest,
    /// stub
    Result,
    /// stub
    ResultText,
}

/// stub
#[derive(Debug, Clone)]
pub struct Expression {
    reads: Vec<Variable>,
}

impl Expression {
    /// stub
    pub fn compile(source: &str, scope: &Scope) -> Result<Expression, ExpressionError> {
        let mut reads = Vec::new();
        for (name, span) in free_names(source)? {
            let position = |list: &[String]| list.iter().position(|n| *n == name);
            let call = scope.builtins == Builtins::Call;
            reads.push(match name.as_str() {
                "args" => Variable::Args,
                "tool" if call => Variable::Tool,
                "conversation" if call => Variable::Conversation,
                "user_request" if call => Variable::UserRequest,
                "result" if !call => Variable::Result,
                "result_text" if !call => Variable::ResultText,
                _ => {
                    if position(&scope.arguments).is_some() {
                        Variable::Argument(name.into())
                    } else if let Some(i) = position(&scope.facts) {
                        Variable::Fact(i)
                    } else if let Some(i) = position(&scope.computed) {
                        Variable::Computed(i)
                    } else if scope.constants.iter().any(|(n, _)| *n == name) {
                        continue;
                    } else if scope.open_arguments {
                        Variable::Argument(name.into())
                    } else {
                        return Err(ExpressionError { message: format!("unknown name `{name}`"), span, help: None });
                    }
                }
            });
        }
        Ok(Expression { reads })
    }

    /// stub
    pub fn reads(&self) -> &[Variable] {
        &self.reads
    }
}

/// stub
pub fn free_names(source: &str) -> Result<Vec<(String, Range<usize>)>, ExpressionError> {
    let mut found: Vec<(String, Range<usize>)> = Vec::new();
    let mut quote: Option<char> = None;
    let mut word: Option<usize> = None;
    let mut before = ' ';
    let mut chars = source.char_indices().chain([(source.len(), '\0')]).peekable();
    while let Some((at, c)) = chars.next() {
        if let Some(q) = quote {
            if c == '\0' {
                return Err(ExpressionError { message: "unclosed text".into(), span: at..at, help: None });
            }
            if c == q {
                quote = None;
            }
            before = c;
            continue;
        }
        if c.is_alphanumeric() || c == '_' {
            word = word.or((before != '.').then_some(at).or(Some(usize::MAX)));
        } else {
            if let Some(start) = word.take().filter(|s| *s != usize::MAX) {
                let text = source.get(start..at).unwrap_or_default();
                let known = ["true", "false", "null", "in", "has"].contains(&text);
                let digit = text.starts_with(|c: char| c.is_ascii_digit());
                if !known && !digit && c != '(' {
                    found.push((text.to_owned(), start..at));
                }
            }
            if c == '\'' || c == '"' {
                quote = Some(c);
            }
            if c == '$' {
                return Err(ExpressionError { message: "unexpected `$`".into(), span: at..at + 1, help: None });
            }
            before = c;
        }
    }
    Ok(found)
}
