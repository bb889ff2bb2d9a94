/** Notices of a WordPress post: omissions that its author reads with the post. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { DestinationClient, RemotePost } from '../../../destinations/types.ts';
import type { WordPressPayload } from '../../../destinations/wordpress/format.ts';
import { wordpress } from '../../../destinations/wordpress/index.ts';
import { expectDone, makeArticle, openClient, startSandbox, startServer } from '../destination-harness.ts';
import { wordpressRow as row } from '../rows/wordpress.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

async function start(context: TestContext) {
  const sandbox = await startSandbox(context);
  const client = openClient(row, sandbox.url) as DestinationClient<WordPressPayload>;
  const cover = `${await startServer(context, (_request, response) => response.end(PNG))}/a.png`;
  const prepare = async (changes: { coverImage?: string | null; tags?: string[] }) => {
    const { payload } = wordpress.format(makeArticle({ tags: [], coverImage: null, ...changes }));
    return expectDone((await client.prepare?.(payload as WordPressPayload)) ?? { kind: 'unknown', reason: '' });
  };
  return { sandbox, client, cover, prepare };
}

const listCodes = ({ notices }: RemotePost) => notices?.map(({ code }) => code);

test('a cover that the site ignored is reported, on a create and on an update', async (context) => {
  const { client, cover, prepare } = await start(context);
  const payload = await prepare({ coverImage: cover });
  const post = expectDone(await client.create(payload));
  assert.equal(listCodes(post), undefined);
  // As after a clean-up of the media library: WordPress responds with 200 and shows no cover.
  const lost = { ...payload, ids: { tags: [], featuredMedia: 999_999, notices: [] } };
  assert.deepEqual(listCodes(expectDone(await client.update(post.remoteId, lost))), ['cover_ignored']);
  assert.deepEqual(listCodes(expectDone(await client.create(lost))), ['cover_ignored']);
  const bare = { ...payload, ids: { tags: [], featuredMedia: 0, notices: [] } };
  assert.equal(listCodes(expectDone(await client.update(post.remoteId, bare))), undefined);
});

test('a cover that could not be downloaded is reported', async (context) => {
  const { client, prepare } = await start(context);
  const gone = await startServer(context, (_request, response) => response.writeHead(404).end());
  const post = expectDone(await client.create(await prepare({ coverImage: `${gone}/a.png` })));
  assert.deepEqual(listCodes(post), ['cover_left_out']);
  assert.match(post.notices?.[0]?.message ?? '', /could not be downloaded/);
});

test('a cover that the site does not accept is reported with another reason', async (context) => {
  const { client, cover, prepare, sandbox } = await start(context);
  const body = { code: 'rest_cannot_create', message: 'No.', data: { status: 403 } };
  await sandbox.setFaults([
    { platform: 'cms_site', action: 'prepare', times: 1, status: 200, body: [] },
    { platform: 'cms_site', action: 'prepare', times: 1, status: 403, body },
  ]);
  const post = expectDone(await client.create(await prepare({ coverImage: cover })));
  assert.deepEqual(listCodes(post), ['cover_left_out']);
  assert.match(post.notices?.[0]?.message ?? '', /permission to upload/);
});

test('a tag that the site refuses to create is reported by its name', async (context) => {
  const { client, prepare, sandbox } = await start(context);
  const body = { code: 'rest_cannot_create', message: 'No.', data: { status: 403 } };
  await sandbox.setFaults([
    { platform: 'cms_site', action: 'prepare', times: 1, status: 200, body: [] },
    { platform: 'cms_site', action: 'prepare', times: 1, status: 403, body },
  ]);
  const post = expectDone(await client.create(await prepare({ tags: ['one', 'two'] })));
  assert.deepEqual(listCodes(post), ['tag_dropped']);
  assert.match(post.notices?.[0]?.message ?? '', /“one”/);
});
