/** `courant import` with and without a session. */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type DeliveryWorld, startDeliveryWorld } from '../support/delivery/delivery.ts';
import { type CliHome, createCliHome } from './cli-home.ts';

let world: DeliveryWorld;
let home: CliHome;
const feed = createServer((_request, response) => {
  response.end(
    '<rss version="2.0"><channel><item><title>Old\u001b[31m post</title><guid>1</guid><link>https://blog.example/old-post</link><description>Text</description></item></channel></rss>',
  );
});
before(async () => {
  world = await startDeliveryWorld({ api: { env: { ALLOW_PRIVATE_DESTINATIONS: 'true' } } });
  home = await createCliHome();
  await new Promise<void>((resolve) => feed.listen(0, '127.0.0.1', resolve));
});
after(async () => {
  feed.close();
  await home.remove();
  await world.close();
});

const run = (...args: string[]) =>
  home.run(['import', ...args], { env: { COURANT_ENDPOINT: world.api.url, COURANT_CONFIG_DIR: home.configFolder } });

test('without a session the message names courant login', async () => {
  const stranger = await run('rss', 'https://blog.example/feed');
  assert.equal(stranger.code, 1);
  assert.match(stranger.stderr, /courant login/);
});

test('an import reports each post; a second run finds all of them present', async () => {
  const accessToken = await world.api.sessions.issue('courant:session', world.api.author.id);
  const session = { accessToken, refreshToken: 'r', email: 'a@example.org', endpoint: `${world.api.url}/graphql` };
  await mkdir(home.configFolder, { recursive: true });
  const credentials = JSON.stringify({ origins: { [world.api.url]: { session } } });
  await writeFile(join(home.configFolder, 'credentials.json'), credentials, { mode: 0o600 });
  const url = `http://127.0.0.1:${(feed.address() as AddressInfo).port}/`;
  const unknown = await run('blogsite_z', 'x');
  assert.equal(unknown.code, 2, unknown.stderr);
  const dry = await run('rss', url, '--dry-run');
  assert.equal(dry.code, 0, dry.stderr);
  assert.match(dry.stdout, /1 would be created/);
  const first = await run('rss', url);
  assert.match(first.stdout, /created {2}Old.* post http:\/\/\S+\/old-post/);
  assert.match(first.stdout, /1 created, 0 here already, 0 refused/);
  assert.ok(!first.stdout.includes('\u001b'));
  assert.match((await run('rss', url)).stdout, /0 created, 1 here already/);
  const json = await run('rss', url, '--json', '--images', 'copy');
  const [item, end, ...none] = json.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual([item.type, item.outcome, item.article.slug, none], ['item', 'PRESENT', 'old-post', []]);
  assert.deepEqual([end.type, end.state, end.counts.present], ['import', 'DONE', 1]);
  assert.ok(!json.stdout.includes('\u001b'));
  assert.equal((await run('rss', url, '--images', 'burn')).code, 2);
});
