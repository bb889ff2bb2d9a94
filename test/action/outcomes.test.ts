/** The outcome of each file, from the output of the command line. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createCourantRunner } from '../../action/courant.mjs';
import { publishChanges } from '../../action/publish-changes.mjs';

type Courant = Parameters<typeof publishChanges>[1]['courant'];
type Answer = Awaited<ReturnType<Courant>>[number];
const change = (file: string, kind: 'added' | 'changed' | 'renamed' | 'deleted' = 'added', more: object = {}) => ({
  ...{ file, kind, isLink: false, ...more },
});
const ok = (more: object = {}): Answer => ({ result: 'ok', title: 'T', notices: [], ...more });

/** A command line that gives these answers in order, and records its calls. */
function createCourant(...answers: Answer[][]) {
  const calls: unknown[][] = [];
  const courant: Courant = async (files, flags, env) => {
    calls.push([files, flags, env]);
    return files.length === 0 ? [] : (answers.shift() ?? []);
  };
  return { courant, calls };
}
const env = { SERVICE_TOKEN: 't' };

test('every file is checked, then published with the token', async () => {
  const notices = [{ level: 'notice' as const, message: 'n' }];
  const { courant, calls } = createCourant(
    [ok({ notices }), ok()],
    [
      ok({ action: 'created', url: 'u1', status: 'PUBLISHED' }),
      ok({ action: 'updated', url: 'u2', status: 'DRAFT', notices }),
    ],
  );
  const changes = [change('a.md'), change('b.md', 'renamed', { from: 'old.md' })];
  const renamed =
    'Renamed from old.md. It is the same article if its id, slug, canonical_url or title is unchanged. Without any of them in the frontmatter, it becomes a new article, and the former one stays public.';
  assert.deepEqual(await publishChanges(changes, { mode: 'publish', courant, env }), [
    { file: 'a.md', title: 'T', what: 'created', url: 'u1', status: 'PUBLISHED', notices: [] },
    {
      file: 'b.md',
      title: 'T',
      what: 'updated',
      url: 'u2',
      status: 'DRAFT',
      notices: [{ level: 'notice', message: renamed }, ...notices],
    },
  ]);
  assert.deepEqual(calls, [
    [['a.md', 'b.md'], ['--dry-run'], undefined],
    [[], ['--dry-run'], undefined],
    [['a.md', 'b.md'], [], env],
  ]);
});

test('a check publishes nothing, and reports the notices of each file', async () => {
  const notices = [{ level: 'warning' as const, message: 'w' }];
  const { courant, calls } = createCourant([ok({ notices })]);
  const outcome = { file: 'a.md', title: 'T', what: 'checked', notices };
  assert.deepEqual(await publishChanges([change('a.md')], { mode: 'check', courant, env }), [outcome]);
  assert.equal(calls.length, 2);
});

test('as drafts, only added files are published; the others are checked', async () => {
  const { courant, calls } = createCourant([ok()], [ok()], [ok({ action: 'created', url: 'u', status: 'DRAFT' })]);
  const changes = [change('a.md', 'changed'), change('b.md')];
  const outcomes = await publishChanges(changes, { mode: 'draft', courant, env });
  assert.deepEqual(
    outcomes.map(({ file, what }) => `${file} ${what}`),
    ['a.md checked', 'b.md created'],
  );
  assert.deepEqual(calls, [
    [['b.md'], ['--dry-run', '--draft'], undefined],
    [['a.md'], ['--dry-run'], undefined],
    [['b.md'], ['--draft'], env],
  ]);
});

test('if one file is invalid, none is published', async () => {
  const error = { level: 'error' as const, message: 'e' };
  for (const bad of [ok({ notices: [error] }), { result: 'failed' as const, notices: [error] }]) {
    const { courant, calls } = createCourant([ok(), bad]);
    const outcomes = await publishChanges([change('a.md'), change('b.md')], { mode: 'publish', courant, env });
    assert.deepEqual(
      outcomes.map(({ what }) => what),
      ['not published', 'invalid'],
    );
    assert.equal(calls.length, 2);
  }
  // A file without an answer of the check is invalid.
  const { courant } = createCourant([]);
  assert.deepEqual(await publishChanges([change('a.md')], { mode: 'check', courant, env }), [
    { file: 'a.md', title: undefined, what: 'invalid', notices: [] },
  ]);
});

test('deleted files and links are not read', async () => {
  const { courant, calls } = createCourant([ok()]);
  const changes = [change('a.md', 'deleted'), change('b.md', 'added', { isLink: true }), change('c.md')];
  const outcomes = await publishChanges(changes, { mode: 'publish', courant, env });
  assert.deepEqual(outcomes.slice(0, 2), [
    {
      ...{ file: 'a.md', what: 'deleted' },
      notices: [
        {
          level: 'warning',
          message:
            'The file was deleted. Its article is unchanged unless another file continues it. To unpublish it, use the desk, or publish it again with "status: DRAFT".',
        },
      ],
    },
    {
      ...{ file: 'b.md', what: 'invalid' },
      notices: [
        {
          level: 'error',
          message: 'This is a symbolic link, which may lead to any file of the runner: replace it with the article.',
        },
      ],
    },
  ]);
  assert.deepEqual(calls[0], [['c.md'], ['--dry-run'], undefined]);
});

test('a publish that fails or is not reached is named', async () => {
  const failed: Answer = { result: 'failed', notices: [{ level: 'error', message: 'e' }] };
  const { courant } = createCourant([ok(), ok(), ok()], [failed, { result: 'not sent', notices: [] }]);
  const changes = ['a.md', 'b.md', 'c.md'].map((file) => change(file));
  const outcomes = await publishChanges(changes, { mode: 'publish', courant, env });
  assert.deepEqual(
    outcomes.map(({ what, notices }) => [what, notices.length]),
    [
      ['failed', 1],
      ['not published', 0],
      ['not published', 0],
    ],
  );
});

/** A program that prints the arguments and environment that it gets, then these lines. */
function createLauncher(t: TestContext, lines: string, exitCode = 0) {
  const folder = mkdtempSync(join(tmpdir(), 'courant-launcher-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const launcher = join(folder, 'launcher.mjs');
  writeFileSync(
    launcher,
    `import { appendFileSync } from 'node:fs';
const { NO_COLOR, CI, SERVICE_TOKEN } = process.env;
const files = process.argv.slice(process.argv.indexOf('--') + 1);
appendFileSync('calls', JSON.stringify({ args: process.argv.slice(2, -files.length), files: files.length, NO_COLOR, CI, SERVICE_TOKEN }) + '\\n');
${lines}
process.exitCode = ${exitCode};`,
  );
  const calls = () =>
    readFileSync(join(folder, 'calls'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  return { run: createCourantRunner(launcher, folder), calls };
}
const print = (...bodies: object[]) =>
  bodies.map((body) => `console.log(${JSON.stringify(JSON.stringify(body))});`).join('\n');

test('the JSON of each file becomes its answer', async (t) => {
  const published = {
    success: true,
    action: 'created',
    data: { url: 'u', status: 'PUBLISHED' },
    warnings: [{ message: 'w', line: 3, column: 4, code: 'x' }],
  };
  const checked = {
    ...{
      success: true,
      summary: { title: 'T' },
      doubts: [{ code: 'state_doubtful' }, { code: 'picture_unreachable' }],
    },
    warnings: [
      { code: 'state_doubtful', message: 'd', line: 1 },
      { code: 'picture_unreachable', message: 'p' },
    ],
    destinations: [
      {
        destination: 'blogsite_a',
        label: 'DEV',
        refusal: { message: 'r', line: 2 },
        losses: [{ message: 'l', line: 5 }],
      },
      { destination: 'blogsite_b', label: 'Hashnode', refusal: null },
    ],
  };
  const refused = { success: false, message: 'M', errors: [{ message: 'e', line: 7 }, { message: 'f' }], hints: ['h'] };
  const { run, calls } = createLauncher(
    t,
    `console.log('no JSON');\n${print({ file: 'b.md', ...checked }, { file: 'a.md', ...published }, { file: 'c.md', ...refused }, { file: 'd.md', success: false, message: 'M' }, { file: 'e.md', code: 'not_sent', success: false })}`,
    2,
  );
  const position = { line: undefined, column: undefined };
  const advice = 'It may not be meant for the public: set "status" in the frontmatter (PUBLISHED or DRAFT).';
  assert.deepEqual(await run(['a.md', 'b.md', 'c.md', 'd.md', 'e.md'], ['--draft'], { SERVICE_TOKEN: 't' }), [
    {
      result: 'ok',
      title: undefined,
      url: 'u',
      status: 'PUBLISHED',
      action: 'created',
      notices: [{ level: 'warning', message: 'w', line: 3, column: 4 }],
    },
    {
      ...{ result: 'ok', title: 'T', url: undefined, status: undefined, action: undefined },
      notices: [
        { ...position, level: 'error', message: `d\n${advice}`, line: 1 },
        { ...position, level: 'error', message: 'p' },
        { ...position, level: 'warning', message: 'blogsite_a (DEV) would refuse this: r', line: 2 },
        { ...position, level: 'notice', message: 'blogsite_a (DEV): l', line: 5 },
      ],
    },
    {
      result: 'failed',
      notices: [
        { ...position, level: 'error', message: 'e\nh', line: 7 },
        { ...position, level: 'error', message: 'f\nh' },
      ],
    },
    { result: 'failed', notices: [{ ...position, level: 'error', message: 'M' }] },
    { result: 'not sent', notices: [] },
  ]);
  assert.deepEqual(calls(), [
    { args: ['publish', '--json', '--draft', '--'], files: 5, NO_COLOR: '1', CI: 'true', SERVICE_TOKEN: 't' },
  ]);
});

test('a failure without a file concerns all files, and so does an end without a result', async (t) => {
  const position = { line: undefined, column: undefined };
  const general = createLauncher(t, print({ success: false, message: 'No token.' }), 1);
  const failed = (message: string) => ({ result: 'failed', notices: [{ ...position, level: 'error', message }] });
  assert.deepEqual(await general.run(['a.md', 'b.md'], []), [failed('No token.'), failed('No token.')]);
  const crashed = createLauncher(t, `process.stderr.write('  crashed\\n');`, 7);
  assert.deepEqual(await crashed.run(['a.md'], []), [
    failed('The command line ended with exit code 7 and without a result: crashed'),
  ]);
  const silent = createLauncher(t, '');
  assert.deepEqual(await silent.run(['a.md'], []), [
    failed('The command line ended with exit code 0 and without a result: '),
  ]);
});

test('files are passed in groups of a hundred, until the server rejects all', async (t) => {
  const files = Array.from({ length: 250 }, (_, index) => `${index}.md`);
  const all = createLauncher(t, `for (const file of files) console.log(JSON.stringify({ file, success: true }));`);
  const answers = await all.run(files, []);
  assert.deepEqual([answers.length, new Set(answers.map(({ result }) => result))], [250, new Set(['ok'])]);
  assert.deepEqual(
    all.calls().map((call) => call.files),
    [100, 100, 50],
  );
  const none = createLauncher(t, `for (const file of files) console.log(JSON.stringify({ file, code: 'not_sent' }));`);
  assert.deepEqual(new Set((await none.run(files, [])).map(({ result }) => result)), new Set(['not sent']));
  assert.equal(none.calls().length, 1);
});
