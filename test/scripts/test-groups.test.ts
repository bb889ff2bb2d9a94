/** What `npm test` runs as one process. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../scripts/check/run-step.ts';
import { listTestFiles, planGroups, writeGroups } from '../../scripts/check/test-groups.ts';

test('every test file is in exactly one group', () => {
  const files = listTestFiles(ROOT);
  assert.ok(files.includes('test/scripts/test-groups.test.ts'));
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

test('in a group each file has its own hooks, files follow one another, and one that fails ends no other', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'courant-grouped-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const files = ['a.test.mjs', 'b.test.mjs', 'absent.test.mjs'];
  for (const file of files.slice(0, 2)) writeFileSync(join(folder, file), FILE);
  const written = writeGroups([{ name: 'x', files }], folder);
  t.after(() => written.remove());
  // Without this process's own variable, by which the runner would take it for one of its files.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const ended = spawnSync(process.execPath, ['--test', '--test-reporter=tap', ...written.paths], {
    env,
    encoding: 'utf8',
  });
  const { stdout } = ended;
  assert.equal(ended.status, 1);
  assert.equal(stdout.match(/^ +ok \d+ - passes$/gm)?.length, 2, stdout);
  assert.match(
    stdout,
    /not ok \d+ - fails\n[\s\S]*?error: 'before'[\s\S]*?not ok \d+ - fails\n[\s\S]*?error: 'before,after,before'/,
  );
  assert.match(stdout, /not ok \d+ - absent\.test\.mjs\n[\s\S]*?Cannot find module/);
});
