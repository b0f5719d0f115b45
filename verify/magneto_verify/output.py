"""What the checker found, as text, JSON and JUnit."""

import json
from collections import Counter
from xml.sax.saxutils import quoteattr

from .claims import OPEN, REFUTED, VERIFIED

# Claims that are named one by one in text.
MOST_NAMED = 20


def all_of(checked):
    return [c for _, claims in checked for c in claims]


def exit_code(checked, wrong):
    """0: all is verified; 1: something is refuted; 3: something is not verified."""
    verdicts = {c.verdict for c in all_of(checked)}
    return 1 if wrong or REFUTED in verdicts else 3 if OPEN in verdicts else 0


def text(checked, wrong, each=False):
    lines = [f"{folder}: its manifest.json is not the one of this run" for folder in wrong]
    for name, claims in checked:
        count = Counter((c.kind, c.verdict) for c in claims)
        lines.append(name)
        for kind in dict.fromkeys(c.kind for c in claims):
            parts = [f"{count[kind, v]:7} {v}" for v in (VERIFIED, OPEN, REFUTED) if count[kind, v]]
            lines.append(f"  {kind:20}{'  '.join(parts)}")
        bad = sorted((c for c in claims if c.verdict != VERIFIED), key=lambda c: c.verdict != REFUTED)
        if each:
            bad = sorted(claims, key=lambda c: c.verdict == VERIFIED)
        lines += [f"  {c.verdict}: {c.kind} {c.subject}{': ' if c.why else ''}{c.why}" for c in bad[: None if each else MOST_NAMED]]
        if not each and len(bad) > MOST_NAMED:
            lines.append(f"  … and {len(bad) - MOST_NAMED} more; --format json names all")
    total = Counter(c.verdict for c in all_of(checked))
    lines.append(", ".join(f"{total[v]} {v}" for v in (VERIFIED, OPEN, REFUTED)))
    return "\n".join(lines) + "\n"


def as_json(checked, wrong, each=False):
    """Counts by kind and verdict, and each claim that is not verified; or each claim."""
    parts = []
    for name, claims in checked:
        count = Counter((c.kind, c.verdict) for c in claims)
        rows = [{"kind": k, "verdict": v, "claims": n} for (k, v), n in count.items()]
        bad = [vars(c) for c in claims if c.verdict != VERIFIED]
        parts.append({"specification": name, "counts": rows, "not_verified": bad})
        if each:
            parts[-1]["claims"] = [vars(c) for c in claims]
    total = Counter(c.verdict for c in all_of(checked))
    found = {"schema": "magneto/verify/1", "verified": total[VERIFIED], "not verified": total[OPEN],
             "REFUTED": total[REFUTED], "wrong_manifests": wrong, "specifications": parts}
    return json.dumps(found, indent=1) + "\n"


def junit(checked, wrong, each=False):
    """A test case for each claim that is not verified, and one for all others of a kind. A limit is a skip."""
    total = Counter(c.verdict for c in all_of(checked))
    suites = []
    for name, claims in checked:
        cases = []
        for kind in dict.fromkeys(c.kind for c in claims):
            good = sum(c.kind == kind and c.verdict == VERIFIED for c in claims)
            if each:
                continue
            cases.append(f"    <testcase classname={quoteattr(name)} name={quoteattr(f'{kind}: {good} verified')}/>")
        for c in claims:
            if each and c.verdict == VERIFIED:
                cases.append(f"    <testcase classname={quoteattr(name)} name={quoteattr(f'{c.kind} {c.subject}')}/>")
            if c.verdict != VERIFIED:
                tag = "failure" if c.verdict == REFUTED else "skipped"
                cases.append(f"    <testcase classname={quoteattr(name)} name={quoteattr(f'{c.kind} {c.subject}')}>"
                             f"<{tag} message={quoteattr(c.why)}/></testcase>")
        failed = sum(c.verdict == REFUTED for c in claims)
        suites.append(f"  <testsuite name={quoteattr(name)} tests=\"{len(cases)}\" failures=\"{failed}\">\n" + "\n".join(cases) + "\n  </testsuite>")
    for folder in wrong:
        suites.append(f"  <testsuite name={quoteattr(folder)} tests=\"1\" failures=\"1\"><testcase name=\"manifest\"><failure message=\"of another run\"/></testcase></testsuite>")
    return f"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites failures=\"{total[REFUTED] + len(wrong)}\">\n" + "\n".join(suites) + "\n</testsuites>\n"


FORMATS = {"text": text, "json": as_json, "junit": junit}
