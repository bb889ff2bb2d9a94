/**
 * Reports words that the glossary excludes, in identifiers and comments of TypeScript files and in
 * the documentation. Exit code 1 if there are any.
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
  { pattern: /^(tell|say|told|said)([A-Z]|$)/, use: 'format, describe, notify or report' },
  { pattern: /twin/i, use: 'Markdown alternate' },
  { pattern: /frontDoor|front_door/i, use: 'cache fast path' },
  { pattern: /keptAnswer|sendable/i, use: 'cached response' },
  { pattern: /wish(es)?([A-Z_]|$)/i, use: 'dispatch or command' },
  { pattern: /takeBack|takenBack|tookBack/i, use: 'withdraw' },
  { pattern: /leftBehind|takeUp([A-Z]|$)|perhapsBack|broughtBack/i, use: 'former copy, presence' },
  { pattern: /^lockAccount$/, use: 'lockUser or lockRateBudget' },
];

const IN_PROSE: Exclusion[] = [
  { pattern: /\b(twins?)\b/i, use: 'Markdown alternate' },
  { pattern: /\bfront door\b/i, use: 'cache fast path' },
  { pattern: /\bkept answers?\b/i, use: 'cached response' },
  { pattern: /\b(takes?|taken|took|taking) (it |them )?back\b/i, use: 'withdraw, unpublish or undo' },
  { pattern: /\bleft behind\b/i, use: 'former copy' },
  { pattern: /\b(let be|perhaps back|brought back)\b/i, use: 'skipped, uncertain, live again' },
  { pattern: /\bwish(es)?\b/i, use: 'dispatch or command' },
  { pattern: /\b(what became of|mend|mended|mends)\b/i, use: 'outcome; fix' },
  { pattern: /\b(says|tells|asks|hears)\b/i, use: 'returns, reports, requests, receives' },
];

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
  for (const { pos, end } of listComments(text, source)) {
    for (const exclusion of IN_PROSE) {
      const match = exclusion.pattern.exec(text.slice(pos, end));
      if (match) report(pos + match.index, match[0], exclusion);
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

for (const file of list('docs/*.md', '*.md', ':!CHANGELOG.md', ':!examples')) {
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    for (const exclusion of IN_PROSE) {
      const match = exclusion.pattern.exec(line);
      if (match) problems.push(`${file}:${index + 1}: “${match[0]}”: use ${exclusion.use}`);
    }
  }
}

function listComments(text: string, source: ts.SourceFile): ts.CommentRange[] {
  const found = new Map<number, ts.CommentRange>();
  const add = (ranges: ts.CommentRange[] | undefined) => {
    for (const range of ranges ?? []) found.set(range.pos, range);
  };
  const walk = (node: ts.Node): void => {
    add(ts.getLeadingCommentRanges(text, node.pos));
    add(ts.getTrailingCommentRanges(text, node.end));
    ts.forEachChild(node, walk);
  };
  walk(source);
  add(ts.getLeadingCommentRanges(text, source.endOfFileToken.pos));
  return [...found.values()];
}

for (const problem of problems) process.stdout.write(`${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
