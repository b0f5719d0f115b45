use super::*;

fn target() -> Target {
    Target::of("target datalayout = \"e-p:64:64\"\ntarget triple = \"wasm64\"\n").unwrap()
}

fn retargeted(text: &str) -> String {
    Text::new(text).retargeted(&target(), &BTreeSet::from(["hook".to_owned()]))
}

fn function(body: &str) -> String {
    let notes = "!1 = distinct !DISubprogram(name: \"f\", file: !2, line: 3)\n!2 = !DIFile(filename: \"f.c\", directory: \"/d\")\n\
                 !7 = !DILocation(line: 12, column: 5, scope: !1)\n";
    retargeted(&format!("define dso_local double @f(double %0) #0 !dbg !1 {{\n{body}\n}}\n{notes}"))
}

#[test]
fn the_description_of_the_target_is_replaced() {
    let text = "target datalayout = \"e-m:e\"\ntarget triple = \"x86_64-pc-linux-gnu\"\n\
                attributes #0 = { nounwind \"target-cpu\"=\"x86-64\" \"target-features\"=\"+sse\" \"tune-cpu\"=\"generic\" }\n\
                !37 = !{i32 7, !\"PIC Level\", i32 2}\n";
    assert_eq!(
        retargeted(text),
        "target datalayout = \"e-p:64:64\"\ntarget triple = \"wasm64\"\nattributes #0 = { nounwind \"target-cpu\"=\"generic\" \
         \"target-features\"=\"+nontrapping-fptoint\" \"tune-cpu\"=\"generic\" }\n!37 = !{i32 7, !\"PIC Level\", i32 0}\n"
    );
}

#[test]
fn a_function_that_cannot_be_had_says_why() {
    for (line, reason) in [
        ("  %2 = fpext double %0 to fp128, !dbg !7", LONG_DOUBLE),
        ("  %2 = call double asm \"fsqrt\", \"={st},0\"(double %0) #8, !dbg !7", "has inline assembly"),
        (
            "  %2 = load volatile i32, i32* @flag, align 4, !dbg !7",
            "reads the volatile or atomic `flag`, which others may write",
        ),
        ("  %2 = call double @hook(double %0), !dbg !7", "uses the weak `hook`, which no file defines"),
        ("  call void (i8*, ...) @log(i8* null, x86_fp80 %2), !dbg !7", REST),
        (
            "  %2 = extractvalue { i64, i64 } %1, 0\n  %3 = and i64 %2, 1, !dbg !7",
            "calls by a pointer to a member function",
        ),
        ("  %2 = call i32 @llvm.x86.sse2.cvtsd2si(<2 x double> %1), !dbg !7", "uses instructions of one machine"),
    ] {
        let text = function(line);
        let name = format!("\"{REFUSED}f.c:12: `f` {reason}\"");
        assert!(text.contains(&format!("call void @{name}(), !dbg !7\n  unreachable\n}}")), "{text}");
        assert!(text.contains(&format!("declare void @{name}()")) && !text.contains(line), "{text}");
    }
}

#[test]
fn what_never_runs_is_no_reason() {
    let body = "  br i1 true, label %2, label %4, !dbg !7\n\n2:\n  %3 = fadd double %0, %0\n  ret double %3\n\n4:\n  \
                %5 = fpext double %0 to fp128\n  ret double %0";
    let text = function(body);
    assert!(!text.contains(REFUSED) && !text.contains("fp128") && text.contains("fadd double %v0, %v0"), "{text}");
}

#[test]
fn what_only_the_function_itself_can_write_is_read() {
    for body in [
        "  %3 = alloca double, align 8\n  store volatile double %0, double* %3, align 8\n  %4 = load volatile double, double* %3, align 8",
        "  call void asm sideeffect \"\", \"~{memory}\"() #6, !dbg !7",
    ] {
        assert!(function(body).contains(body), "{body}");
    }
    // An address that somebody else has.
    let given = "  %3 = alloca double, align 8\n  call void @g(double* %3)\n  %4 = load volatile double, double* %3, align 8, !dbg !7";
    assert!(function(given).contains(REFUSED));
}

#[test]
fn a_variable_among_constants_is_a_variable() {
    let text = retargeted(
        "@v = dso_local global i32 3, section \".rodata.mine\", align 4, !dbg !0\n\
         @c = dso_local constant i32 3, section \".rodata.mine\", align 4\n",
    );
    assert!(text.contains("@v = dso_local global i32 3, align 4, !dbg !0\n"), "{text}");
    assert!(text.contains("@c = dso_local constant i32 3, section \".rodata.mine\", align 4\n"), "{text}");
}

#[test]
fn a_variable_that_nothing_writes_is_a_constant() {
    let text = |line: &str| {
        retargeted(&format!(
            "@v = internal global double 1.0, align 8\n@p = global double* null\ndefine void @f() {{\n{line}\n}}\n"
        ))
    };
    let read = "  %7 = load volatile double, double* @v, align 8, !dbg !57\n  %8 = getelementptr inbounds double, double* @v, i64 1\n  \
                %9 = load double, double* %8";
    assert!(text(read).contains("@v = internal constant double 1.0") && !text(read).contains(REFUSED));
    for line in [
        "  store double 2.0, double* @v, align 8",
        "  call void @g(double* @v)",
        "  %8 = getelementptr inbounds double, double* @v, i64 1\n  store double 2.0, double* %8",
        "  store double* @v, double** @p",
    ] {
        assert!(text(line).contains("@v = internal global"), "{line}");
    }
}

#[test]
fn a_switch_stays_one_table() {
    let text = function("  switch i32 %3, label %9 [\n    i32 0, label %4\n  ], !dbg !7");
    assert!(text.contains("  %magneto.3 = freeze i32 %3\n  switch i32 %magneto.3, label %9 [\n"), "{text}");
}

#[test]
fn casts_to_short_integers_go_through_32_bits() {
    let cast = function("  %7 = fptoui double %6 to i8, !dbg !7");
    let sign = if cfg!(target_arch = "x86_64") { 's' } else { 'u' };
    let wanted = format!(
        "  %magneto.from.7 = freeze double %6, !dbg !7\n  %magneto.cast.7 = fpto{sign}i double %magneto.from.7 to i32, !dbg !7\n  \
         %7 = trunc i32 %magneto.cast.7 to i8, !dbg !7\n"
    );
    assert!(cast.contains(&wanted), "{cast}");
    let long = function("  %7 = fptosi float %6 to i32, !dbg !7");
    assert!(long.contains("  %7 = fptosi float %magneto.from.7 to i32, !dbg !7"), "{long}");
}
