//! What an expression can't be: types that clash whatever the values are, told when it is loaded.
//!
//! This is no type system: a name whose type isn't known is anything, and only what fails (or compares what is never
//! equal) for every value is said.

use super::node::{Each, EachKind, Node, Operator};
use super::value::Val;
use super::{Expression, Variable};

/// A type of value, as far as it is known without running anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    /// Not known.
    Any,
    /// Nothing but null.
    Null,
    /// true or false.
    Bool,
    /// A number.
    Number,
    /// A text.
    Text,
    /// A list.
    List,
    /// A map.
    Map,
}

impl Type {
    fn kind(self) -> &'static str {
        match self {
            Type::Any => "anything",
            Type::Null => "null",
            Type::Bool => "a boolean",
            Type::Number => "a number",
            Type::Text => "a text",
            Type::List => "a list",
            Type::Map => "a map",
        }
    }

    /// Whether a value may be of one of these types.
    fn may_be(self, types: &[Type]) -> bool {
        self == Type::Any || types.contains(&self)
    }

    fn of(value: &Val<'_>) -> Type {
        match value {
            Val::Null => Type::Null,
            Val::Bool(_) => Type::Bool,
            Val::Number(_) => Type::Number,
            Val::Text(_) | Val::Made(_) => Type::Text,
            Val::Array(_) | Val::List(_) => Type::List,
            Val::Object(_) | Val::Map(_) => Type::Map,
        }
    }
}

impl Expression {
    /// What can't work in it, given its variables' types, each in a line; `test`: it must be true or false.
    pub fn clashes(&self, type_of: &dyn Fn(&Variable) -> Type, test: bool) -> Vec<String> {
        let compiled = &self.0;
        let types: Vec<Type> = compiled.reads.iter().map(type_of).collect();
        let mut finder = Finder { types, clashes: Vec::new() };
        let whole = finder.of(&compiled.root);
        if test && !whole.may_be(&[Type::Bool]) {
            finder.clashes.push(format!("it gives {}, not true or false", whole.kind()));
        }
        finder.clashes
    }
}

struct Finder {
    types: Vec<Type>,
    clashes: Vec<String>,
}

impl Finder {
    fn of(&mut self, node: &Node) -> Type {
        match node {
            Node::Constant(value) => Type::of(value),
            Node::Variable { index, .. } => self.types.get(*index).copied().unwrap_or(Type::Any),
            Node::Local(_) => Type::Any,
            Node::Field(field) => {
                let of = self.of(&field.of);
                if !of.may_be(&[Type::Map]) {
                    self.clashes.push(format!("{} has no field `{}`", of.kind(), field.key));
                }
                Type::Any
            }
            Node::Index(index) => {
                let (of, key) = (self.of(&index.of), self.of(&index.key));
                let wanted = match of {
                    Type::List => Type::Number,
                    Type::Map => Type::Text,
                    Type::Any => Type::Any,
                    other => {
                        self.clashes.push(format!("{} has no items", other.kind()));
                        Type::Any
                    }
                };
                if wanted != Type::Any && !key.may_be(&[wanted]) {
                    self.clashes.push(format!("an item of {} is named by {}, not {}", of.kind(), wanted.kind(), key.kind()));
                }
                Type::Any
            }
            Node::Has(path) => {
                self.of(path);
                Type::Bool
            }
            Node::Not(inner) => {
                self.test("!", inner);
                Type::Bool
            }
            Node::Negate(inner) => {
                let of = self.of(inner);
                self.want("-", of, &[Type::Number]);
                Type::Number
            }
            Node::Binary(operator, sides) => {
                let [left, right] = sides.as_ref();
                let (left, right) = (self.of(left), self.of(right));
                self.binary(*operator, left, right)
            }
            Node::And(sides) => {
                sides.iter().for_each(|side| self.test("&&", side));
                Type::Bool
            }
            Node::Or(sides) => {
                sides.iter().for_each(|side| self.test("||", side));
                Type::Bool
            }
            Node::If(parts) => {
                let [condition, yes, no] = parts.as_ref();
                self.test("?", condition);
                let (yes, no) = (self.of(yes), self.of(no));
                if yes == no { yes } else { Type::Any }
            }
            Node::List(items) => {
                items.iter().for_each(|item| {
                    self.of(item);
                });
                Type::List
            }
            Node::Map(entries) => {
                entries.iter().flatten().for_each(|part| {
                    self.of(part);
                });
                Type::Map
            }
            Node::Matches(parts) => {
                let of = self.of(&parts.0);
                self.want("matches", of, &[Type::Text]);
                Type::Bool
            }
            Node::Call(function, arguments) => {
                arguments.iter().for_each(|argument| {
                    self.of(argument);
                });
                function.gives
            }
            Node::Each(each) => self.each(each),
        }
    }

    fn each(&mut self, each: &Each) -> Type {
        let over = self.of(&each.over);
        if !over.may_be(&[Type::List, Type::Map]) {
            self.clashes.push(format!("{} has no items to go over", over.kind()));
        }
        if let Some(keep) = &each.keep {
            self.test("map", keep);
        }
        match each.kind {
            EachKind::Map => {
                self.of(&each.body);
                Type::List
            }
            EachKind::Filter => {
                self.test("filter", &each.body);
                Type::List
            }
            EachKind::All | EachKind::Exists | EachKind::ExistsOne => {
                self.test("a macro", &each.body);
                Type::Bool
            }
        }
    }

    fn test(&mut self, what: &'static str, node: &Node) {
        let of = self.of(node);
        if !of.may_be(&[Type::Bool]) {
            self.clashes.push(format!("`{what}` takes true or false, not {}", of.kind()));
        }
    }

    fn want(&mut self, what: &'static str, of: Type, types: &[Type]) {
        if !of.may_be(types) {
            self.clashes.push(format!("`{what}` is not defined for {}", of.kind()));
        }
    }

    fn binary(&mut self, operator: Operator, left: Type, right: Type) -> Type {
        let symbol = operator.symbol();
        let known = left != Type::Any && right != Type::Any;
        let undefined = |finder: &mut Finder| {
            finder.clashes.push(format!("`{symbol}` is not defined for {} and {}", left.kind(), right.kind()));
        };
        match operator {
            Operator::Equal | Operator::NotEqual => {
                if known && left != right && left != Type::Null && right != Type::Null {
                    let ever = if operator == Operator::Equal { "never" } else { "always" };
                    self.clashes.push(format!("{} is {ever} `{symbol}` {}", left.kind(), right.kind()));
                }
                Type::Bool
            }
            Operator::In => {
                if !right.may_be(&[Type::List, Type::Map]) {
                    undefined(self);
                }
                if right == Type::Map && !left.may_be(&[Type::Text]) {
                    self.clashes.push(format!("{} is never a key of a map", left.kind()));
                }
                Type::Bool
            }
            Operator::Less | Operator::LessOrEqual | Operator::Greater | Operator::GreaterOrEqual => {
                let ordered = [Type::Bool, Type::Number, Type::Text];
                if (known && left != right) || !left.may_be(&ordered) || !right.may_be(&ordered) {
                    undefined(self);
                }
                Type::Bool
            }
            Operator::Add => {
                let added = [Type::Number, Type::Text, Type::List];
                if (known && left != right) || !left.may_be(&added) || !right.may_be(&added) {
                    undefined(self);
                }
                if left == Type::Any { right } else { left }
            }
            Operator::Subtract | Operator::Multiply | Operator::Divide | Operator::Remainder => {
                if !left.may_be(&[Type::Number]) || !right.may_be(&[Type::Number]) {
                    undefined(self);
                }
                Type::Number
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::expression::Scope;

    /// `orders` is a list, `role` a text, `ok` a boolean, `spent` a number, `status` a map, `x` anything.
    fn clashes(source: &str) -> Vec<String> {
        let facts = [
            ("orders", Type::List),
            ("role", Type::Text),
            ("ok", Type::Bool),
            ("spent", Type::Number),
            ("status", Type::Map),
            ("x", Type::Any),
        ];
        let scope = Scope { facts: facts.iter().map(|(name, _)| (*name).to_owned()).collect(), ..Scope::default() };
        let type_of = |variable: &Variable| match variable {
            Variable::Fact(index) => facts.get(*index).map_or(Type::Any, |(_, of)| *of),
            _ => Type::Any,
        };
        Expression::compile(source, &scope).unwrap().clashes(&type_of, true)
    }

    #[test]
    fn what_may_work_is_not_said_to_fail() {
        for source in [
            "ok",
            "x",
            "x == 3 && x == 'a'",
            "role == null",
            "'a' in orders && 'a' in status",
            "status['a'] == 3",
            "status.a > 3",
            "spent + 1 <= 3",
            "role + 'a' == 'ba'",
            "orders + ['a'] == []",
            "orders.exists(o, o == 3)",
            "ok ? ok : x",
            "size(orders) > 3 && role.startsWith('a')",
            "(ok ? 1 : 'a') == 1",
            "orders[0] == 'a'",
        ] {
            assert_eq!(clashes(source), [""; 0], "{source}");
        }
    }

    #[test]
    fn what_fails_for_every_value_is_said() {
        for (source, clash) in [
            ("orders", "it gives a list, not true or false"),
            ("spent + 1", "it gives a number, not true or false"),
            ("ok == 3", "a boolean is never `==` a number"),
            ("ok != 'true'", "a boolean is always `!=` a text"),
            ("role > 3", "`>` is not defined for a text and a number"),
            ("status < x", "`<` is not defined for a map and anything"),
            ("role in role", "`in` is not defined for a text and a text"),
            ("3 in status", "a number is never a key of a map"),
            ("role - 1 == x", "`-` is not defined for a text and a number"),
            ("role + 1 == x", "`+` is not defined for a text and a number"),
            ("!orders", "`!` takes true or false, not a list"),
            ("ok && spent", "`&&` takes true or false, not a number"),
            ("orders.a == 1", "a list has no field `a`"),
            ("orders['a'] == 1", "a list has no field `a`"),
            ("spent[0] == 1", "a number has no items"),
            ("spent.exists(s, s == 1)", "a number has no items to go over"),
            ("spent.matches('1')", "`matches` is not defined for a number"),
            ("-role == x", "`-` is not defined for a text"),
            ("size(orders) == '3'", "a number is never `==` a text"),
        ] {
            assert_eq!(clashes(source), [clash], "{source}");
        }
    }
}
