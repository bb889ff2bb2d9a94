/** The groups of test files that `npm test` runs as processes. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ROOT } from '../../../scripts/check/run-step.ts';
import { listTestFiles, planGroups, writeGroups } from '../../../scripts/check/test-groups.ts';

test('every test file is in exactly one group', () => {
  const files = listTestFiles(ROOT);
  assert.ok(files.includes('test/scripts/check/test-groups.test.ts'));
  const grouped = planGroups(files).flatMap((group) => group.files);
  assert.deepEqual(grouped.toSorted(), files);
});

const FILE = `
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
const said = (globalThis.said ??= []);
before(() => void said.push('before'));
after(() => void said.push('after'));
test('fails', () => assert.fail(said.join()));
test('passes', () => assert.ok(later));
const later = true;
`;

test('in a group each file has its own hooks, files run in sequence, and a failing one does not end the others', (t) => {
  const contents = { 'a.test.mjs': FILE, 'b.test.mjs': FILE };
  const ended = runAsGroup(t, contents, ['a.test.mjs', 'b.test.mjs', 'absent.test.mjs']);
  const { stdout } = ended;
  assert.equal(ended.status, 1);
  assert.equal(stdout.match(/^ +ok \d+ - passes$/gm)?.length, 2, stdout);
  assert.match(
    stdout,
    /not ok \d+ - fails\n[\s\S]*?error: 'before'[\s\S]*?not ok \d+ - fails\n[\s\S]*?error: 'before,after,before'/,
  );
  assert.match(stdout, /not ok \d+ - absent\.test\.mjs\n[\s\S]*?Cannot find module/);
});

const LATE_FILE = `
import { test } from 'node:test';
test('throws when it has ended', () => void setTimeout(() => { throw new Error('late'); }, 50));
test('passes', () => new Promise((resolve) => setTimeout(resolve, 500)));
`;

test('an error that is thrown after its test has ended fails the group, with its stack', (t) => {
  const ended = runAsGroup(t, { 'a.test.mjs': LATE_FILE }, ['a.test.mjs']);
  assert.equal(ended.status, 1);
  assert.match(ended.stdout, /not ok \d+ - no uncaught error was thrown\n[\s\S]*?Error: late[\s\S]*?a\.test\.mjs:3/);
});

function runAsGroup(t: TestContext, contents: Record<string, string>, files: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'courant-grouped-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [file, content] of Object.entries(contents)) writeFileSync(join(folder, file), content);
  const written = writeGroups([{ name: 'x', files }], folder);
  t.after(() => written.remove());
  // Without this variable, which would make the runner treat it as one of its files.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return spawnSync(process.execPath, ['--test', '--test-reporter=tap', ...written.paths], { env, encoding: 'utf8' });
}
