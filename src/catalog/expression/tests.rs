//! What expressions mean, as tables of sources and their outcomes.

use std::collections::HashMap;

use proptest::prelude::*;

use super::*;

/// Values of variables as one JSON object: what isn't in it isn't given.
struct Given<'v> {
    scope: &'v Scope,
    values: &'v json::Value<'v>,
    computed: HashMap<usize, Result<i64, Unevaluated>>,
}

impl<'v> Environment<'v> for Given<'v> {
    fn get(&self, variable: &Variable) -> Binding<'v> {
        let name = match variable {
            Variable::Argument(name) => {
                return Binding::Given(self.values.get(name).map_or(Val::Null, Val::json));
            }
            Variable::Computed(index) => {
                return match self.computed.get(index) {
                    Some(Ok(number)) => Binding::Given((*number).into()),
                    Some(Err(unevaluated)) => Binding::Unevaluated(unevaluated.clone()),
                    None => Binding::NotGiven,
                };
            }
            Variable::Fact(index) => self.scope.facts[*index].as_str(),
            Variable::Args => return Binding::Given(Val::json(self.values)),
            Variable::Tool => return Binding::Given(Val::text("pay")),
            Variable::Conversation => "conversation",
            Variable::UserRequest => "user_request",
            Variable::Result => "result",
            Variable::ResultText => "result_text",
        };
        self.values.get(name).map_or(Binding::NotGiven, |value| Binding::Given(Val::json(value)))
    }
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn scope() -> Scope {
    Scope {
        arguments: names(&["amount", "currency", "note", "items"]),
        facts: names(&["role", "spent", "orders", "status", "user"]),
        computed: names(&["euros"]),
        constants: vec![
            ("limit".to_owned(), json::parse("2000.0").unwrap()),
            ("allowed".to_owned(), json::parse(r#"["EUR", "USD"]"#).unwrap()),
        ],
        ..Scope::default()
    }
}

const VALUES: &str = r##"{"amount": 900, "currency": "EUR", "note": null, "items": ["a", "b"], "spent": 1000.50,
    "orders": ["#1", "#2"], "status": {"#1": "pending"}, "user": {"name": "Ann", "tags": ["vip"], "address": null}}"##;

/// The outcome as a line: `true`, `false`, a value as JSON, or `? reason`.
fn outcome_with(source: &str, values: &str, computed: HashMap<usize, Result<i64, Unevaluated>>) -> String {
    let scope = scope();
    let expression = Expression::compile(source, &scope).unwrap_or_else(|error| panic!("{source}: {error:?}"));
    let values = json::parse(values).unwrap();
    let given = Given { scope: &scope, values: &values, computed };
    let outcome = match expression.evaluate(&given) {
        Ok(value) => value.to_string(),
        Err(unevaluated) => format!("? {}", unevaluated.reason),
    };
    let truth = match expression.holds(&given) {
        Truth::Holds => "true".to_owned(),
        Truth::Fails => "false".to_owned(),
        Truth::Unevaluated(unevaluated) => format!("? {}", unevaluated.reason),
    };
    if !truth.starts_with("? it gives") {
        assert_eq!(truth, outcome, "{source}: both ways of asking agree");
    }
    outcome
}

fn outcome(source: &str) -> String {
    outcome_with(source, VALUES, HashMap::new())
}

#[track_caller]
fn all_are(expected: &str, sources: &[&str]) {
    for source in sources {
        assert_eq!(outcome(source), expected, "{source}");
    }
}

#[test]
fn numbers_are_one_exact_kind() {
    all_are(
        "true",
        &[
            "0.1 + 0.2 == 0.3",
            "1 == 1.0",
            "1u == 1",
            "0x10 == 16",
            "amount + spent <= limit",
            "amount + spent == 1900.5",
            "5 / 2 == 2.5",
            "7 % 3 == 1",
            "9007199254740993 != 9007199254740992.0",
            "0.1000000000000000055511151231257827 != 0.1",
            "99999999999999999999 > 99999999999999999998",
            "-99999999999999999999 < 0",
            "1e400 > 1e399",
            "9223372036854775807 + 1 == 9223372036854775808",
            "-amount == -900",
            "int(2.9) == 2 && int('-12') == -12",
            "double('1.50') == 1.5",
            "string(1.50) == '1.5'",
            "min(3, 1.5, 2) == 1.5 && max([1, 2]) == 2 && abs(-2) == 2",
        ],
    );
    all_are("? the quotient can't be written as an exact decimal", &["1 / 3 > 0"]);
    all_are("? division by zero", &["1 / 0 > 0", "1 % 0 == 0"]);
    all_are("? `%` needs whole numbers", &["1.5 % 1 == 0"]);
    all_are("? the number has more digits than can be computed with exactly (38)", &["1e400 + 1 > 0"]);
}

#[test]
fn a_fact_that_nobody_gave_leaves_the_expression_unevaluated() {
    all_are(
        "? nobody gave `role`",
        &[
            "role == 'staff'",
            "role == 'staff' || amount < 1000",
            "amount < 1000 || role == 'staff'",
            "amount > 1000 && role == 'staff'",
            "amount < 1000 ? true : role == 'staff'",
            "true || role == 'staff'",
            "has(spent) || role == 'x'",
            "!has(spent) && role == 'x'",
            "has(role) || role == 'x'",
            "has(role) && role == 'x' || role == 'y'",
            "[].all(x, role == x)",
            "[role].exists(x, true)",
            "has(user.tags[role])",
        ],
    );
}

#[test]
fn has_guards_the_reads_of_its_fact() {
    all_are(
        "false",
        &[
            "has(role)",
            "has(role) && role == 'staff'",
            "role == 'staff' && has(role)",
            "has(role.name) && role.name == 'x'",
            "has(role) ? role == 'x' : false",
            "has(role) && (has(spent) && role == 'x')",
            "(has(role) && has(spent)) && role == 'x'",
            "items.exists(x, has(role) && role == x)",
            "!(!has(role) || role == 'x')",
        ],
    );
    all_are(
        "true",
        &[
            "!has(role) || role == 'x'",
            "role == 'x' || !has(role)",
            "!has(role) ? true : role == 'x'",
            "has(role) ? role == 'x' : amount == 900",
            "!(has(role) && role == 'x')",
            "has(spent)",
            "has(user.name)",
            "has(user['name'])",
            "!has(user.email)",
            "!has(user.email.domain)",
            "!has(user.address.city)",
            "has(user.tags[0]) && !has(user.tags[1])",
            "has(status[orders[0]]) && !has(status[orders[1]])",
            "has(user.address)",
        ],
    );
}

#[test]
fn the_missing_facts_are_named_all_at_once() {
    let scope = scope();
    let expression = Expression::compile("spent > 0 && role == 'x' && user.name == 'y'", &scope).unwrap();
    let values = json::parse("{}").unwrap();
    let given = Given { scope: &scope, values: &values, computed: HashMap::new() };
    let unevaluated = expression.evaluate(&given).unwrap_err();
    assert_eq!(unevaluated.missing_facts, [1, 0, 4]);
    assert_eq!(unevaluated.reason, "nobody gave `spent`; nobody gave `role`; nobody gave `user`");
}

#[test]
fn a_computed_value_without_its_facts_counts_as_them() {
    let lacks = Unevaluated { missing_facts: vec![3], reason: "nobody gave `status`".to_owned() };
    let fails = Unevaluated { missing_facts: Vec::new(), reason: "division by zero".to_owned() };
    let ask = |source, euros| outcome_with(source, VALUES, HashMap::from([(0, euros)]));
    assert_eq!(ask("euros > 5", Ok(6)), "true");
    assert_eq!(ask("true || euros > 5", Err(lacks.clone())), "? `euros` has no value: nobody gave `status`");
    assert_eq!(ask("has(euros) && euros > 5", Err(lacks)), "false");
    assert_eq!(ask("amount > 0 || euros > 5", Err(fails.clone())), "true");
    assert_eq!(ask("euros > 5", Err(fails.clone())), "? `euros` has no value: division by zero");
    assert_eq!(ask("has(euros)", Err(fails)), "? `euros` has no value: division by zero");
}

#[test]
fn arguments_left_out_read_as_null() {
    all_are(
        "true",
        &[
            "note == null",
            "!has(note)",
            "!has(args.note)",
            "args.note == null",
            "args['x-y'] == null",
            "!has(args['x-y'])",
            "has(args.amount) && has(amount) && args.amount == amount",
            "!has(args.x.y)",
            "tool == 'pay'",
        ],
    );
}

#[test]
fn errors_are_neither_true_nor_false() {
    all_are("? `<` is not defined for null and a number", &["note < 3", "!(note < 3)", "note < 3 || false"]);
    all_are("? `>` is not defined for a text and a number", &["currency > 3"]);
    all_are("? there is no key `email`", &["user.email == 'x'", "user['email'] == 'x'"]);
    all_are("? a number has no field `x`", &["amount.x == 1"]);
    all_are("? null has no field `city`", &["user.address.city == 'x'"]);
    all_are("? there is no item 2 in a list of 2", &["items[2] == 'x'"]);
    all_are("? the position of an item is a whole number, not \"a\"", &["items[items[0]] == 'x'"]);
    all_are("? a list has no field `a`", &["items['a'] == 'x'"]);
    all_are("? it gives a number, not true or false", &["amount && true", "amount ? true : false"]);
    all_are("? `in` is not defined for a text and a text", &["'a' in currency"]);
    all_are("? `contains` is not defined for a list", &["items.contains('a')"]);
    all_are("? `12x` is no whole number", &["int('12x') == 12"]);
    // As in CEL, the side that decides absorbs the error of the other one.
    all_are("true", &["note < 3 || true", "true || note < 3", "items.exists(i, i == 'b' || i < 3)"]);
    all_are("false", &["note < 3 && false", "items.all(i, i == 'a' || i < 3 && false)"]);
}

#[test]
fn lists_maps_and_texts() {
    all_are(
        "true",
        &[
            "'#1' in orders && !('#3' in orders)",
            "'#1' in status && !(1 in status)",
            "status['#1'] == 'pending'",
            "currency in allowed",
            "1.0 in [1, 2]",
            "items == ['a', 'b'] && items != ['b', 'a']",
            "{'a': 1, 'b': [2]} == {'b': [2.0], 'a': 1}",
            "{'a': amount}.a == 900",
            "1 != '1' && null != false && [] != {}",
            "'a' < 'b' && false < true",
            "size(items) == 2 && items.size() == 2 && size('héé') == 3 && size(user) == 3",
            "'a' + 'b' == 'ab' && [1] + [2] == [1, 2]",
            "currency.contains('U') && currency.startsWith('E') && currency.endsWith('R')",
            "currency.matches('^[A-Z]{3}$') && matches(currency, 'U')",
            "' Ab '.trim().lowerAscii() == 'ab' && 'ab'.upperAscii() == 'AB'",
            "'a,b,c'.split(',') == ['a', 'b', 'c'] && 'a,b,c'.split(',', 2) == ['a', 'b,c']",
            "'aé'.split('') == ['a', 'é'] && 'a'.split(',', 0) == [] && ''.split(',') == ['']",
            "['a', 'b'].join('-') == 'a-b' && items.join() == 'ab'",
            "'aaa'.replace('a', 'b', 2) == 'bba' && 'aaa'.replace('a', '') == ''",
            "'añb'.substring(1) == 'ñb' && 'añb'.substring(1, 2) == 'ñ' && 'a'.substring(1) == ''",
            "bool('true') && string(true) == 'true'",
            "items.all(i, i in ['a', 'b', 'c']) && [].all(i, i > 1)",
            "items.exists(i, i == 'b') && !items.exists(i, i == 'c')",
            "items.exists_one(i, i == 'b') && [1, 2, 3].existsOne(i, i > 2)",
            "items.filter(i, i != 'a') == ['b']",
            "[1, 2, 3].map(i, i * 2) == [2, 4, 6] && [1, 2, 3].map(i, i > 1, i + 1) == [3, 4]",
            "status.all(key, status[key] == 'pending') && user.map(k, k) == ['address', 'name', 'tags']",
            "[1, 2].all(i, [3, 4].all(j, i < j)) && [1, 2].map(i, [i].map(i, i + 1)) == [[2], [3]]",
            "[[1], [2]].exists(i, i.exists(i, i == 2))",
        ],
    );
    all_are("? the key `a` is given twice", &["{'a': 1, 'a': 2}.a == 1"]);
    all_are("? `substring` is given a position outside of the text", &["'a'.substring(2) == ''"]);
}

#[test]
fn mistakes_are_found_when_loading() {
    for (source, marked, message, help) in [
        ("amuont < 3", "amuont", "unknown name `amuont`", "did you mean `amount`?"),
        ("'é' == curency", "curency", "unknown name `curency`", "did you mean `currency`?"),
        ("items.all(i, i > 1) || i > 1", "i", "unknown name `i`", ""),
        (
            "result_text == ''",
            "result_text",
            "unknown name `result_text`",
            "recorded results are read only by a fact's `from` and by `[outcome]`",
        ),
        ("currency.startWith('a')", "startWith", "unknown function `startWith`", "did you mean `startsWith`?"),
        ("len (items) > 1", "len", "unknown function `len`", "write `size(x)`"),
        (
            "timestamp('x') > 1",
            "timestamp",
            "`timestamp` is not supported",
            "values are JSON's: null, booleans, numbers, texts, lists, maps",
        ),
        (
            "size(items, 1) > 1",
            "size",
            "`size` takes 1 argument, not 2",
            "how many characters a text, items a list, keys a map has",
        ),
        (
            "currency.replace('a')",
            "replace",
            "`replace` takes 2 to 3 arguments, not 1",
            "a text with one part replaced by another, everywhere or so many times",
        ),
        ("contains(currency, 'a')", "contains", "`contains` is called on a value", "write `x.contains(…)`"),
        ("amount.int() > 1", "int", "`int` is not called on a value", "write `int(x)`"),
        ("items.all(i.x, true)", "i.x", "the first argument of `all` is the plain name that it binds", ""),
        ("items.all(i)", "all", "`all` takes a name and what is evaluated for each item", "write `items.all(x, …)`"),
        ("has(amount, 1)", "has", "`has` takes one argument", "write `has(x)`"),
        (
            "has(limit)",
            "limit",
            "`has()` asks for what may be missing",
            "an argument, a fact, a computed value, or a field of a value: `has(user.email)`",
        ),
        ("currency.matches(note)", "note", "the pattern of `matches` must be a literal text or a constant", ""),
        ("currency.matches('(')", "'('", "the pattern can't be read: unclosed group", ""),
        (
            "currency.matches('(?=a)')",
            "'(?=a)'",
            "the pattern can't be read: look-around, including look-ahead and look-behind, is not supported",
            "patterns have no look-around and no back-references",
        ),
        ("currency.matches('\\\\w{5000}')", "'\\\\w{5000}'", "the pattern is too large", ""),
        ("b'x' == currency", "b'x'", "bytes are not supported", "write a text"),
        ("{1: 2} == user", "1", "the key of a map is a text, not a number", ""),
        ("a.B{c: 1} == user", "{", "message literals are not supported", "write a map: `{'key': value}`"),
    ] {
        let error = Expression::compile(source, &scope()).expect_err(source);
        assert_eq!((source.get(error.span.clone()).unwrap(), error.message.as_str()), (marked, message), "{source}");
        assert_eq!(error.help.as_deref().unwrap_or(""), help, "{source}");
    }
}

#[test]
fn open_arguments_take_any_unknown_name() {
    let open = Scope { open_arguments: true, facts: names(&["role"]), ..Scope::default() };
    let expression = Expression::compile("anything > 1 && role == tool && anything < 5", &open).unwrap();
    let reads = [Variable::Argument("anything".into()), Variable::Fact(0), Variable::Tool];
    assert_eq!(expression.reads(), reads);
    let result = Scope { builtins: Builtins::Result, ..Scope::default() };
    assert!(Expression::compile("has(result.a) && result_text != '' && args.x == 1", &result).is_ok());
    assert!(Expression::compile("conversation == ''", &result).is_err());
}

#[test]
fn witnesses_are_the_values_read() {
    let scope = scope();
    let expression = Expression::compile("amount + spent <= limit && has(role) && orders == items", &scope).unwrap();
    let long = format!(r#"{{"amount": 900, "spent": 1500.0, "orders": ["{}"], "items": []}}"#, "x".repeat(200));
    let values = json::parse(&long).unwrap();
    let given = Given { scope: &scope, values: &values, computed: HashMap::new() };
    let witnesses = expression.witnesses(&given);
    let shown: Vec<String> = witnesses.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    assert_eq!(shown[..3], ["amount = 900", "spent = 1500", "role = not given"]);
    assert_eq!(witnesses[3].1.chars().count(), 81);
    assert!(witnesses[3].1.ends_with('…'));
}

#[test]
fn results_keep_their_borrow() {
    let scope = scope();
    let values = json::parse(VALUES).unwrap();
    let kept;
    {
        let expression = Expression::compile("user.name", &scope).unwrap();
        kept = expression.evaluate(&Given { scope: &scope, values: &values, computed: HashMap::new() }).unwrap();
    }
    assert!(matches!(kept, Val::Text("Ann")), "borrowed from the values, outliving the expression");
}

#[test]
fn work_is_bounded() {
    let numbers: Vec<String> = (0..2000).map(|n| n.to_string()).collect();
    let values = format!(r#"{{"items": [{}], "user": "{}"}}"#, numbers.join(","), "a".repeat(100_000));
    for source in [
        "items.all(i, items.all(j, i + j >= 0))",
        "items.all(i, items.all(j, i + j >= 0)) || true",
        "items.map(i, items) == items.map(i, items)",
        "items.all(i, user.replace('a', 'bb') != '')",
        "items.all(i, user.split('') != [])",
        "items.map(i, user + user).join('').contains('b')",
    ] {
        assert_eq!(outcome_with(source, &values, HashMap::new()), "? it takes more than 100000 steps", "{source}");
    }
    let digits = format!(
        r#"{{"items": [{}], "amount": {}, "user": {{"n": {}}}}}"#,
        numbers.join(","),
        "7".repeat(20_000),
        "7".repeat(20_000)
    );
    for source in [
        "items.all(i, amount == user.n)",
        "items.all(i, amount > i)",
        "items.all(i, amount + i > 0 || true)",
        "items.all(i, user == {'n': 1} || true)",
        "items.all(i, max(amount, i) > 0)",
        "items.all(i, int(user.n) == amount)",
        "items.all(i, items[user.n] == 1 || true)",
    ] {
        assert_eq!(outcome_with(source, &digits, HashMap::new()), "? it takes more than 100000 steps", "{source}");
    }
    assert_eq!(outcome_with("items.all(i, i in items)", &values, HashMap::new()), "? it takes more than 100000 steps");
    assert_eq!(outcome_with("items.all(i, i >= 0)", &values, HashMap::new()), "true");
}

#[test]
fn deep_and_long_expressions_are_errors_or_work() {
    let scope = scope();
    let values = json::parse(VALUES).unwrap();
    let given = Given { scope: &scope, values: &values, computed: HashMap::new() };
    for count in [190, 250, 5000] {
        let sum = format!("{} > 0", vec!["amount"; count].join("+"));
        match Expression::compile(&sum, &scope) {
            Ok(expression) => assert_eq!((count, expression.holds(&given)), (190, Truth::Holds)),
            Err(error) => assert!(count > 190 && error.message.contains("nested too deeply") || count == 5000, "{error}"),
        }
    }
    let chain = vec!["amount>0"; 1000].join("&&");
    assert_eq!(Expression::compile(&chain, &scope).unwrap().holds(&given), Truth::Holds);
}

fn guarded() -> impl Strategy<Value = String> {
    const ATOMS: &[&str] = &["has(role)", "role == 'x'", "amount > 0", "amount < 0", "note < 3", "has(role.a)"];
    let leaf = prop::sample::select(ATOMS).prop_map(str::to_owned).boxed();
    leaf.prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} && {b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} || {b})")),
            inner.clone().prop_map(|a| format!("!({a})")),
            (inner.clone(), inner.clone(), inner.clone()).prop_map(|(a, b, c)| format!("({a} ? {b} : {c})")),
            inner.prop_map(|a| format!("items.exists(i, {a})")),
        ]
    })
}

proptest! {
    /// Where a missing fact leaves an expression true or false, no value of that fact could have mattered.
    #[test]
    fn a_guarded_fact_never_matters(source in guarded()) {
        let without = outcome(&source);
        if without.starts_with("? nobody gave") {
            prop_assert_eq!(without, "? nobody gave `role`");
        } else {
            let never = source.replace("has(role)", "false").replace("has(role.a)", "false");
            for role in ["x", "y"] {
                let values = VALUES.replacen('{', &format!("{{\"role\": \"{role}\", "), 1);
                prop_assert_eq!(&outcome_with(&never, &values, HashMap::new()), &without, "{} {}", source, never);
            }
        }
    }
}
