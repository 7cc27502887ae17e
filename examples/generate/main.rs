//! Writes the datasets that ship: `cargo run --example generate` from the repository's root. Same seed, same bytes.

mod generator;

fn main() -> std::io::Result<()> {
    generator::files(generator::SEED).into_iter().try_for_each(|(path, text)| std::fs::write(path, text))
}
