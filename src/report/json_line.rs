//! Writing one JSON object on one line, keys in the order in which they are given, straight into bytes.
//!
//! Decisions are written by the million, with recorded values inside; their numbers keep their spelling.

use crate::json::Value;

use super::escape::json_string;

/// A JSON text under construction; the caller opens and closes what it writes.
#[derive(Debug, Default)]
pub struct JsonLine {
    out: Vec<u8>,
}

impl JsonLine {
    /// An empty text.
    pub fn new() -> Self {
        JsonLine::default()
    }

    /// Opens an object.
    pub fn open(&mut self) -> &mut Self {
        self.before_value();
        self.out.push(b'{');
        self
    }

    /// Closes an object.
    pub fn close(&mut self) -> &mut Self {
        self.out.push(b'}');
        self
    }

    /// Opens a list.
    pub fn open_list(&mut self) -> &mut Self {
        self.before_value();
        self.out.push(b'[');
        self
    }

    /// Closes a list.
    pub fn close_list(&mut self) -> &mut Self {
        self.out.push(b']');
        self
    }

    /// Writes a key; its value comes next.
    pub fn key(&mut self, key: &str) -> &mut Self {
        self.before_value();
        json_string(&mut self.out, key);
        self.out.push(b':');
        self
    }

    /// Writes a text.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.before_value();
        json_string(&mut self.out, text);
        self
    }

    /// Writes a text, or null.
    pub fn text_or_null(&mut self, text: Option<&str>) -> &mut Self {
        match text {
            Some(text) => self.text(text),
            None => self.raw("null"),
        }
    }

    /// Writes a count.
    pub fn count(&mut self, count: usize) -> &mut Self {
        self.raw(&count.to_string())
    }

    /// Writes a truth value, or null.
    pub fn truth(&mut self, truth: Option<bool>) -> &mut Self {
        self.raw(match truth {
            Some(true) => "true",
            Some(false) => "false",
            None => "null",
        })
    }

    /// Writes a float in its shortest form; null when there is none or it's no number.
    pub fn float(&mut self, float: Option<f64>) -> &mut Self {
        match float.and_then(serde_json::Number::from_f64) {
            Some(number) => self.raw(&number.to_string()),
            None => self.raw("null"),
        }
    }

    /// Writes a recorded value, numbers as they were spelled.
    pub fn value(&mut self, value: &Value<'_>) -> &mut Self {
        match value {
            Value::Null => self.raw("null"),
            Value::Bool(truth) => self.truth(Some(*truth)),
            Value::Number(number) => self.raw(number.as_str()),
            Value::String(text) => self.text(text),
            Value::Array(items) => {
                self.open_list();
                for item in items {
                    self.value(item);
                }
                self.close_list()
            }
            Value::Object(object) => {
                self.open();
                for (key, item) in object.iter() {
                    self.key(key).value(item);
                }
                self.close()
            }
        }
    }

    /// Ends the line and hands it out.
    pub fn end(mut self) -> Vec<u8> {
        self.out.push(b'\n');
        self.out
    }

    fn raw(&mut self, text: &str) -> &mut Self {
        self.before_value();
        self.out.extend_from_slice(text.as_bytes());
        self
    }

    /// A comma where a value or key follows another.
    fn before_value(&mut self) {
        if !matches!(self.out.last(), None | Some(b'{' | b'[' | b':' | b'\n')) {
            self.out.push(b',');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    #[test]
    fn keys_keep_their_order_and_numbers_their_spelling() {
        let mut line = JsonLine::new();
        line.open().key("z").text("a\"b").key("a").open_list().count(1).truth(None).close_list();
        line.key("v").value(&parse(r#"{"n": 1.50, "l": [], "o": {}, "s": [1, [2]]}"#).unwrap());
        line.key("f").float(Some(0.5)).key("g").float(Some(f64::NAN)).close();
        let text = String::from_utf8(line.end()).unwrap();
        assert_eq!(
            text,
            "{\"z\":\"a\\\"b\",\"a\":[1,null],\"v\":{\"n\":1.50,\"l\":[],\"o\":{},\"s\":[1,[2]]},\"f\":0.5,\"g\":null}\n"
        );
    }

    #[test]
    fn a_text_that_ends_like_an_opening_is_followed_by_a_comma() {
        let mut line = JsonLine::new();
        line.open_list().text("{").text("[").text(":").close_list();
        assert_eq!(line.end(), b"[\"{\",\"[\",\":\"]\n");
    }
}
