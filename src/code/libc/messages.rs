//! `strerror`, with the messages that this machine's C library has in the locale in which programs begin.

use std::io;
use std::sync::LazyLock;

/// What follows them.
const FUNCTIONS: &str = "\
unsigned long magneto_unsaid(void);
enum { MAGNETO_MESSAGES = sizeof magneto_messages / sizeof *magneto_messages };
static char magneto_message[40];
static int magneto_has_message(int n) { return n >= 0 && n < MAGNETO_MESSAGES && magneto_messages[n]; }
__attribute__((weak)) char *strerror(int n) {
    if (magneto_has_message(n)) return (char *)magneto_messages[n] + magneto_unsaid();
    static const char head[] = \"Unknown error \";
    char digits[12];
    int count = 0, at = 0;
    for (; head[at]; at++) magneto_message[at] = head[at];
    if (n < 0) magneto_message[at++] = '-';
    for (unsigned rest = n < 0 ? -(unsigned)n : (unsigned)n; rest || !count; rest /= 10) digits[count++] = (char)('0' + rest % 10);
    while (count) magneto_message[at++] = digits[--count];
    magneto_message[at] = 0;
    return magneto_message + magneto_unsaid();
}
__attribute__((weak)) char *strerror_r(int n, char *to, unsigned long room) {
    if (magneto_has_message(n)) return (char *)magneto_messages[n] + magneto_unsaid();
    const char *s = strerror(n);
    unsigned long k = 0;
    for (; room && k < room - 1 && s[k]; k++) to[k] = s[k];
    if (room) to[k] = 0;
    return to;
}";

/// The message for an error that has one; none too where the library says otherwise that it has none.
fn message(number: i32) -> Option<String> {
    let said = io::Error::from_raw_os_error(number).to_string();
    let said = said.strip_suffix(&format!(" (os error {number})"))?;
    (said != format!("Unknown error {number}")).then(|| said.to_owned())
}

static TEXT: LazyLock<Option<String>> = LazyLock::new(|| {
    /// Above all numbers of errors.
    const BEYOND: i32 = 4096;
    let all: Vec<Option<String>> = (0..BEYOND).map(message).collect();
    // A library that names unknown errors otherwise.
    if message(BEYOND).is_some() || message(-1).is_some() {
        return None;
    }
    let count = all.iter().rposition(Option::is_some)? + 1;
    let one = |message: &Option<String>| message.as_ref().map_or("0".to_owned(), |text| format!("{text:?}"));
    let list: Vec<String> = all[..count].iter().map(one).collect();
    Some(format!("static const char *const magneto_messages[] = {{{}}};\n{FUNCTIONS}", list.join(", ")))
});

/// The text of a function; none where it is none of these.
pub(super) fn part(name: &str) -> Option<&'static str> {
    TEXT.as_deref().filter(|_| matches!(name, "strerror" | "strerror_r"))
}
