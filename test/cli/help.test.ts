/** The help of each command as recorded in `help.txt`. `node --test --test-update-snapshots` rewrites it. */
import { join } from 'node:path';
import { test } from 'node:test';
import { openCli } from './in-process.ts';

const COMMANDS = ['publish', 'status', 'send', 'import', 'export', 'login', 'logout', 'whoami', 'init'];

test('the help lists each command, argument, flag, variable and exit code', async (t) => {
  const { run } = await openCli(t);
  const shown: string[] = [];
  for (const args of [[], ...COMMANDS.map((command) => [command])]) {
    const { code, stdout, stderr } = await run([...args, '--help']);
    t.assert.deepEqual([code, stderr], [0, '']);
    shown.push(`$ courant ${[...args, '--help'].join(' ')}\n${stdout}`);
  }
  t.assert.fileSnapshot(shown.join('\n'), join(import.meta.dirname, 'help.txt'), {
    serializers: [(text: string) => text],
  });
});

test('wrong usage names the help that explains it', async (t) => {
  const { run } = await openCli(t);
  const { code, stdout, stderr } = await run(['status']);
  t.assert.deepEqual([code, stdout], [2, '']);
  t.assert.equal(stderr, "error: missing required argument 'file|slug'\nUsage: courant status --help\n");
  const wrong = await run(['publish', 'a.md', '--frobnicate', '--json']);
  t.assert.equal(wrong.stderr, "error: unknown option '--frobnicate'\nUsage: courant publish --help\n");
  t.assert.deepEqual(JSON.parse(wrong.stdout), {
    ...{ success: false, message: "error: unknown option '--frobnicate'", exitCode: 2, errors: [], hints: [] },
  });
  t.assert.equal((await run(['frobnicate'])).stderr, "error: unknown command 'frobnicate'\nUsage: courant --help\n");
  // After "--", an argument is no flag.
  t.assert.equal((await run(['publish', '--', '--json'])).stdout, '');
});
