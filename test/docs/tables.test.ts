import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const DOCS = new URL('../../docs/internals/', import.meta.url);
const TABLES = { 'faults.md': { letter: 'F', rows: 36 }, 'threats.md': { letter: 'A', rows: 62 } };

for (const [name, { letter, rows }] of Object.entries(TABLES)) {
  const lines = readFileSync(new URL(name, DOCS), 'utf8').split('\n');
  const table = lines.flatMap((line) => {
    const code = /^\| ([A-Z]\d+) \|/.exec(line)?.[1];
    const tests = [...line.matchAll(/\]\(([^)]+\.test\.ts)\)/g)].map((match) => new URL(match[1] ?? '', DOCS));
    return code === undefined ? [] : [{ code, line, tests }];
  });

  test(`docs/internals/${name} has every row once, in order`, () => {
    const codes = Array.from({ length: rows }, (_, index) => `${letter}${index + 1}`);
    assert.deepEqual(
      table.map(({ code }) => code),
      codes,
    );
  });

  test(`each row of docs/internals/${name} names tests or the reason for none`, () => {
    for (const { code, line, tests } of table) {
      if (tests.length === 0) assert.match(line, /\*\*(?:In part|Not yet|not yet|yet)\b/, code);
    }
  });

  test(`each test that docs/internals/${name} names for a row has the row’s code in a title`, () => {
    for (const { code, tests } of table) {
      // In parentheses at the end of a title, alone or with others; in quotes in composed titles.
      const title = new RegExp(`[(, ]${code}[,)]|'${code}'`);
      for (const file of tests) assert.match(readFileSync(file, 'utf8'), title, `${code} in ${file.pathname}`);
    }
  });
}
