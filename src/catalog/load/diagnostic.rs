//! A mistake in a file: what is wrong, where, and what to do about it.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};

/// A file that was read, for showing places in it.
#[derive(Debug)]
pub struct Source {
    /// The file as it was named.
    pub name: String,
    /// Its text; empty when it could not be read.
    pub text: String,
    /// The folder that files named in it are relative to.
    pub folder: Option<PathBuf>,
}

/// A place in a file.
#[derive(Clone)]
pub struct Span {
    /// The file.
    pub source: Arc<Source>,
    /// From which byte to which.
    pub range: Range<usize>,
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{:?}", self.source.name, self.range)
    }
}

impl Span {
    /// The line and the column in characters, both from 1, at which it starts.
    pub fn line_and_column(&self) -> (usize, usize) {
        let text = &self.source.text;
        let start = floor(text, self.range.start);
        let before = text.get(..start).unwrap_or_default();
        let line = before.bytes().filter(|b| *b == b'\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        (line, column)
    }

    /// The range, within the text and on character boundaries.
    fn shown(&self) -> Range<usize> {
        let start = floor(&self.source.text, self.range.start);
        start..floor(&self.source.text, self.range.end).max(start)
    }
}

/// The next character boundary at or before an offset.
fn floor(text: &str, offset: usize) -> usize {
    let mut at = offset.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The catalog can't be used.
    Error,
    /// It can, but probably not as it was meant.
    Warning,
}

/// One mistake (or doubt) with its place.
#[derive(Debug, Clone)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in a line.
    pub message: String,
    /// Where; nothing when a file as a whole could not be read.
    pub span: Option<Span>,
    /// The key at fault with the keys above it: `tools.cancel_order.ground`.
    pub key: String,
    /// A few words beside the underlined place.
    pub label: Option<String>,
    /// What to do about it.
    pub help: Option<String>,
    /// Another place that has to do with it, and how.
    pub related: Option<(Span, String)>,
}

impl Diagnostic {
    /// An error that is at no place in a file.
    pub fn error(message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            message: message.into(),
            span: None,
            key: String::new(),
            label: None,
            help: None,
            related: None,
        }
    }

    /// A place for it, and the key there.
    pub(crate) fn at(mut self, span: Span, key: &str) -> Diagnostic {
        self.span = Some(span);
        self.key = key.to_owned();
        self
    }

    /// A warning of the same.
    pub(crate) fn warning(mut self) -> Diagnostic {
        self.severity = Severity::Warning;
        self
    }

    /// A few words beside the place.
    pub(crate) fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = Some(label.into());
        self
    }

    /// What to do about it.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// What to do about it, if there is anything to say.
    pub(crate) fn maybe_help(mut self, help: Option<String>) -> Diagnostic {
        self.help = help.or(self.help);
        self
    }

    /// Another place that has to do with it.
    pub(crate) fn related(mut self, span: Span, label: impl Into<String>) -> Diagnostic {
        self.related = Some((span, label.into()));
        self
    }

    /// The file as it was named; empty when there's none.
    pub fn file(&self) -> &str {
        self.span.as_ref().map_or("", |span| &span.source.name)
    }

    /// The line and the column in characters, both from 1.
    pub fn line_and_column(&self) -> Option<(usize, usize)> {
        self.span.as_ref().map(Span::line_and_column)
    }

    /// As people read it, the place underlined; `colour` for a terminal.
    pub fn render(&self, colour: bool) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let mut group = level
            .primary_title(self.message.as_str())
            .elements(Vec::<Snippet<'_, annotate_snippets::Annotation<'_>>>::new());
        if let Some(span) = &self.span {
            let own = AnnotationKind::Primary.span(span.shown()).label(self.label.as_deref());
            let mut snippet = Snippet::source(span.source.text.as_str()).path(span.source.name.as_str()).annotation(own);
            let mut other = None;
            if let Some((place, label)) = &self.related {
                let annotation = AnnotationKind::Context.span(place.shown()).label(label.as_str());
                if Arc::ptr_eq(&place.source, &span.source) {
                    snippet = snippet.annotation(annotation);
                } else {
                    other = Some(
                        Snippet::source(place.source.text.as_str()).path(place.source.name.as_str()).annotation(annotation),
                    );
                }
            }
            // A file that could not be read has no text to underline.
            group = match span.source.text.is_empty() {
                true => group.element(Origin::path(span.source.name.as_str())),
                false => group.element(snippet),
            };
            if let Some(other) = other {
                group = group.element(other);
            }
        }
        if let Some(help) = &self.help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        renderer.decor_style(DecorStyle::Ascii).render(&[group])
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

/// As machines read it: severity, file, line, column, key, message, help.
impl serde::Serialize for Diagnostic {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct as _;
        let place = self.line_and_column();
        let mut out = serializer.serialize_struct("Diagnostic", 7)?;
        out.serialize_field("severity", &self.severity)?;
        out.serialize_field("file", self.file())?;
        out.serialize_field("line", &place.map(|(line, _)| line))?;
        out.serialize_field("column", &place.map(|(_, column)| column))?;
        out.serialize_field("key", &self.key)?;
        out.serialize_field("message", &self.message)?;
        out.serialize_field("help", &self.help)?;
        out.end()
    }
}

/// Everything that makes a catalog unusable, and the warnings beside it; in the order of the files and of the places in them.
#[derive(Debug, Clone)]
pub struct CatalogErrors(Vec<Diagnostic>);

impl CatalogErrors {
    pub(super) fn new(diagnostics: Vec<Diagnostic>) -> CatalogErrors {
        CatalogErrors(diagnostics)
    }

    /// The mistakes and doubts.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.0
    }

    /// As people read them; `colour` for a terminal.
    pub fn render(&self, colour: bool) -> String {
        let each: Vec<String> = self.0.iter().map(|diagnostic| diagnostic.render(colour)).collect();
        each.join("\n\n")
    }
}

impl fmt::Display for CatalogErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for CatalogErrors {}
