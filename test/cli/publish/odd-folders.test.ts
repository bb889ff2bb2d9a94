/**
 * Folders that cannot be created or written: a command fails at once with a hint, without waiting
 * and without reporting success.
 */
import assert from 'node:assert/strict';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type CliHome, createCliHome, TOKEN } from '../cli-home.ts';

/**
 * Kills a hanging command before the time-out of the whole file. On a busy machine a command may
 * take seconds to start.
 */
const TIMEOUT_MS = 60_000;

const ODD = ['/dev/null', '/dev/null/x', '/dev/full', 'file', 'file/x', 'loop/x'];
const LINUX = { skip: process.platform !== 'linux' && 'needs /dev/full of Linux' };

describe('a folder that cannot be created or written', LINUX, () => {
  let home: CliHome;
  let server: Server;
  let url: string;
  before(async () => {
    home = await createCliHome();
    server = createServer((request, response) => {
      if (request.method === 'GET') return response.writeHead(500).end();
      response.setHeader('content-type', 'application/json');
      return response.end(JSON.stringify({ data: { exportEverything: { url: `${url}/archive` } } }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const session = { accessToken: 'x.e30.x', refreshToken: 'r', email: 'ann@example.org', endpoint: `${url}/graphql` };
    await mkdir(home.configFolder, { mode: 0o700 });
    await writeFile(join(home.configFolder, 'credentials.json'), JSON.stringify({ origins: { [url]: { session } } }), {
      mode: 0o600,
    });
    await home.write('file', 'no folder');
    await symlink('loop', join(home.folder, 'loop'));
    await symlink('/dev/null/x', join(home.folder, 'dangling'));
  });
  after(async () => {
    server.close().closeAllConnections();
    await home.remove();
  });

  const run = (args: string[], env: Record<string, string> = {}) =>
    home.run(args, {
      env: { COURANT_ENDPOINT: url, ...env },
      onStart: (child) => {
        const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
        child.once('close', () => clearTimeout(timer));
      },
    });

  async function refuses(args: string[], message: RegExp, env: Record<string, string> = {}): Promise<void> {
    const { code, stdout, stderr } = await run(args, env);
    const command = `${args.join(' ')} ${JSON.stringify(env)}: ${stderr}`;
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' }, command);
    assert.match(stderr, message, command);
    // A hint follows, and no stack trace.
    assert.match(stderr, /^error: .*\n(?: {2}\S.*\n)+$/, command);
  }

  it('is reported by an export, which writes nothing', async () => {
    for (const folder of [...ODD, 'loop', 'dangling'])
      await refuses(['export', folder], /^error: (?:This is not a folder|The folder cannot be created \(E[A-Z]+\)): /);
  });

  it('is reported by an export that cannot read the record in it', async () => {
    await mkdir(join(home.folder, 'odd-record', '.courant-export.json'), { recursive: true });
    await refuses(['export', 'odd-record'], /cannot be read \(EISDIR\): odd-record\/\.courant-export\.json/);
  });

  it('is reported by an export that needs it for its download', async () => {
    for (const folder of ['/dev/null/x', '/dev/null', 'loop'])
      await refuses(['export', 'all'], /^error: The export needs a folder below /, { TMPDIR: folder });
  });

  it('is reported by init, which writes nothing', async () => {
    for (const folder of [...ODD, 'loop', 'dangling'])
      await refuses(['init', folder], /^error: This file cannot be written \(E[A-Z]+\): .*first-post\.md$/m);
  });

  it('is not reported by init as an existing post', async () => {
    await mkdir(join(home.folder, 'blog'));
    await home.write('blog/posts', 'a file of that name');
    await refuses(['init', 'blog'], /^error: This file cannot be written \(EEXIST\): blog\/posts\/first-post\.md$/m);
    assert.deepEqual(await readdir(join(home.folder, 'blog')), ['posts']);
  });

  it('is reported by login, which cannot store its token', async () => {
    for (const folder of [...ODD, 'dangling'])
      await refuses(['login', '--token', TOKEN], /COURANT_CONFIG_DIR/, { COURANT_CONFIG_DIR: folder });
  });

  it('as a home does not affect the output of a command', async () => {
    for (const folder of ['/dev/null', '/dev/null/x', join(home.folder, 'file')]) {
      const { code, stderr } = await run(['--help'], { HOME: folder, XDG_CACHE_HOME: folder });
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' }, folder);
    }
  });
});
