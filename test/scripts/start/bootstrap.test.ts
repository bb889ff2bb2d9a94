/** The first step of `npm start` and `npm test`, with a fake npm. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('../../../scripts/bootstrap.mjs', import.meta.url));
/** Takes a moment and creates our own Node, like an install. */
const NPM = `import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
appendFileSync('log', 'begin ');
rmSync('node_modules', { recursive: true, force: true });
await new Promise((resolve) => setTimeout(resolve, 1500));
mkdirSync('node_modules/.bin', { recursive: true });
writeFileSync('node_modules/.bin/node', '');
appendFileSync('log', 'end ');`;

describe('before npm start and npm test', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'courant-bootstrap-'));
    mkdirSync(join(folder, 'scripts'));
    copyFileSync(SCRIPT, join(folder, 'scripts', 'bootstrap.mjs'));
    writeFileSync(join(folder, 'package-lock.json'), '{}');
    mkdirSync(join(folder, 'npm'));
    for (const bundle of ['cli/dist/courant.tgz', 'browser/dist/site.css']) {
      mkdirSync(join(folder, bundle, '..'), { recursive: true });
      writeFileSync(join(folder, bundle), '');
    }
    writeFileSync(join(folder, 'npm', 'npm-cli.js'), NPM);
    writeFileSync(join(folder, 'npm', 'package.json'), '{"type":"module"}');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function run(): Promise<{ code: number; output: string }> {
    const env = { ...process.env, npm_execpath: join(folder, 'npm', 'npm-cli.js') };
    const child = spawn(process.execPath, ['scripts/bootstrap.mjs'], { cwd: folder, env });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = await once(child, 'close');
    return { code, output };
  }
  const readLog = () => readFileSync(join(folder, 'log'), 'utf8').trim();

  it('missing dependencies are installed once, even if two runs begin at the same time', async () => {
    const runs = await Promise.all([run(), run(), run()]);
    assert.deepEqual(
      runs.map(({ code }) => code),
      [0, 0, 0],
      JSON.stringify(runs),
    );
    assert.equal(readLog(), 'begin end');
    assert.ok(runs.some(({ output }) => /another run that is installing/.test(output)));
    assert.equal((await run()).output, '');
  });

  it('a run that was killed during its install does not block the next', async () => {
    const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' });
    await once(child, 'exit');
    writeFileSync(join(folder, '.courant-installing'), String(child.pid));
    assert.equal((await run()).code, 0);
    assert.equal(readLog(), 'begin end');
    assert.ok(!existsSync(join(folder, '.courant-installing')));
  });
});
