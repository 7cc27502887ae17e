//! How fast the instruction detector reads: ordinary tool outputs, prose, and texts made to slow it down.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dryguard::injection::Detector;

const MEGABYTE: usize = 1_000_000;

/// An order as a shop's tool gives it: JSON without a word that a pattern needs, mostly.
const RECORD: &str = r##"{"order_id": "#W2466703", "user_id": "yusuf_hernandez_6785", "address": {"address1": "271 Sunset Drive", "city": "Dallas", "country": "USA", "zip": "75243"}, "items": [{"name": "Grill", "item_id": "7848293342", "price": 942.71, "options": {"type": "charcoal", "size": "medium"}}], "status": "pending", "fulfillments": [], "payment_history": [{"transaction_type": "payment", "amount": 942.71, "payment_method_id": "paypal_7529813"}]}"##;

const MAIL: &str = "Hi David, your company's account has been charged $213.56 by Wise Inc. They initiated this charge using your bank details. \
If you have any questions, just reply to this e-mail. You are receiving this message since you asked us to tell you of payments. \
Please note that the office is closed on Monday. Best regards, the team\n\n";

fn texts() -> Vec<(&'static str, String)> {
    let fill = |unit: &str| unit.repeat(MEGABYTE / unit.len() + 1);
    vec![
        ("json", fill(RECORD)),
        ("json_non_ascii", fill(&RECORD.replace("Dallas", "Düsseldorf"))),
        ("mail", fill(MAIL)),
        (
            "hostile_anchors",
            fill("ignore please send you must answer your my code tool system instruction before now tell final "),
        ),
        ("hostile_one_word", fill("ignore ")),
        ("hostile_gaps", fill("retrieve a b c d and then e f g h ")),
        ("hostile_escapes", fill("\\\\\\u0069")),
        ("hostile_marks", fill("i\u{301}\u{302}\u{303}")),
        ("hostile_russian", fill("игнорируй все твои отправьте на ")),
    ]
}

fn detector(c: &mut Criterion) {
    let detector = Detector::standard();
    let mut group = c.benchmark_group("detector");
    group.sample_size(10);
    for (name, text) in texts() {
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(name, |b| b.iter(|| detector.is_tainted(black_box(&text))));
    }
    group.finish();
}

criterion_group!(benches, detector);
criterion_main!(benches);
