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
    // No object that is made takes back what is impossible.
    let (code, out, err) = run(&file, &["--fn", "never", "--json"]);
    assert_eq!(code, Some(0), "{err}");
    let cover: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((count(&cover, "given"), count(&cover, "open")), (1, 0), "{cover}");
}

/// Two pointers of one structure that lead to the same numbers.
const PAIR: &str = "#include <stdlib.h>\nstruct pair { double *a, *b; };\n\
    struct pair *pair_new(int n)\n{\n  struct pair *p = malloc(sizeof *p);\n  if (!p) abort();\n  p->a = p->b = calloc(4, 8);\n  \
    p->a[1] = n;\n  return p;\n}\n\
    int one(struct pair *p)\n{\n  p->a[0] = 3;\n  p->b[0] = 4;\n  if (p->a[0] == 4) return 1;\n  return 0;\n}\n";

#[test]
fn an_object_that_is_made_takes_back_a_proof_about_memory_of_its_own() {
    if !has_clang() {
        return;
    }
    let cover_of = |text: &str| {
        let (_folder, file) = written(text, "c");
        let (_, out, err) = run(&file, &["--fn", "one", "--json"]);
        serde_json::from_str::<Value>(&out).unwrap_or_else(|e| panic!("{e}: {err}"))
    };
    let cover = cover_of(PAIR);
    assert_eq!((count(&cover, "taken"), count(&cover, "given")), (2, 0), "{cover}");
    assert_eq!(cover["native"]["different"].as_array().map(Vec::len), Some(0), "{cover}");
    // Without the function that makes it the proof stands, and says what it takes for granted.
    let cover = cover_of(&PAIR.replace("struct pair *pair_new(int n)", "struct pair *pair_new(int n, double *none)"));
    assert_eq!((count(&cover, "taken"), count(&cover, "given")), (1, 1), "{cover}");
    let given = cover["branches"].as_array().unwrap().iter().find(|b| b["status"] == "given").unwrap();
    assert!(given["given"].to_string().contains("memory of their own"), "{given}");
}

/// A fixture belongs to a body; its edge is in the body's list.
const BODY: &str = "struct edge { struct edge *next; int n; };\nstruct body { struct edge *list; int count; };\n\
    struct fixture { struct body *body; struct edge edge; int kind; };\n\
    int destroy(struct body *b, struct fixture *f)\n{\n  if (f->body != b) return -1;\n  b->count = 5;\n  \
    if (f->body->count != 5) __builtin_trap();\n  if (b->list == &f->edge) { b->list = b->list->next; return f->kind == 3 ? 1 : 2; }\n  return 0;\n}\n\
    int same(struct body *a, const struct body *b)\n{\n  a->count = 1;\n  if (b->count == 1 && a == b) return 1;\n  return 0;\n}\n";

#[test]
fn pointers_lead_to_the_objects_of_others() {
    if !has_clang() {
        return;
    }
    let (_folder, file) = written(BODY, "c");
    // That a body has another number than it was just given no run takes, and no proof knows.
    let (_, out, err) = run(&file, &["--fn", "destroy", "--json"]);
    let cover: Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {err}"));
    assert_eq!((count(&cover, "taken"), count(&cover, "open")), (7, 1), "{cover}");
    let names = inputs(&cover);
    assert!(names.contains(&"f.body == b") && names.contains(&"b.list == &f.edge"), "{names:?}");
    assert_eq!(cover["native"]["different"].as_array().map(Vec::len), Some(0), "{cover}");
    assert_taken(&file, "same", 4);
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
fn characters_in_fixed_columns_are_inputs() {
    if !has_clang() {
        return;
    }
    let text = "int card(const char *line)\n{\n  int n = line[20] == 'x';\n  n += line[33] == 'y';\n  if (n == 2) return 1;\n  return 0;\n}\n";
    let (_folder, file) = written(text, "c");
    let cover = assert_taken(&file, "card", 2);
    assert!(inputs(&cover).contains(&"line[33]"), "{:?}", inputs(&cover));
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
