/**
 * `npm run check`: reports words that the glossary excludes in identifiers and comments. Exit code 1
 * if there are any. textlint checks the documentation with the same terms.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ts from 'typescript';

interface Exclusion {
  pattern: RegExp;
  use: string;
}

const IN_IDENTIFIERS: Exclusion[] = [
  { pattern: /^(MOST|LONGEST|BIGGEST)_/, use: 'MAX_…, with the unit' },
  { pattern: /^KEPT_/, use: 'the field’s term, such as NO_STORE or …_RETENTION_DAYS' },
  { pattern: /^(tell|say|told|said|ask|hear)([A-Z]|$)/, use: 'format, describe, notify or report' },
  { pattern: /twin/i, use: 'Markdown alternate' },
  { pattern: /frontDoor|front_door/i, use: 'cache fast path' },
  { pattern: /keptAnswer|sendable/i, use: 'cached response' },
  { pattern: /wish(es)?([A-Z_]|$)/i, use: 'dispatch or command' },
  { pattern: /takeBack|takenBack|tookBack/i, use: 'withdraw' },
  { pattern: /leftBehind|takeUp([A-Z]|$)|perhapsBack|broughtBack/i, use: 'former copy, presence' },
  { pattern: /^lockAccount$/, use: 'lockUser or lockRateBudget' },
];

/** The terms that the prose linter excludes from the documentation. */
const { terms } = JSON.parse(readFileSync('.textlintrc.json', 'utf8')).rules.terminology as {
  terms: [string, string][];
};
const IN_COMMENTS: Exclusion[] = terms.map(([term, use]) => ({ pattern: new RegExp(`\\b(?:${term})\\b`, 'i'), use }));

/** Block comments begin a line; `//` within a string is no comment. */
const COMMENT = /^[ \t]*\/\*[\s\S]*?\*\/|(?:^|\s)\/\/ .*$/gm;

const list = (...patterns: string[]) =>
  execFileSync('git', ['ls-files', ...patterns], { encoding: 'utf8' })
    .trim()
    .split('\n');
const problems: string[] = [];

for (const file of list(
  '*.ts',
  '*.mjs',
  ':!store/db/migrations',
  ':!scripts/check-glossary.ts',
  ':!store/db/generated-types.ts',
)) {
  const text = readFileSync(file, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false);
  const report = (position: number, found: string, { use }: Exclusion) => {
    const line = source.getLineAndCharacterOfPosition(position).line + 1;
    problems.push(`${file}:${line}: “${found}”: use ${use}`);
  };
  visit(source);
  for (const comment of text.matchAll(COMMENT)) {
    for (const exclusion of IN_COMMENTS) {
      const match = exclusion.pattern.exec(comment[0]);
      if (match) report(comment.index + match.index, match[0], exclusion);
    }
  }

  function visit(node: ts.Node): void {
    if (ts.isIdentifier(node)) {
      for (const exclusion of IN_IDENTIFIERS) {
        if (exclusion.pattern.test(node.text)) report(node.getStart(source), node.text, exclusion);
      }
    }
    ts.forEachChild(node, visit);
  }
}

for (const problem of problems) process.stdout.write(`${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
