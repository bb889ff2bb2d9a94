/** The package of `npm publish`: its files, its size, and its start in an empty folder. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, it } from 'node:test';
import { CLI_LAUNCHER, type CliHome, createCliHome, runProcess } from './cli-home.ts';

const PACKAGE = dirname(dirname(CLI_LAUNCHER));
const MAX_BYTES = 1_700_000;

let home: CliHome;
before(async () => {
  home = await createCliHome();
});
after(() => home.remove());

it('the package is one bundle with its launcher, licences and README, of at most 1.7 MB', async () => {
  const args = ['pack', PACKAGE, '--json', '--ignore-scripts', '--pack-destination', home.folder];
  const { code, stdout, stderr } = await runProcess('npm', args, home.folder);
  assert.equal(code, 0, stderr);
  const [packed] = JSON.parse(stdout) as { filename: string; unpackedSize: number; files: { path: string }[] }[];
  assert.ok(packed);
  const paths = packed.files.map(({ path }) => path).sort();
  assert.deepEqual(paths, [
    'LICENSE',
    'README.md',
    'bin/courant.js',
    'bin/package.json',
    'dist/LICENSES.txt',
    'dist/courant.cjs',
    'package.json',
  ]);
  assert.ok(packed.unpackedSize <= MAX_BYTES, `${packed.unpackedSize} bytes`);

  const empty = join(home.folder, 'empty');
  await mkdir(empty);
  await home.write('post.md', '---\ntitle: Hello\n---\nText.\n');
  const npx = ['--yes', '--offline', '--package', join(home.folder, packed.filename), '--', 'courant', 'publish'];
  const started = await runProcess('npx', [...npx, '--dry-run', '../post.md'], empty);
  assert.equal(started.code, 0, started.stderr);
  assert.match(started.stderr, /post\.md can be published/);
});
