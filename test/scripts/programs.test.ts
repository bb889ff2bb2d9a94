import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { providePrograms } from '../../scripts/start/programs.ts';

const HOUR_MS = 3_600_000;
/** Replaces the real builder and records its runs. */
const BUILDER = `
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
appendFileSync('built', 'x');
mkdirSync('dist/programs', { recursive: true });
writeFileSync('dist/programs/sources.json', '["api/app/main.ts", "package-lock.json"]');
`;

test('programs are bundled once, and again after a change of a source or a package', async (t) => {
  const { root, provide, change, countBuilds } = createRepository(t, BUILDER);
  assert.equal((await provide())('api/app/main.ts'), 'dist/programs/api-app-main.js');
  await provide();
  assert.equal(countBuilds(), 1);
  change('api/app/main.ts', HOUR_MS);
  await provide();
  assert.equal(countBuilds(), 2);
  change('api/app/main.ts', -HOUR_MS);
  await provide();
  assert.equal(countBuilds(), 2);
  change('package-lock.json', HOUR_MS);
  await provide();
  assert.equal(countBuilds(), 3);
  change('package-lock.json', -HOUR_MS);
  rmSync(join(root, 'api/app/main.ts'));
  await provide();
  assert.equal(countBuilds(), 4);
});

test('if programs cannot be bundled, the start fails with the reason', async (t) => {
  const { provide } = createRepository(t, 'throw new Error("no bundler here");');
  await assert.rejects(provide(), /could not be bundled[\s\S]*no bundler here/);
});

function createRepository(t: { after: (end: () => void) => void }, builder: string) {
  const root = mkdtempSync(join(tmpdir(), 'courant-programs-'));
  t.after(() => rmSync(root, { recursive: true }));
  const change = (file: string, inMs: number) => {
    const at = new Date(Date.now() + inMs);
    utimesSync(join(root, file), at, at);
  };
  write('scripts/build-programs.ts', builder);
  write('package.json', '{ "type": "module" }');
  write('package-lock.json', '{}');
  write('api/app/main.ts', '');
  const provide = () => providePrograms(root, new AbortController().signal);
  return { root, provide, change, countBuilds: () => readFileSync(join(root, 'built'), 'utf8').length };

  function write(file: string, text: string): void {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
    change(file, -HOUR_MS);
  }
}
