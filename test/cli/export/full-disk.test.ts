/**
 * Disks that are full or become full within a file: files are complete or absent, and the same
 * command continues once there is space.
 */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { zipSync } from 'fflate';
import { CAN_MOUNT, CLI_LAUNCHER, type CliHome, createCliHome, runProcess, TOKEN } from '../cli-home.ts';

const COURANT = `"${process.execPath}" "${CLI_LAUNCHER}"`;

describe('on a full disk (F22)', { skip: !CAN_MOUNT && 'needs a small file system of its own' }, () => {
  let home: CliHome;
  let server: Server;
  let url: string;
  /** The archives of successive exports. */
  const exports: Buffer[] = [];
  before(async () => {
    home = await createCliHome();
    server = createServer((request, response) => {
      if (request.method === 'GET') return response.setHeader('content-type', 'application/zip').end(exports.shift());
      response.setHeader('content-type', 'application/json');
      return response.end(JSON.stringify({ data: { exportEverything: { url: `${url}/archive` } } }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const session = { accessToken: 'x.e30.x', refreshToken: 'r', email: 'ann@example.org', endpoint: `${url}/graphql` };
    await mkdir(home.configFolder);
    await writeFile(join(home.configFolder, 'credentials.json'), JSON.stringify({ origins: { [url]: { session } } }));
  });
  after(async () => {
    server.close().closeAllConnections();
    await home.remove();
  });

  /** Runs commands in a separate mount namespace; each line of `disk` is one command. */
  const run = (disk: string[]) =>
    runProcess('unshare', ['-rm', 'sh', '-c', disk.join('\n')], home.folder, { env: { COURANT_ENDPOINT: url } });

  it('an export writes only complete files, names the one without space, and continues later', async () => {
    const write = (bytes: number) => randomBytes(bytes / 2).toString('hex');
    const pack = ([a, b]: [string, string]) =>
      Buffer.from(zipSync({ 'articles/a.md': Buffer.from(a), 'articles/b.md': Buffer.from(b) }, { level: 0 }));
    // Only a part of the second file fits each time.
    const texts = Array.from({ length: 3 }, (): [string, string] => [write(4_000), write(32_000)]);
    const [first, second, third] = texts.map(pack) as [Buffer, Buffer, Buffer];
    exports.push(first, first, second, third);
    const show = 'echo "exit $?"; (cd all && sha256sum articles/* | cut -c 1-8; ls -A . articles)';
    const { stdout, stderr } = await run([
      'mkdir all && mount -t tmpfs -o size=96k tmpfs all',
      `head -c 72k /dev/zero > all/filler; ${COURANT} export all; ${show}`,
      `rm all/filler; ${COURANT} export all`,
      `head -c 36k /dev/zero > all/filler; ${COURANT} export all; ${show}`,
      `rm all/filler; ${COURANT} export all; ${show}`,
    ]);
    assert.match(stdout, /^new {9}articles\/a\.md\nexit 1\n/);
    assert.equal(
      stderr.match(/cannot be written \(ENOSPC\): all\/articles\/b\.md\n {2}Free some space/g)?.length,
      2,
      stderr,
    );
    assert.match(stdout, /unchanged {3}articles\/a\.md\nnew {9}articles\/b\.md\n1 unchanged, 1 new in all\.\n/);
    // Files written before the disk was full are recognised as exported, not as local changes.
    assert.match(stdout, /updated {5}articles\/a\.md\nupdated {5}articles\/b\.md\n2 updated in all\.\nexit 0\n/);
    const sums = texts.map(([a, b]) => ({ a: sum(a), b: sum(b) }));
    const found = [...stdout.matchAll(/^exit \d\n((?:[0-9a-f]{8}\n)+)/gm)].map(([, lines]) =>
      lines?.trim().split('\n'),
    );
    assert.deepEqual(found, [[sums[0]?.a], [sums[1]?.a, sums[0]?.b], [sums[2]?.a, sums[2]?.b]]);
    assert.doesNotMatch(stdout, /tmp/, 'nothing is left of what was begun');
  });

  it('an export without space for its download names the folder and writes nothing', async () => {
    exports.push(Buffer.from(zipSync({ 'articles/a.md': randomBytes(40_000) }, { level: 0 })));
    const { code, stdout, stderr } = await run([
      'mkdir few && mount -t tmpfs -o size=16k tmpfs few',
      `TMPDIR=few ${COURANT} export none; code=$?; find few none -type f; exit $code`,
    ]);
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
    assert.match(
      stderr,
      /interrupted \(ENOSPC\); nothing was written\.\n {2}There is not enough space in few\. Free some/,
    );
  });

  it('credentials that do not fit completely are not changed', async () => {
    const origins = Array.from({ length: 40 }, (_, at) => [`https://s${at}.example`, { developerToken: TOKEN }]);
    await home.write('many.json', JSON.stringify({ origins: Object.fromEntries(origins) }, null, 2));
    const { code, stdout, stderr } = await run([
      'mkdir config2 && mount -t tmpfs -o size=20k,mode=0700 tmpfs config2 && cp many.json config2/credentials.json',
      'head -c 8k /dev/zero > config2/filler; export COURANT_CONFIG_DIR=config2',
      `${COURANT} login --token ${TOKEN}; code=$?; cmp many.json config2/credentials.json; ls -A config2; exit $code`,
    ]);
    assert.deepEqual({ code, stdout }, { code: 1, stdout: 'credentials.json\nfiller\n' });
    assert.match(stderr, /could not be stored \(ENOSPC\)/);
  });

  it('a failing write of the output is reported and exits with 1', async () => {
    exports.push(Buffer.from(zipSync({ 'articles/a.md': randomBytes(100) })));
    const { code, stdout, stderr } = await run([
      'mkdir tmp && export TMPDIR=tmp',
      `${COURANT} export list > /dev/full; code=$?; ls tmp; exit $code`,
    ]);
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
    assert.match(stderr, /^error: The output cannot be written \(ENOSPC\)\.\n$/m);
  });
});

function sum(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
