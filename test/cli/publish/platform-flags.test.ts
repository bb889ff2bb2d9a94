/** Flags with the name of a platform, against a real server. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { insertConnection } from '../../support/database/insert-connection.ts';
import { type CliHome, createCliHome } from '../cli-home.ts';

let api: TestApi;
let home: CliHome;
let author: { id: string; token: string };
before(async () => {
  [api, home] = await Promise.all([startTestApi(), createCliHome()]);
  author = await api.createAuthor('flags');
  await insertConnection(api, author.id, ['cms_site', 'ghost']);
});
after(async () => {
  await home.remove();
  await api.close();
});

async function publish(title: string, ...flags: string[]) {
  const file = await home.write(`${title}.md`, `---\ntitle: ${title}\n---\nSome text.\n`);
  const env = { SERVICE_TOKEN: author.token };
  return home.run(['publish', file, '--endpoint', `${api.url}/graphql`, ...flags], { env });
}

async function findCrossPost(title: string): Promise<Record<string, boolean> | undefined> {
  const row = await api.db.selectFrom('articles').select('crossPost').where('title', '=', title).executeTakeFirst();
  return row?.crossPost as Record<string, boolean> | undefined;
}

test('a flag with the name of a platform selects its destination, also with “no-”', async () => {
  const { code, stderr } = await publish('named', '--no-dev', '--hashnode', '--medium', '--linkedin', '--ghost');
  assert.equal(code, 0, stderr);
  assert.deepEqual(await findCrossPost('named'), {
    ...{ blogsite_a: false, blogsite_b: true, blogsite_c: true, cms_site: true, social_feed: true },
  });
});

test('the flag of the other platform is a usage error, and nothing is published', async () => {
  const { code, stderr } = await publish('other', '--wordpress');
  assert.equal(code, 2, stderr);
  assert.match(stderr, /cms_site is connected to Ghost.*, not to WordPress\. Nothing was published\./);
  assert.equal(await findCrossPost('other'), undefined);
});

test('both platforms of one destination are a usage error before the request', async () => {
  const { code, stderr } = await publish('both', '--wordpress', '--ghost');
  assert.equal(code, 2, stderr);
  assert.match(stderr, /Use either --wordpress or --ghost/);
});
