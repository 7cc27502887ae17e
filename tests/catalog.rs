//! Catalogs: what loads, and what is said of what doesn't.

use std::path::Path;

use dryguard::catalog::load::{self, CatalogErrors, Format, Loaded};
use dryguard::json;

fn toml(text: &str) -> Result<Loaded, CatalogErrors> {
    load::from_text(text, "catalog.toml", Format::Toml, None)
}

/// The messages of a catalog that doesn't load, as people see them.
fn errors(text: &str) -> String {
    match toml(text) {
        Ok(loaded) => panic!("it loads: {:?}", loaded.catalog.name),
        Err(errors) => errors.to_string(),
    }
}
#[test]
fn scratch() {
    let text = std::fs::read_to_string("/tmp/retail.toml").unwrap();
    match toml(&text) { Ok(l) => { for w in &l.warnings { println!("{w}\n"); } println!("{}", l.catalog.fingerprint) }, Err(e) => println!("{e}") }
    println!("{}", errors(r#"
dryguard = 1
name = 5
groud = 1
combine = "strict"
[facts]
a = "numbr"
amount = "number"
[facts.m]
type = "list"
from = { tools = ["x"], key = "result.$", value = "resul.x" }
default = 5
[tools.pay]
schema = { type = "object", properties = { amount = { type = "number" }, iban = { type = "string" } } }
ground = { ibn = "token", iban = "tokn" }
confirm = "yes"
gruond_from = ["user"]
once = { match = { iban = 5 } }
[[policies]]
name = "arguments_valid"
require = "amunt < 5"
[[policies]]
name = "x"
tools = "pay"
require = "amount < 5"
[[policies]]
name = "x"
tools = ["pya"]
require = "amount < 5"
on_fail = "dny"
[[conditions]]
name = "x"
"#));
}
/// Every catalog of the worked decisions.
#[test]
fn the_catalogs_of_the_worked_cases_load() {
    let folder = std::env::var("DRYGUARD_CONFORMANCE")
        .unwrap_or_else(|_| format!("{}/../shared/conformance", env!("CARGO_MANIFEST_DIR")));
    let Ok(text) = std::fs::read_to_string(Path::new(&folder).join("decisions.jsonl")) else {
        println!("catalogs of decisions: skipped, there is no {folder}");
        return;
    };
    let mut different = Vec::new();
    let mut cases = 0;
    for line in text.lines() {
        cases += 1;
        let case = json::parse(line).unwrap();
        let catalog = json::canonical(case.get("catalog").unwrap());
        if let Err(errors) = load::from_text(&catalog, "case.json", Format::Json, None) {
            different.push(errors.to_string());
        }
    }
    println!("catalogs of decisions: {}/{cases}", cases - different.len());
    assert!(different.is_empty(), "{}", different.iter().take(3).cloned().collect::<Vec<_>>().join("\n"));
}
