/** `courant export`: repeated exports, local changes, hostile archives and interruptions. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { access, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { zipSync } from 'fflate';
import { isSafeExportPath } from '../../../cli/export/export-folder.ts';
import { buildCli, packCli } from '../../../scripts/build-cli.ts';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';
import { CLI_LAUNCHER, type CliHome, createCliHome, ON_TERMINAL, runOnTerminal, runProcess } from '../cli-home.ts';

let api: TestApi;
let home: CliHome;
let foreign: Server;
let foreignUrl: string;
let archive: Buffer = Buffer.alloc(0);
let sendArchive = (response: ServerResponse) => void response.end(archive);
before(async () => {
  api = await startTestApi();
  home = await createCliHome();
  // Responds like a Courant server, with the archive of the test.
  foreign = createServer((request, response) => {
    if (request.method === 'GET') return sendArchive(response.writeHead(200, { 'content-type': 'application/zip' }));
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(JSON.stringify({ data: { exportEverything: { url: `${foreignUrl}/archive` } } }));
  });
  await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
  foreignUrl = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`;
  const accessToken = await api.sessions.issue('courant:session', api.author.id);
  const session = (url: string) => ({
    session: { accessToken, refreshToken: 'r', email: 'a@example.org', endpoint: `${url}/graphql` },
  });
  await mkdir(home.configFolder, { recursive: true });
  const credentials = JSON.stringify({ origins: { [api.url]: session(api.url), [foreignUrl]: session(foreignUrl) } });
  await writeFile(join(home.configFolder, 'credentials.json'), credentials, { mode: 0o600 });
});
after(async () => {
  foreign.close().closeAllConnections();
  await home.remove();
  await api.close();
});

const run = (args: string[], endpoint = api.url) =>
  home.run(args, {
    env: { COURANT_ENDPOINT: endpoint, COURANT_CONFIG_DIR: home.configFolder, SERVICE_TOKEN: api.author.token },
  });
const inFolder = (...parts: string[]) => join(home.folder, 'all', ...parts);

test('an export writes all files; a second one writes none; publishing a file updates its article', async () => {
  const { body } = await api.publish({ content: markdown({ title: 'A first post', tags: ['a'] }) });
  await api.publish({ content: markdown({ title: 'A second post', status: 'DRAFT' }) });
  const first = await run(['export', 'all']);
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /new {9}articles\/a-first-post\.md/);
  assert.match(first.stdout, /6 new in all\./);
  const again = await run(['export', 'all', '--json']);
  const lines = again.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(lines.at(-1), { type: 'export', folder: 'all', counts: { unchanged: 6 } });
  const published = await run(['publish', inFolder('articles/a-first-post.md'), '--json']);
  assert.equal(published.code, 0, published.stderr);
  assert.match(published.stdout, new RegExp(`"id": ?"${body.data?.id}"`));
  assert.match(published.stdout, /"action": ?"updated"/);
});

test('locally changed files are reported and unforced without --force; files changed only on the server are updated', async () => {
  await api.publish({ content: markdown({ title: 'A first post', tags: ['b'] }) });
  await api.publish({ content: markdown({ title: 'A second post', status: 'DRAFT', tags: ['b'] }) });
  const path = inFolder('articles/a-first-post.md');
  await writeFile(path, 'changed here');
  const unforced = await run(['export', 'all']);
  assert.equal(unforced.code, 1);
  assert.match(unforced.stdout, /kept {8}articles\/a-first-post\.md \(changed here/);
  assert.match(unforced.stdout, /updated {5}articles\/a-second-post\.md/);
  assert.match(unforced.stderr, /--force/);
  assert.equal(await readFile(path, 'utf8'), 'changed here');
  assert.equal((await run(['export', 'all'])).code, 1, 'it stays so');
  const forced = await run(['export', 'all', '--force']);
  assert.equal(forced.code, 0, forced.stderr);
  assert.match(forced.stdout, /overwritten articles\/a-first-post\.md/);
  assert.match(await readFile(path, 'utf8'), /A first post/);
});

test('the file of a deleted article stays and is reported as gone', async () => {
  await api.db.updateTable('articles').set({ deletedAt: new Date() }).where('slug', '=', 'a-second-post').execute();
  const { code, stdout } = await run(['export', 'all']);
  assert.equal(code, 0);
  assert.match(stdout, /gone {8}articles\/a-second-post\.md/);
  await access(inFolder('articles/a-second-post.md'));
});

test('a path outside the folder fails the export; unexpected names are not written; links are not followed', async () => {
  const outside = await home.write('outside.md', 'not ours');
  await mkdir(join(home.folder, 'hostile/articles'), { recursive: true });
  await symlink(outside, join(home.folder, 'hostile/articles/link.md'));
  const pack = (...names: string[]) =>
    Buffer.from(zipSync(Object.fromEntries(names.map((name) => [name, new TextEncoder().encode('from there')]))));
  for (const name of ['../escaped.md', '/tmp/absolute.md', 'articles/../../escaped.md']) {
    archive = pack(name);
    assert.match((await run(['export', 'hostile'], foreignUrl)).stderr, /damaged/, name);
  }
  const strange = ['.bashrc', 'articles/.hidden.md', 'articles/a:b.md', 'elsewhere/a.md', 'articles/run.sh'];
  archive = pack(...strange, 'articles/link.md', 'articles/good.md');
  const { code, stdout } = await run(['export', 'hostile', '--force'], foreignUrl);
  assert.equal(code, 1);
  for (const name of strange) assert.ok(stdout.includes(`refused     ${name} `), stdout);
  const files = await readdir(join(home.folder, 'hostile'), { recursive: true });
  assert.deepEqual(files.sort(), [
    '.courant-export.json',
    'articles',
    'articles/good.md',
    'articles/link.md',
    'images',
  ]);
  assert.equal(await readFile(join(home.folder, 'hostile/articles/link.md'), 'utf8'), 'from there');
  assert.equal(await readFile(outside, 'utf8'), 'not ours');
  await mkdir(join(home.folder, 'linked'));
  await symlink(home.configFolder, join(home.folder, 'linked/articles'));
  assert.match((await run(['export', 'linked'], foreignUrl)).stderr, /not a real folder/);
});

test('a truncated or invalid archive writes nothing, and the message says what to do', async () => {
  archive = Buffer.from(zipSync({ 'articles/a.md': new TextEncoder().encode('x'.repeat(10_000)) })).subarray(0, 60);
  const broken = await run(['export', 'broken'], foreignUrl);
  assert.equal(broken.code, 1);
  assert.match(broken.stderr, /damaged/);
  await assert.rejects(access(join(home.folder, 'broken/articles/a.md')));
  const record = await readFile(inFolder('.courant-export.json'), 'utf8');
  assert.equal((await run(['export', 'all'], foreignUrl)).code, 1);
  assert.equal(
    await readFile(inFolder('.courant-export.json'), 'utf8'),
    record,
    'what was written before is still known',
  );
  const file = await home.write('file.md', 'mine');
  assert.match(
    (await run(['export', file], foreignUrl)).stderr,
    /This is not a folder: .*file\.md\n {2}Use a folder that/,
  );
  assert.equal(await readFile(file, 'utf8'), 'mine');
  const stranger = await home.run(['export', 'x'], {
    env: { COURANT_ENDPOINT: 'http://127.0.0.1:1', COURANT_CONFIG_DIR: home.configFolder },
  });
  assert.match(stranger.stderr, /courant login/);
});

test('of two names that differ only in case the first is written; device names are rejected on Windows', async () => {
  archive = Buffer.from(zipSync({ 'articles/a.md': Buffer.from('one'), 'articles/A.md': Buffer.from('other') }));
  const { code, stdout } = await run(['export', 'cases'], foreignUrl);
  assert.equal(code, 1);
  assert.match(stdout, /new {9}articles\/a\.md\n/);
  assert.match(stdout, /refused {5}articles\/A\.md \(.*differs from another only by case/);
  assert.equal(await readFile(join(home.folder, 'cases/articles/a.md'), 'utf8'), 'one');
  for (const name of ['articles/con.md', 'images/LPT1.png', 'nul.json']) {
    assert.deepEqual([isSafeExportPath(name, 'win32'), isSafeExportPath(name, 'linux')], [false, true], name);
  }
  assert.equal(isSafeExportPath('articles/console.md', 'win32'), true);
});

test('an archive with a damaged or an oversized file is rejected at that file', async () => {
  const name = 'articles/a.md';
  const intact = Buffer.from(zipSync({ [name]: Buffer.from('x'.repeat(1_000)) }, { level: 0 }));
  archive = Buffer.from(intact);
  archive.write('y', intact.indexOf('xxxx') + 500);
  assert.match((await run(['export', 'bits'], foreignUrl)).stderr, /damaged/);
  archive = Buffer.from(intact);
  // The uncompressed size, in the directory at the end.
  archive.writeUInt32LE(300 * 1024 ** 2, archive.indexOf('PK\u0001\u0002') + 24);
  archive.writeUInt32LE(300 * 1024 ** 2, archive.indexOf('PK\u0001\u0002') + 20);
  assert.match((await run(['export', 'bits'], foreignUrl)).stderr, /314572800 bytes, which is too large|damaged/);
  assert.deepEqual(await readdir(join(home.folder, 'bits/articles')), []);
});

test('a download that is cut, or interrupted by Ctrl-C, leaves no files', async (t) => {
  const temporary = join(home.folder, 'temporary');
  await mkdir(temporary);
  const env = { COURANT_ENDPOINT: foreignUrl, TMPDIR: temporary };
  const original = sendArchive;
  t.after(() => {
    sendArchive = original;
  });
  sendArchive = (response) => void response.write(Buffer.alloc(100_000), () => response.destroy());
  const cut = await home.run(['export', 'cut'], { env });
  assert.equal(cut.code, 1);
  assert.match(cut.stderr, /interrupted .*; nothing was written\./);
  assert.match(cut.stderr, /Run the same command again/);
  assert.deepEqual(await readdir(temporary), []);

  let child: ChildProcess | undefined;
  sendArchive = (response) => {
    const timer = setInterval(() => response.write(Buffer.alloc(1_000)), 10);
    response.once('close', () => clearInterval(timer));
    setTimeout(() => child?.kill('SIGINT'), 200);
  };
  const onStart = (started: ChildProcess) => {
    child = started;
  };
  const endless = await home.run(['export', 'endless'], { env, onStart });
  assert.equal(endless.code, 130);
  assert.deepEqual(await readdir(temporary, { recursive: true }), [], endless.stderr);
  for (const folder of ['cut', 'endless']) assert.deepEqual(await readdir(join(home.folder, folder, 'articles')), []);
});

test('Ctrl-C during a spinner exits with 130, prints a message and leaves no files', ON_TERMINAL, async (t) => {
  const temporary = join(home.folder, 'of-terminal');
  await mkdir(temporary);
  const original = sendArchive;
  t.after(() => {
    sendArchive = original;
  });
  sendArchive = (response) => void response.write('PK');
  const env = { COURANT_ENDPOINT: foreignUrl, TMPDIR: temporary };
  // Once: a second Ctrl-C ends the program before it prints anything.
  const keys = ['\u0003'];
  const type = (shown: string) => (shown.includes('Downloading') ? (keys.shift() ?? null) : null);
  // Without a known width the terminal shows no spinner.
  const command = `stty cols 80; "${process.execPath}" "${CLI_LAUNCHER}" export watched`;
  const { code, stdout } = await runOnTerminal(command, home.folder, type, env);
  assert.equal(code, 130, stdout);
  assert.match(stdout, /Interrupted\.\r\n$/);
  assert.deepEqual(await readdir(temporary), []);
});

test('npx runs the command line that a server offers', async () => {
  await buildCli();
  packCli();
  const address = `${api.url}/cli/courant.tgz`;
  const answer = await fetch(address);
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'application/gzip']);
  const etag = answer.headers.get('etag') ?? '';
  assert.equal((await fetch(address, { headers: { 'if-none-match': etag } })).status, 304);
  const args = ['--yes', '--package', address, '--', 'courant', '--version'];
  const { code, stdout, stderr } = await runProcess('npx', args, home.folder);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^\d+\.\d+\.\d+/);
});
