//! How long it takes to prepare a search and to find a conversation's values in its messages.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dryguard::json::Decimal;
use dryguard::text::{Locale, Matcher, Needle, Search, occurrences};

/// A tool output of about two kilobytes, like those of a shop's API.
fn message(letters: &str) -> String {
    let mut text = String::new();
    for i in 0..12 {
        text += &format!(
            "{{\"order_id\": \"#W{}\", \"user_id\": \"mia_li_{}\", \"status\": \"delivered\", \"total\": {}.{:02}, \
             \"address\": \"{i} Cedar Avenue, {letters}\", \"link\": \"https://shop.example/orders/{i}\"}}, ",
            5_442_520 + i,
            3_660 + i,
            1_200 + i * 37,
            i * 7
        );
    }
    text
}

/// What a conversation's calls must find: ids, names, numbers, an address.
fn needles(count: usize) -> Vec<Needle> {
    (0..count)
        .map(|i| match i % 5 {
            0 => Needle::text(&format!("#W{}", 5_442_500 + i), Matcher::Id, None),
            1 => Needle::text(&format!("mia_li_{}", 3_600 + i), Matcher::Token, None),
            2 => Needle::text(&format!("{i} Cedar Avenue"), Matcher::NoCase, None),
            3 => Needle::number(&Decimal::from(1_200 + i64::try_from(i).unwrap_or(0)), Matcher::Token, Some(Locale::En)),
            _ if i == 4 => Needle::text("https://shop.example/orders/3", Matcher::Url, None),
            _ => Needle::text(&format!("item number {i}"), Matcher::Token, None),
        })
        .collect()
}

fn search(c: &mut Criterion) {
    let (ascii, cyrillic) = (message("New York"), message("Новосибирск, Красный проспект"));
    let mut group = c.benchmark_group("find");
    for (name, text) in [("ascii", &ascii), ("cyrillic", &cyrillic)] {
        group.throughput(Throughput::Bytes(text.len() as u64));
        for (count, of) in [(1, "one text"), (50, "fifty"), (200, "two hundred")] {
            let search = Search::new(needles(count));
            group.bench_function(format!("{of} in {name}"), |b| b.iter(|| search.find(black_box(text))));
        }
        let tokens: Vec<Needle> = needles(50).into_iter().skip(1).step_by(5).collect();
        let search = Search::new(tokens);
        group.bench_function(format!("ten tokens in {name}"), |b| b.iter(|| search.find(black_box(text))));
        let search = Search::new(needles(50).into_iter().skip(3).step_by(5).collect());
        group.bench_function(format!("ten numbers in {name}"), |b| b.iter(|| search.find(black_box(text))));
        let search = Search::new(needles(5).into_iter().skip(4).collect());
        group.bench_function(format!("one address in {name}"), |b| b.iter(|| search.find(black_box(text))));
    }
    let large = "a".repeat(1_000_000);
    group.throughput(Throughput::Bytes(1_000_000));
    group.sample_size(20);
    let needle = Needle::text("a", Matcher::Token, None);
    group.bench_function("`a` in a megabyte of `a`", |b| b.iter(|| occurrences(&needle, black_box(&large))));
    group.finish();

    let mut group = c.benchmark_group("prepare");
    for count in [1, 10, 50, 200] {
        let needles = needles(count);
        group.bench_function(format!("{count} needles"), |b| {
            b.iter_with_large_drop(|| Search::new(black_box(needles.clone())))
        });
    }
    group.finish();
}

criterion_group!(benches, search);
criterion_main!(benches);
