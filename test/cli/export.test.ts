/** `courant export`: everything as files, as often as one likes, and nothing that was changed here is lost. */
import assert from 'node:assert/strict';
import { access, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { zipSync } from 'fflate';
import { buildCli, packCli } from '../../scripts/build-cli.ts';
import { markdown, startTestApi, type TestApi } from '../support/api.ts';
import { type CliHome, createCliHome, runProcess } from './cli-home.ts';

let api: TestApi;
let home: CliHome;
let foreign: Server;
let foreignUrl: string;
let archive: Buffer = Buffer.alloc(0);
before(async () => {
  api = await startTestApi();
  home = await createCliHome();
  // Answers as a Courant server would, with whatever archive a test wants.
  foreign = createServer((request, response) => {
    if (request.method === 'GET') return response.writeHead(200, { 'content-type': 'application/zip' }).end(archive);
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(JSON.stringify({ data: { exportEverything: { url: `${foreignUrl}/archive` } } }));
  });
  await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
  foreignUrl = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`;
  const accessToken = await api.sessions.issue('courant:session', api.author.id);
  const session = (url: string) => ({ session: { accessToken, email: 'a@example.org', endpoint: `${url}/graphql` } });
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

test('everything is written; a second run writes nothing; a file publishes to the same article', async () => {
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

test('what was changed here is kept, and said, until --force; what changed there alone is written', async () => {
  await api.publish({ content: markdown({ title: 'A first post', tags: ['b'] }) });
  await api.publish({ content: markdown({ title: 'A second post', status: 'DRAFT', tags: ['b'] }) });
  const path = inFolder('articles/a-first-post.md');
  await writeFile(path, 'changed here');
  const kept = await run(['export', 'all']);
  assert.equal(kept.code, 1);
  assert.match(kept.stdout, /kept {8}articles\/a-first-post\.md \(changed here/);
  assert.match(kept.stdout, /updated {5}articles\/a-second-post\.md/);
  assert.match(kept.stderr, /--force/);
  assert.equal(await readFile(path, 'utf8'), 'changed here');
  assert.equal((await run(['export', 'all'])).code, 1, 'it stays so');
  const forced = await run(['export', 'all', '--force']);
  assert.equal(forced.code, 0, forced.stderr);
  assert.match(forced.stdout, /overwritten articles\/a-first-post\.md/);
  assert.match(await readFile(path, 'utf8'), /A first post/);
});

test('an article that is gone from the account stays as a file, and the report says so', async () => {
  await api.db.updateTable('articles').set({ deletedAt: new Date() }).where('slug', '=', 'a-second-post').execute();
  const { code, stdout } = await run(['export', 'all']);
  assert.equal(code, 0);
  assert.match(stdout, /gone {8}articles\/a-second-post\.md/);
  await access(inFolder('articles/a-second-post.md'));
});

test('a name that leads elsewhere ends it; one that no export has is not written; links are not followed', async () => {
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
  assert.match((await run(['export', 'linked'], foreignUrl)).stderr, /no folder of its own/);
});

test('an export that is broken off, or is none, writes nothing and says what to do', async () => {
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
  const stranger = await home.run(['export', 'x'], {
    env: { COURANT_ENDPOINT: 'http://127.0.0.1:1', COURANT_CONFIG_DIR: home.configFolder },
  });
  assert.match(stranger.stderr, /courant login/);
});

test('a server offers its own command line, which npx runs by its address', async () => {
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
