//! Expressions against the stock CEL interpreter: wherever it defines a result for values that both have (whole numbers,
//! texts, booleans, null, lists, maps), ours is the same; what it calls an error is never true or false here.

#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test says what it expects")]

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use dryguard::catalog::expression::{Binding, Environment, Expression, Scope, Val, Variable};
use dryguard::json;
use proptest::prelude::*;

static STOCK: LazyLock<Arc<cel::Env>> = LazyLock::new(|| {
    let mut env = cel::Env::stdlib();
    env.add_extension(cel::extensions::strings).unwrap();
    Arc::new(env)
});

const NAMES: [&str; 7] = ["n", "m", "text", "word", "flag", "list", "map"];

struct Given<'v>(&'v json::Value<'v>);

impl<'v> Environment<'v> for Given<'v> {
    fn get(&self, variable: &Variable) -> Binding<'v> {
        let Variable::Fact(index) = variable else { return Binding::NotGiven };
        self.0.get(NAMES[*index]).map_or(Binding::NotGiven, |value| Binding::Given(Val::json(value)))
    }
}

fn to_stock(value: &serde_json::Value) -> cel::Value {
    use cel::Value;
    match value {
        serde_json::Value::Null => Value::Null,
        serde_json::Value::Bool(truth) => Value::Bool(*truth),
        serde_json::Value::Number(number) => Value::Int(number.as_i64().unwrap()),
        serde_json::Value::String(text) => Value::from(text.as_str()),
        serde_json::Value::Array(items) => Value::from(items.iter().map(to_stock).collect::<Vec<_>>()),
        serde_json::Value::Object(members) => {
            Value::from(members.iter().map(|(key, item)| (key.clone(), to_stock(item))).collect::<HashMap<_, _>>())
        }
    }
}

fn from_stock(value: &cel::Value) -> Option<serde_json::Value> {
    use cel::Value;
    Some(match value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(truth) => (*truth).into(),
        Value::Int(number) => (*number).into(),
        Value::UInt(number) => (*number).into(),
        Value::String(text) => text.as_str().into(),
        Value::List(items) => items.iter().map(from_stock).collect::<Option<Vec<_>>>()?.into(),
        Value::Map(map) => {
            let members = map.map.iter().map(|(key, item)| Some((key.to_string(), from_stock(item)?)));
            serde_json::Value::Object(members.collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

fn stock(source: &str, values: &serde_json::Value) -> Result<json::Value<'static>, String> {
    let program = STOCK.compile(source).unwrap_or_else(|error| panic!("{source}: {error}"));
    let mut context = cel::Context::with_env(Arc::clone(&STOCK));
    for (name, value) in values.as_object().unwrap() {
        context.add_variable_from_value(name.as_str(), to_stock(value));
    }
    let value = program.execute(&context).map_err(|error| error.to_string())?;
    let value = from_stock(&value).ok_or_else(|| format!("no JSON: {value:?}"))?;
    Ok(json::Value::from_serde(&value))
}

fn ours(source: &str, values: &json::Value<'_>) -> Result<json::Value<'static>, String> {
    let scope = Scope { facts: NAMES.iter().map(|name| (*name).to_owned()).collect(), ..Scope::default() };
    let expression = Expression::compile(source, &scope).unwrap_or_else(|error| panic!("{source}: {error:?}"));
    expression.evaluate(&Given(values)).map(|value| value.to_json()).map_err(|unevaluated| unevaluated.reason)
}

/// Sources of one type each: of a number, a text, a truth value, a list.
#[derive(Debug, Clone)]
struct Sources {
    number: BoxedStrategy<String>,
    text: BoxedStrategy<String>,
    truth: BoxedStrategy<String>,
    list: BoxedStrategy<String>,
}

fn leaves(bound: bool) -> Sources {
    let of = |sources: &'static [&'static str]| prop::sample::select(sources).prop_map(str::to_owned).boxed();
    // The names that macros bind stand where any type may, so that errors are absorbed, or not.
    Sources {
        number: if bound {
            of(&["0", "1", "-3", "n", "m", "map.n", "list[0]", "x"])
        } else {
            of(&["0", "1", "2", "-3", "n", "m", "map.n", "list[0]"])
        },
        text: if bound {
            of(&["''", "'a'", "'ab'", "text", "word", "map['t']", "x"])
        } else {
            of(&["''", "'a'", "'bé'", "\"a,b\"", "text", "word", "map['t']"])
        },
        truth: of(&["true", "false", "flag", "has(map.n)", "has(map.zz)", "map.zz == 1", "list[9] == 1", "n", "'a' in map"]),
        list: of(&["[]", "list", "[1, 'a', n]", "[text, word]", "[true, null]", "map.l"]),
    }
}

fn grow(depth: u32, bound: bool) -> Sources {
    if depth == 0 {
        return leaves(bound);
    }
    let inner = grow(depth - 1, bound);
    let within = grow(depth - 1, true);
    let Sources { number, text, truth, list } = inner;
    let any = || prop_oneof![number.clone(), text.clone(), truth.clone(), list.clone()].boxed();
    let operator = |all: &'static [&'static str]| prop::sample::select(all);
    let body = within.truth.clone();
    let element = prop_oneof![within.number.clone(), within.text.clone(), within.truth.clone()];
    Sources {
        number: prop_oneof![
            3 => number.clone(),
            2 => (number.clone(), operator(&["+", "-", "*", "%"]), number.clone()).prop_map(|(a, o, b)| format!("({a} {o} {b})")),
            1 => number.clone().prop_map(|a| format!("-({a})")),
            1 => prop_oneof![text.clone(), list.clone()].prop_map(|a| format!("size({a})")),
            1 => (truth.clone(), number.clone(), number.clone()).prop_map(|(c, a, b)| format!("({c} ? {a} : {b})")),
            1 => text.clone().prop_map(|a| format!("int({a})")),
            1 => (list.clone(), number.clone()).prop_map(|(a, b)| format!("{a}[{b}]")),
            1 => number.clone().prop_map(|a| format!("{{'k': {a}}}.k")),
        ]
        .boxed(),
        text: prop_oneof![
            3 => text.clone(),
            1 => (text.clone(), text.clone()).prop_map(|(a, b)| format!("({a} + {b})")),
            1 => (text.clone(), operator(&["lowerAscii", "upperAscii", "trim"])).prop_map(|(a, f)| format!("{a}.{f}()")),
            1 => (text.clone(), text.clone(), text.clone()).prop_map(|(a, b, c)| format!("{a}.replace({b}, {c})")),
            1 => (text.clone(), 0..4).prop_map(|(a, n)| format!("{a}.substring({n})")),
            1 => (text.clone(), 0..3, 0..4).prop_map(|(a, n, m)| format!("{a}.substring({n}, {m})")),
            1 => number.clone().prop_map(|a| format!("string({a})")),
            1 => (list.clone(), text.clone()).prop_map(|(a, b)| format!("{a}.join({b})")),
        ]
        .boxed(),
        truth: prop_oneof![
            1 => truth.clone(),
            3 => (truth.clone(), operator(&["&&", "||"]), truth.clone()).prop_map(|(a, o, b)| format!("({a} {o} {b})")),
            1 => truth.clone().prop_map(|a| format!("!({a})")),
            1 => (truth.clone(), truth.clone(), truth.clone()).prop_map(|(c, a, b)| format!("({c} ? {a} : {b})")),
            2 => (number.clone(), operator(&["<", "<=", ">", ">=", "==", "!="]), number.clone()).prop_map(|(a, o, b)| format!("({a} {o} {b})")),
            2 => (text.clone(), operator(&["<", "<=", ">", ">=", "==", "!="]), text.clone()).prop_map(|(a, o, b)| format!("({a} {o} {b})")),
            2 => (any(), operator(&["==", "!=", "in", "<"]), any()).prop_map(|(a, o, b)| format!("({a} {o} {b})")),
            1 => (any(), list.clone()).prop_map(|(a, b)| format!("({a} in {b})")),
            1 => (text.clone(), operator(&["contains", "startsWith", "endsWith"]), text.clone()).prop_map(|(a, f, b)| format!("{a}.{f}({b})")),
            2 => (list.clone(), operator(&["all", "exists", "exists_one"]), body.clone()).prop_map(|(a, f, b)| format!("{a}.{f}(x, {b})")),
        ]
        .boxed(),
        list: prop_oneof![
            2 => list.clone(),
            1 => prop::collection::vec(any(), 0..3).prop_map(|items| format!("[{}]", items.join(", "))),
            1 => (list.clone(), list.clone()).prop_map(|(a, b)| format!("({a} + {b})")),
            1 => (list.clone(), body.clone()).prop_map(|(a, b)| format!("{a}.filter(x, {b})")),
            1 => (list.clone(), element.clone()).prop_map(|(a, b)| format!("{a}.map(x, {b})")),
            1 => (list.clone(), body, element).prop_map(|(a, b, c)| format!("{a}.map(x, {b}, {c})")),
            1 => (text.clone(), text.clone()).prop_map(|(a, b)| format!("{a}.split({b})")),
        ]
        .boxed(),
    }
}

fn source() -> impl Strategy<Value = String> {
    let Sources { number, text, truth, list } = grow(2, false);
    prop_oneof![4 => truth, 1 => number, 1 => text, 1 => list]
}

fn values() -> impl Strategy<Value = serde_json::Value> {
    let number = prop_oneof![-3_i64..4, any::<i8>().prop_map(i64::from)];
    let text = prop::sample::select(&["", "a", "A b", " é ", "a,b", "12", "-7", "true"][..]);
    let item = prop_oneof![
        number.clone().prop_map(serde_json::Value::from),
        text.clone().prop_map(serde_json::Value::from),
        any::<bool>().prop_map(serde_json::Value::from),
        Just(serde_json::Value::Null),
    ];
    let list = prop::collection::vec(item, 0..4);
    (number.clone(), number, text.clone(), text, any::<bool>(), list.clone(), list).prop_map(|(n, m, t, w, flag, list, inner)| {
        serde_json::json!({"n": n, "m": m, "text": t, "word": w, "flag": flag, "list": list, "map": {"n": m, "t": w, "l": inner, "a": null}})
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn agrees_with_the_stock_interpreter(source in source(), values in values()) {
        let recorded = values.to_string();
        let recorded = json::parse(&recorded).unwrap();
        match (stock(&source, &values), ours(&source, &recorded)) {
            (Ok(stock), Ok(ours)) => prop_assert_eq!(stock, ours, "{}", source),
            (Err(_), Err(_)) => {}
            (Ok(stock), Err(ours)) => prop_assert!(false, "{source}: stock {stock:?}, ours failed: {ours}"),
            (Err(stock), Ok(ours)) => prop_assert!(false, "{source}: stock failed: {stock}, ours {ours:?}"),
        }
    }
}
