/** The summary of a job, and what the runner reads from the output of a step. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { addSummary, formatAnnotation, formatLogLine, setOutputs } from '../../action/runner.mjs';
import { formatSummary } from '../../action/summary.mjs';

test('the summary has a row for each file, with its state, its address and its messages', () => {
  const outcome = (what: string, more: object = {}) => ({ file: 'a.md', what, notices: [], ...more }) as never;
  const summary = formatSummary({
    ...{ headline: 'Done.', reasons: ['One.', 'Two.'] },
    outcomes: [
      outcome('created', { title: 'T', url: 'https://a.io/x|y', status: 'PUBLISHED' }),
      outcome('updated', { url: 'http://a.io/', status: 'DRAFT' }),
      outcome('checked', {
        title: 'T',
        notices: [
          { level: 'notice', message: 'n' },
          { level: 'warning', message: 'w', line: 3 },
        ],
      }),
      outcome('invalid', { notices: [{ level: 'error', message: 'two\nlines' }] }),
      ...['failed', 'not published', 'deleted'].map((what) => outcome(what)),
    ],
  });
  assert.deepEqual(summary.split('\n'), [
    '## Done\\.',
    '',
    'One\\.',
    '',
    'Two\\.',
    '',
    '| File | Outcome | Article |',
    '|---|---|---|',
    '| a\\.md | published, new | [T](<https://a.io/x%7Cy>) |',
    '| a\\.md | saved as DRAFT | [article](<http://a.io/>) |',
    '| a\\.md | can be published | T<br>n<br>warning: line 3: w |',
    '| a\\.md | **cannot be published** | <br>error: two lines |',
    '| a\\.md | **failed** |  |',
    '| a\\.md | not published |  |',
    '| a\\.md | deleted; its article is unchanged |  |',
    '',
  ]);
  assert.equal(formatSummary({ headline: 'x', reasons: [], outcomes: [] }), '## x\n\n');
});

test('the runner gets outputs, a summary, annotations and log lines in its own formats', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'courant-outputs-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const files = { GITHUB_OUTPUT: join(folder, 'output'), GITHUB_STEP_SUMMARY: join(folder, 'summary') };
  setOutputs(files, { published: 2, urls: ['a'] });
  setOutputs({}, { published: 3 });
  assert.equal(readFileSync(files.GITHUB_OUTPUT, 'utf8'), 'published=2\nurls=["a"]\n');
  addSummary(files, 'one');
  addSummary(files, ' two');
  addSummary({}, 'three');
  assert.equal(readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8'), 'one two');
  assert.equal(formatAnnotation({ level: 'notice', message: 'a%b\r\nc\rd' }), '::notice::a%25b%0Ac%0Ad\n');
  assert.equal(
    formatAnnotation({ level: 'error', message: 'm', file: 'a,b:c%\n.md', line: 3, column: 4, title: 'T' }),
    '::error file=a%2Cb%3Ac%25%0A.md,line=3,col=4,title=T::m\n',
  );
  assert.equal(formatLogLine('a \r\n b ##[error]\u0007'), 'a b ## [error]\\u0007\n');
});
