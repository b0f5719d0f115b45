//! `setjmp` and `longjmp` in runs of `cover`, beside native programs.

use crate::cover_objects::{count, covered, written};
use crate::support::compilers::{has, has_clang};

const JUMPS: &str = "#include <setjmp.h>\n#include <string.h>\n\
    int there_and_back(int n)\n{\n  jmp_buf j;\n  int k = setjmp(j);\n  if (k) return 3 + k;\n  if (n > 2) longjmp(j, n == 77 ? 0 : n);\n  return n;\n}\n\
    static jmp_buf failed;\nstatic int depth;\n\
    static int sunk(int n, int levels)\n{\n  depth++;\n  if (levels == 0) {\n    if (n % 3 == 1) longjmp(failed, n);\n    return n;\n  }\n  \
    int k = sunk(n / 2, levels - 1);\n  depth--;\n  return k + 1;\n}\n\
    int from_below(int n)\n{\n  depth = 0;\n  int local = n ^ 5, got = setjmp(failed);\n  if (got) return local + 100 * depth + got;\n  return sunk(n, 4) + local;\n}\n\
    int tries(int n)\n{\n  sigjmp_buf j;\n  volatile int count = 0;\n  int k = sigsetjmp(j, 1);\n  count += 1 + k;\n  if (count < n && count < 40) siglongjmp(j, 2);\n  \
    return count + (k == 2 ? 1000 : 0);\n}\n\
    struct reader { jmp_buf *back; int at; };\nstatic int next(struct reader *r, const int *a)\n{\n  if (r->at == 3) longjmp(*r->back, 7);\n  return a[r->at++];\n}\n\
    int inner_and_outer(int n, int m)\n{\n  jmp_buf outer, inner, copy;\n  int a[3] = {n, m, n - m};\n  struct reader r = {&outer, 0};\n  volatile int sum = 0;\n  \
    int how = setjmp(outer);\n  if (how == 9) return sum + 5000;\n  if (how) {\n    r.at = 0, r.back = &inner;\n    if (setjmp(inner)) {\n      memcpy(copy, outer, sizeof copy);\n      \
    if (sum > 90) longjmp(copy, 9);\n      return sum;\n    }\n  }\n  for (;;) sum += next(&r, a);\n}\n";

#[test]
fn jumps_back_are_those_of_the_native_program() {
    if !has_clang() || !has(&["cc", "gcov"]) {
        return;
    }
    let (_folder, file) = written(JUMPS, "c");
    for function in ["there_and_back", "from_below", "tries", "inner_and_outer"] {
        let cover = covered(&file, function);
        assert_eq!(
            count(&cover, "open") + count(&cover, "infeasible") + count(&cover, "given"),
            0,
            "{function}: {cover}"
        );
        let native = &cover["native"];
        assert!(native["same"].as_u64().is_some_and(|n| n > 1), "{function}: {native}");
        assert_eq!(native["different"].as_array().map(Vec::len), Some(0), "{function}: {native}");
    }
}

/// What goes back to a call that has returned: nothing is known of it.
const GONE: &str = "#include <setjmp.h>\nstatic jmp_buf j;\nstatic int marked(void) { return setjmp(j); }\n\
    int gone(int n)\n{\n  if (n > 5 && !marked()) longjmp(j, 1);\n  return n;\n}\n";

#[test]
fn a_jump_to_a_call_that_has_returned_is_not_followed() {
    if !has_clang() {
        return;
    }
    let (_folder, file) = written(GONE, "c");
    let cover = covered(&file, "gone");
    assert_eq!(count(&cover, "infeasible") + count(&cover, "given"), 0, "{cover}");
}
