//! Numbers and inputs on pages: decimal first, and beside it what is exact.

use crate::record::{
    Fields,
    number::{decimal, from_hex, rough},
};
use maud::{Markup, html};

/// A number of which the first digits matter.
pub(super) fn number(text: &str) -> String {
    text.parse().map_or_else(|_| text.to_owned(), rough)
}

/// Exact inputs by name.
pub(super) fn inputs(of: &Fields<String>) -> Markup {
    html! { @for (name, x) in &of.0 { (name) " = " (exact(x)) " " } }
}

/// An exact number in decimal, and then as it is where that is another text.
pub(super) fn exact(x: &str) -> Markup {
    let dec = from_hex(x).map_or_else(|| x.to_owned(), decimal);
    with_hex(&dec, x)
}

/// A decimal, and then the exact number where that is another text.
pub(super) fn with_hex(decimal: &str, exact: &str) -> Markup {
    html! { code { (decimal) } @if exact != decimal { " " span.hex.faint { (exact) } } }
}

/// Inputs by name of which both texts are known.
pub(super) fn both(exact: &Fields<String>, decimal: &Fields<String>) -> Markup {
    html! { @for ((name, exact), (_, decimal)) in exact.0.iter().zip(&decimal.0) {
        code { (name) " = " (decimal) } @if exact != decimal { " " span.hex.faint { (exact) } } " "
    } }
}

/// What was run, and how: keys and values.
pub(super) fn implementation(of: &Fields<String>) -> Markup {
    html! { dl { @for (key, value) in &of.0 { dt { (key.replace('_', " ")) } dd { code { (value) } } } } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_decimal_first() {
        let text = |x: &str| exact(x).into_string();
        assert_eq!(text("0x1.8p+1"), "<code>3</code> <span class=\"hex faint\">0x1.8p+1</span>");
        // What is no number stays as it is.
        assert_eq!(text("unreadable"), "<code>unreadable</code>");
    }
}
