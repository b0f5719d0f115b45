// Checks what a package needs before it is packed: that all files are what they say, and that every pattern is one.
'use strict';
const fs = require('fs');
const read = (file) => JSON.parse(fs.readFileSync(`${__dirname}/${file}`, 'utf8'));

const manifest = read('package.json');
const { languages, grammars } = manifest.contributes;
const grammar = read(grammars[0].path);
const configuration = read(languages[0].configuration);
if (grammar.scopeName !== grammars[0].scopeName) throw new Error('the grammar has another scope than the manifest says');
new RegExp(configuration.wordPattern, 'u');

const visit = (node, path) => {
  if (node === null || typeof node !== 'object') return;
  for (const key of ['match', 'begin', 'end']) if (typeof node[key] === 'string') new RegExp(node[key]);
  if (typeof node.include === 'string' && !grammar.repository[node.include.slice(1)]) throw new Error(`${path}: no ${node.include}`);
  for (const [key, value] of Object.entries(node)) visit(value, `${path}/${key}`);
};
visit(grammar, grammars[0].path);

// Every operator of the book is coloured as one.
const page = `${__dirname}/../../docs/src/operators.md`;
const operators = [...fs.readFileSync(page, 'utf8').matchAll(/^\| `\((\S+) /gm)].map((row) => row[1]);
if (operators.length < 40) throw new Error(`only ${operators.length} operators found in ${page}`);
const heads = grammar.repository.head.patterns.map((p) => new RegExp(p.match));
for (const name of operators) {
  const whole = heads.some((head) => (head.exec(`(${name} x)`) || [''])[0] === name);
  if (!whole) throw new Error(`the grammar does not know the operator ${name}`);
}
new (require('vm').Script)(fs.readFileSync(`${__dirname}/extension.js`, 'utf8'), { filename: 'extension.js' });
console.log(`${manifest.name} ${manifest.version}: ${operators.length} operators`);
