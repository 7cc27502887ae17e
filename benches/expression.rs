//! How long a policy takes, once it is compiled: the whole of it, with the variables asked from the environment.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use dryguard::catalog::expression::{Binding, Environment, Expression, Scope, Val, Variable};
use dryguard::json;

/// Facts by index and arguments by name, as a guard keeps them.
struct Given<'v> {
    facts: Vec<&'v json::Value<'v>>,
    arguments: &'v json::Value<'v>,
}

impl<'v> Environment<'v> for Given<'v> {
    fn get(&self, variable: &Variable) -> Binding<'v> {
        let value = match variable {
            Variable::Fact(index) => self.facts.get(*index).copied(),
            Variable::Argument(name) => return Binding::Given(self.arguments.get(name).map_or(Val::Null, Val::json)),
            _ => None,
        };
        value.map_or(Binding::NotGiven, |value| Binding::Given(Val::json(value)))
    }
}

const FACTS: [&str; 5] = ["authenticated", "spent_today", "user_orders", "known_items", "orders"];

fn policies(criterion: &mut Criterion) {
    let orders: Vec<String> = (0..10).map(|n| format!("\"#W{}\"", 4_000_000 + n)).collect();
    let items: Vec<String> = (0..50).map(|n| format!("\"{}\"", 1_000_000 + n)).collect();
    let all: Vec<String> = (0..200).map(|n| format!("\"#W{}\": {{\"status\": \"pending\"}}", 4_000_000 + n)).collect();
    let facts = format!(
        r#"{{"authenticated": true, "spent_today": 1500.50, "user_orders": [{}], "known_items": [{}], "orders": {{{}}}}}"#,
        orders.join(","),
        items.join(","),
        all.join(",")
    );
    let facts = json::parse(&facts).unwrap_or_default();
    let arguments = r##"{"amount": 250, "order_id": "#W4000007", "items": ["1000001", "1000020", "1000049"]}"##;
    let arguments = json::parse(arguments).unwrap_or_default();
    let given = Given { facts: FACTS.iter().filter_map(|name| facts.get(name)).collect(), arguments: &arguments };
    let scope = Scope {
        arguments: ["amount", "order_id", "items"].map(str::to_owned).to_vec(),
        facts: FACTS.map(str::to_owned).to_vec(),
        ..Scope::default()
    };

    let mut group = criterion.benchmark_group("expression");
    for source in [
        "authenticated",
        "amount <= 10000",
        "amount + spent_today <= 2000",
        "order_id in user_orders",
        "orders[order_id].status == 'pending'",
        "has(spent_today) && spent_today < 2000",
        "items.all(i, i in known_items)",
        "order_id.matches('^#W[0-9]{7}$')",
    ] {
        let Ok(expression) = Expression::compile(source, &scope) else { continue };
        group.bench_function(source, |bencher| bencher.iter(|| black_box(&expression).holds(black_box(&given))));
    }
    group.bench_function("compile", |bencher| {
        bencher.iter(|| Expression::compile(black_box("amount + spent_today <= 2000"), &scope));
    });
    group.finish();
}

criterion_group!(benches, policies);
criterion_main!(benches);
