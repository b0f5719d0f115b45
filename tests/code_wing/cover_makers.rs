//! Objects that functions of the code make, and room and files that functions ask for.

use crate::cover_objects::{assert_taken, count, inputs, run, written};
use crate::support::compilers::has_clang;
use serde_json::Value;

/// A table whose size, mask and rows agree in those that `table_new` makes.
const TABLE: &str = "#include <stdlib.h>\n\
    typedef struct { unsigned long size, mask; unsigned *rows; } table;\n\
    table *table_new(unsigned char bits)\n{\n  table *t = malloc(sizeof *t);\n  if (!t) return 0;\n  t->size = 1ul << bits % 9;\n  \
    t->mask = t->size * 0x9e3779b97f4a7c15ul;\n  t->rows = calloc(t->size, sizeof *t->rows);\n  if (!t->rows) { free(t); return 0; }\n  return t;\n}\n\
    int fill(table *t, unsigned x)\n{\n  unsigned long i;\n  if (t->mask != t->size * 0x9e3779b97f4a7c15ul || t->size == 0) return -1;\n  \
    for (i = 0; i < t->size; i++) t->rows[i] = x;\n  if (t->size == 64) return 1;\n  return t->rows[0] == 9 ? 2 : 0;\n}\n\
    int never(table *t)\n{\n  if (t->size > 1000 && t->size < 10) return 1;\n  return 0;\n}\n";

#[test]
fn functions_of_the_code_make_objects() {
    if !has_clang() {
        return;
    }
    let (_folder, file) = written(TABLE, "c");
    let cover = assert_taken(&file, "fill", 8);
    let names = inputs(&cover);
    assert!(names.contains(&"t.table_new()") && names.contains(&"t.table_new().bits"), "{names:?}");
    // What is impossible whatever the object is stays proved.
    let (code, out, err) = run(&file, &["--fn", "never", "--json"]);
    assert_eq!(code, Some(0), "{err}");
    let cover: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((count(&cover, "infeasible"), count(&cover, "open")), (1, 0), "{cover}");
}

/// A ring in which a node follows itself: it leads to no memory of its own.
const RING: &str = "#include <stdlib.h>\nstruct node { struct node *next; int n; };\n\
    struct node *ring(int n)\n{\n  struct node *r = malloc(sizeof *r);\n  if (!r) abort();\n  r->next = r, r->n = n;\n  return r;\n}\n\
    int one(struct node *p)\n{\n  if (!p->next) return -1;\n  p->n = 3;\n  p->next->n = 4;\n  if (p->n == 4) return 1;\n  return 0;\n}\n";

#[test]
fn an_object_that_is_made_takes_back_a_proof_about_memory_of_its_own() {
    if !has_clang() {
        return;
    }
    let (_folder, file) = written(RING, "c");
    let (_, out, err) = run(&file, &["--fn", "one", "--json"]);
    let cover: Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {err}"));
    assert_eq!((count(&cover, "taken"), count(&cover, "open")), (4, 0), "{cover}");
    assert_eq!(cover["native"]["different"].as_array().map(Vec::len), Some(0), "{cover}");
    // Without the function that makes it the proof stands, and says what it takes for granted.
    let alone = RING.replace("struct node *ring(int n)", "static void unused(int n)").replace("  return r;\n", "");
    let (_folder, file) = written(&alone, "c");
    let (_, out, err) = run(&file, &["--fn", "one", "--json"]);
    let cover: Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {err}"));
    assert_eq!((count(&cover, "taken"), count(&cover, "given")), (3, 1), "{cover}");
    let given = cover["branches"].as_array().unwrap().iter().find(|b| b["status"] == "given").unwrap();
    assert!(given["given"].to_string().contains("memory of their own"), "{given}");
}

#[test]
fn room_behind_a_pointer_is_what_a_loop_asks_for() {
    if !has_clang() {
        return;
    }
    let text = "int smooth(double *a, int n)\n{\n  int i;\n  for (i = 0; i < 100; i++) a[i] = n;\n  if (a[99] == 7) return 1;\n  return 0;\n}\n\
                int sum(double *a, int n)\n{\n  int i;\n  double s = 0;\n  for (i = 0; i < n; i++) s += a[i];\n  if (n > 9 && n < 5) return 2;\n  return s > 1;\n}\n";
    let (_folder, file) = written(text, "c");
    assert_taken(&file, "smooth", 4);
    let outside = |function: &str| {
        let (_, out, err) = run(&file, &["--fn", function, "--json"]);
        let cover: Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {err}"));
        cover["ended"]["access outside of memory"].as_u64().unwrap_or(0)
    };
    // Where the length is an input there is no such room: an access behind the elements ends runs as before.
    assert_eq!(outside("smooth"), 0);
    assert!(outside("sum") > 0);
}

#[test]
fn files_that_include_templates_define_names_made_by_macros() {
    if !has_clang() {
        return;
    }
    let (folder, file) =
        written("int pair_first(int x);\nint f(int x) { if (pair_first(x) > 4) return 1; return 0; }\n", "c");
    std::fs::write(folder.path().join("configure"), "").unwrap();
    let own = folder.path().join("pair");
    std::fs::create_dir(&own).unwrap();
    std::fs::write(own.join("first_source.c.in"), "int NAME(first)(int x) { return x / 3; }\n").unwrap();
    let includes =
        "#define PASTED(a, b) a ## _ ## b\n#define NAME(x) PASTED(pair, x)\n#include \"first_source.c.in\"\n";
    std::fs::write(own.join("first.c"), includes).unwrap();
    assert_taken(&file, "f", 2);
}
