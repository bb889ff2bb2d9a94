import assert from 'node:assert/strict';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { CLI_LAUNCHER, type CliHome, createCliHome, runProcess, TOKEN } from '../cli/cli-home.ts';
import { type PublishServer, startPublishServer } from '../cli/publish/publish-server.ts';
import { createRepository, type Repository } from './support/repository.ts';

let home: CliHome;
let server: PublishServer;
let repository: Repository;
let script: string;
before(async () => {
  [home, server, repository] = await Promise.all([createCliHome(), startPublishServer(), createRepository()]);
  const docs = await readFile(new URL('../../docs/guide/ci.md', import.meta.url), 'utf8');
  script = await home.write('publish-changed.sh', String(/^```sh\n(#!\/bin\/sh\n[\s\S]*?)^```/m.exec(docs)?.[1]));
  await mkdir(join(home.folder, 'bin'));
  await symlink(CLI_LAUNCHER, join(home.folder, 'bin/courant'));
});
after(async () => {
  await server.close();
  await Promise.all([home.remove(), repository.remove()]);
});

async function publishSince(commit: string) {
  server.requests.length = 0;
  const path = `${join(home.folder, 'bin')}:${process.env.PATH}`;
  const env = { PATH: path, SERVICE_TOKEN: TOKEN, COURANT_ENDPOINT: server.endpoint, BEFORE: commit };
  const result = await runProcess('sh', [script], repository.folder, { env });
  return { ...result, sent: server.requests.map(({ body }) => body.fileName) };
}

test('the script of docs/guide/ci.md publishes all changed files or none', async () => {
  const start = await repository.commit({ 'posts/old.md': '# Old\n', 'README.md': '# Not this\n' });
  const valid = await repository.commit({
    'posts/old.md': null,
    'posts/two\nlines.md': '# A\n',
    'posts/deep/b.md': '# B\n',
  });
  const published = await publishSince(start);
  assert.equal(published.code, 0, published.stderr);
  assert.deepEqual(published.sent, ['b.md', 'two\nlines.md']);
  assert.deepEqual((await publishSince('0'.repeat(40))).sent.length, 2);

  await repository.commit({ 'posts/c.md': '# C\n', 'posts/d.md': '---\nscheduled_at: soon\n---\n\nText.\n' });
  const refused = await publishSince(valid);
  assert.notEqual(refused.code, 0);
  assert.deepEqual(refused.sent, []);
  assert.match(refused.stderr, /posts\/d\.md:2/);

  await repository.commit({ 'posts/d.md': null, 'posts/e.md': { link: '/etc/hostname' } });
  const linked = await publishSince(valid);
  assert.deepEqual([linked.code, linked.sent], [1, []]);
  assert.match(linked.stderr, /symbolic link/);

  const unknown = await publishSince('1234567890'.repeat(4));
  assert.notEqual(unknown.code, 0);
  assert.deepEqual(unknown.sent, []);
});
