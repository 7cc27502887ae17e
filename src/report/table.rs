//! Tables that line up: names on the left, counts on the right.

use comfy_table::{CellAlignment, Table, presets};

use super::escape::shortened;

/// How many characters of a name a table shows.
const NAME: usize = 56;

/// A table under construction; its first column holds recorded or declared names, the others counts and single words.
#[derive(Debug)]
pub struct Rows {
    table: Table,
    columns: usize,
}

impl Rows {
    /// A table with these headings.
    pub fn new(headings: &[&str]) -> Rows {
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_header(headings.to_vec());
        Rows { table, columns: headings.len() }
    }

    /// Adds a row: a name, made harmless and shortened, and the cells beside it.
    pub fn add(&mut self, name: &str, cells: impl IntoIterator<Item = String>) {
        self.table.add_row([shortened(name, NAME)].into_iter().chain(cells));
    }

    /// Whether no row was added.
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// The lines, indented.
    pub fn lines(mut self) -> Vec<String> {
        for index in 0..self.columns {
            if let Some(column) = self.table.column_mut(index) {
                let last = index + 1 == self.columns;
                column.set_padding((if index == 0 { 2 } else { 0 }, if last { 0 } else { 2 }));
                column.set_cell_alignment(if index == 0 { CellAlignment::Left } else { CellAlignment::Right });
            }
        }
        self.table.lines().map(|line| line.trim_end().to_owned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_left_and_counts_right() {
        let mut rows = Rows::new(&["tool", "calls"]);
        rows.add("pay", ["7".to_owned()]);
        rows.add("東京\u{1b}", ["1200".to_owned()]);
        assert_eq!(rows.lines(), ["  tool        calls", "  pay             7", "  東京\\u{1b}   1200"]);
    }
}
