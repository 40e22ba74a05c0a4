//! Rows of cells for people.

use unicode_width::UnicodeWidthStr as _;

/// Columns of equal width.
pub(super) fn table<const N: usize>(rows: &[[String; N]]) -> String {
    let mut widths = [0; N];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.width().max(*width);
        }
    }
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(widths) {
            line.push_str(cell);
            line.extend(std::iter::repeat_n(' ', width - cell.width() + 2));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
