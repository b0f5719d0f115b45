// Makes tables sortable and filterable. Nothing else depends on it. Opened with #selfcheck it tries itself out, and says
// what it found in data attributes of <html>.
(function () {
  "use strict";
  var root = document.documentElement;
  var problems = [];
  window.onerror = function (message) {
    problems.push(String(message));
    root.dataset.errors = problems.join("; ");
  };

  function key(row, column) {
    var cell = row.cells[column];
    return cell.dataset.k !== undefined ? cell.dataset.k : cell.textContent.trim();
  }
  // A number, or a place: line and column.
  function value(text) {
    var place = /^(\d+):(\d+)$/.exec(text);
    return place ? Number(place[1]) * 1e6 + Number(place[2]) : Number(text.replace(/inf|∞/, "Infinity"));
  }
  function compare(a, b) {
    if (a === b) return 0;
    // Empty cells come last.
    if (a === "" || b === "") return a === "" ? 1 : -1;
    var x = value(a), y = value(b);
    return isNaN(x) || isNaN(y) ? a.localeCompare(b) : x - y;
  }
  function sort(table, column, descending) {
    var body = table.tBodies[0];
    var rows = Array.prototype.map.call(body.rows, function (row, k) { return { row: row, key: key(row, column), k: k }; });
    rows.sort(function (a, b) { var c = compare(a.key, b.key); return (descending ? -c : c) || a.k - b.k; });
    var all = document.createDocumentFragment();
    rows.forEach(function (r) { all.appendChild(r.row); });
    body.appendChild(all);
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (head, k) {
      if (k === column) head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
  }
  var tables = Array.prototype.slice.call(document.querySelectorAll("table.sortable"));
  tables.forEach(function (table) {
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (head, column) {
      var button = document.createElement("button");
      button.type = "button";
      while (head.firstChild) button.appendChild(head.firstChild);
      head.appendChild(button);
      button.addEventListener("click", function () {
        sort(table, column, head.getAttribute("aria-sort") === "ascending");
      });
    });
  });

  var input = document.getElementById("filter"), found = document.getElementById("found");
  var rows = Array.prototype.slice.call(document.querySelectorAll("table.filterable tbody tr, table.index tbody tr"));
  // The tests in order: a row names those that kill its mutant as `t001 t003–t005`.
  var tests = Array.prototype.map.call(document.querySelectorAll("details.test"), function (d) { return d.id; });
  var place = new Map(tests.map(function (id, k) { return [id.toLowerCase(), k]; }));
  function killedBy(row, test) {
    var stretches = row.cells[5].textContent.toLowerCase().split(/\s+/).filter(Boolean);
    return stretches.some(function (stretch) {
      var ends = stretch.split("–");
      return place.get(ends[0]) <= test && test <= place.get(ends[ends.length - 1]);
    });
  }
  var texts = null;
  function filter(wanted) {
    texts = texts || rows.map(function (row) { return row.textContent.toLowerCase(); });
    var words = wanted.toLowerCase().split(/\s+/).filter(Boolean), count = 0;
    rows.forEach(function (row, k) {
      var shown = words.every(function (word) {
        if (/^\d+:\d+$/.test(word)) return row.cells[1].textContent === word;
        return place.has(word) ? killedBy(row, place.get(word)) : texts[k].indexOf(word) >= 0;
      });
      row.hidden = !shown;
      if (shown) count += 1;
    });
    document.querySelectorAll("details.operator").forEach(function (d) {
      d.hidden = words.length > 0 && !d.querySelector("tbody tr:not([hidden])");
    });
    found.textContent = words.length ? count + " of " + rows.length : "";
    return count;
  }
  function show(wanted) { input.value = wanted; filter(wanted); }
  document.querySelectorAll("a.find").forEach(function (link) {
    link.addEventListener("click", function () { show(link.dataset.find); });
  });
  // A link to a place leads to its first mutant; the others there are in the tables of other operators.
  document.querySelectorAll("a[href^='#p-']").forEach(function (link) {
    link.addEventListener("click", function () { show(link.hash.slice(3).replace("-", ":")); });
  });
  input.closest(".filter").hidden = false;
  input.addEventListener("input", function () { filter(input.value); });

  // What does not fit says so. The tables of mutants are left out: to measure them is to lay them out.
  function mark() {
    document.querySelectorAll(".scroll:not(.tall), .chart").forEach(function (box) {
      box.classList.toggle("wide", box.scrollWidth > box.clientWidth + 1);
    });
  }
  mark();
  window.addEventListener("resize", mark);
  document.addEventListener("toggle", mark, true);

  // A link may lead to a row that is filtered out or to something folded.
  function reveal() {
    var target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    var row = target.closest("tr");
    if (row && row.hidden) { input.value = ""; filter(""); }
    for (var e = target; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
    target.scrollIntoView();
  }
  window.addEventListener("hashchange", reveal);
  var folded = [];
  window.addEventListener("beforeprint", function () {
    folded = Array.prototype.slice.call(document.querySelectorAll("details:not([open])"));
    folded.forEach(function (d) { d.open = true; });
  });
  window.addEventListener("afterprint", function () { folded.forEach(function (d) { d.open = false; }); });

  // Sorts a copy of the largest table both ways, and filters for its first row, for what each test kills, and
  // for minimal mutants.
  function check() {
    if (!rows.length) return "ok";
    var table = tables.reduce(function (a, b) { return b.tBodies[0].rows.length > a.tBodies[0].rows.length ? b : a; });
    var copy = table.cloneNode(true), count = copy.tBodies[0].rows.length;
    for (var column = 0; column < copy.tHead.rows[0].cells.length; column++) {
      for (var way = 0; way < 2; way++) {
        sort(copy, column, way === 1);
        var sorted = copy.tBodies[0].rows;
        if (sorted.length !== count) return "rows were lost by sorting";
        for (var k = 1; k < count; k++) {
          var c = compare(key(sorted[k - 1], column), key(sorted[k], column));
          if (way === 1 ? c < 0 : c > 0) return "column " + column + " is not sorted";
        }
      }
    }
    var wrong = Array.prototype.filter.call(document.querySelectorAll("#trace a.find, .minimal a.find"), function (link) {
      return filter(link.dataset.find) !== Number(link.textContent);
    });
    if (wrong.length) return "the filter does not find as many mutants as said for " + wrong[0].dataset.find;
    var there = rows[0].cells[1].textContent, at = rows.filter(function (row) { return row.cells[1].textContent === there; });
    if (/^\d+:\d+$/.test(there) && filter(there) !== at.length) return "the filter does not find a place";
    var id = rows[0].id ? rows[0].cells[0].textContent : there;
    var one = filter(id), hidden = rows[0].hidden, nothing = filter("no such mutant anywhere"), all = filter("");
    if (one < 1 || hidden || nothing !== 0 || all !== rows.length) return "the filter does not work";
    return "ok";
  }
  if (location.hash === "#selfcheck") root.dataset.selfcheck = check();
  else if (location.hash) reveal();
})();
