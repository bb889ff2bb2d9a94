/** `platforms` in a publish request: the platform that a destination must be connected to. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';
import { insertConnection } from '../../support/database/insert-connection.ts';

let api: TestApi;
let owner: { id: string; token: string };
before(async () => {
  api = await startTestApi();
  owner = await api.createAuthor('sites');
  await insertConnection(api, owner.id, ['cms_site', 'ghost']);
});
after(() => api.close());

const publish = (title: string, platforms: object) =>
  api.publish({ content: markdown({ title }), platforms } as never, { token: owner.token });

test('a publish that requires another platform than the connected one is rejected and stores nothing', async () => {
  const { status, body } = await publish('Other', { cms_site: 'wordpress' });
  assert.equal(status, 422);
  assert.equal(body.code, 'platform_not_connected');
  assert.deepEqual(
    body.errors?.map(({ path }) => path),
    ['platforms.cms_site'],
  );
  assert.match(body.detail ?? '', /^cms_site is connected to Ghost.*, not to WordPress\. Nothing was published\.$/);
  assert.equal(await api.db.selectFrom('articles').select('id').executeTakeFirst(), undefined);
});

test('a publish that requires the connected platform, or one of an unconnected destination, is accepted', async () => {
  assert.equal((await publish('Same', { cms_site: 'ghost' })).status, 201);
  assert.equal((await publish('Unconnected', { social_feed: 'linkedin' })).status, 201);
});
