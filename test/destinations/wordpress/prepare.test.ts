/** Preparations on a WordPress site: tags by name, a cover by its content, each created once. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Outcome } from '../../../destinations/types.ts';
import { createClient } from '../../../destinations/wordpress/client.ts';
import type { WordPressPayload } from '../../../destinations/wordpress/format.ts';
import { wordpress } from '../../../destinations/wordpress/index.ts';
import { CONTRIBUTOR_WORDPRESS, DEMO_WORDPRESS } from '../../../sandbox/app.ts';
import { expectDone, makeArticle, startSandbox, startServer } from '../destination-harness.ts';
import { wordpressRow as row } from '../rows/wordpress.ts';

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.from('a picture')]);

const headers = { authorization: `Basic ${btoa(`${DEMO_WORDPRESS.username}:${DEMO_WORDPRESS.applicationPassword}`)}` };

type Prepared = Outcome<WordPressPayload>;

async function start(context: TestContext, credentials = row.credentials, allowPrivate: true | string[] = true) {
  const sandbox = await startSandbox(context);
  const connection = { baseUrl: `${sandbox.url}${row.path}`, credentials };
  const options = { connection, timeoutMs: 3000, now: () => new Date(), allowPrivate };
  const client = createClient(options);
  const list = async (kind: 'tags' | 'media') =>
    (await (await fetch(`${connection.baseUrl}/wp/v2/${kind}?per_page=100`, { headers })).json()) as Record<
      string,
      unknown
    >[];
  const prepare = (changes: { tags?: string[]; coverImage?: string | null }): Promise<Prepared> => {
    const article = makeArticle({ tags: [], coverImage: null, title: 'A & B', ...changes });
    return client.prepare?.(wordpress.format(article).payload) ?? Promise.reject(new Error('nothing to prepare'));
  };
  return { sandbox, client, list, prepare };
}

const serve = (context: TestContext, bytes: Buffer, type = 'image/png') =>
  startServer(context, (_request, response) => response.setHeader('content-type', type).end(bytes));

describe('tags', () => {
  test('new tags are created, present ones are found by name, and a repeat creates none', async (context) => {
    const { list, prepare } = await start(context);
    const tags = ['C#', 'C', 'Node.js', 'R&D', '日本語', '<b>'];
    const ids = expectDone(await prepare({ tags })).ids?.tags;
    assert.equal(new Set(ids).size, 6);
    assert.deepEqual(expectDone(await prepare({ tags: tags.map((tag) => tag.toUpperCase()) })).ids?.tags, ids);
    const names = (await list('tags')).map(({ name, slug }) => [name, slug]);
    assert.deepEqual(names.slice(0, 3), [
      ['C#', 'c'],
      ['C', 'c-2'],
      ['Node.js', 'node-js'],
    ]);
    assert.equal(names.length, 6);
  });

  test('an account that may not create tags publishes without them', async (context) => {
    const { sandbox, list, prepare } = await start(context);
    const code = 'rest_cannot_create';
    const forbidden = { status: 403, body: { code, message: 'No.', data: { status: 403 } } };
    // The look-up succeeds; the creation fails.
    await sandbox.setFaults([
      { platform: 'cms_site', action: 'prepare', times: 1, status: 200, body: [] },
      { platform: 'cms_site', action: 'prepare', times: 2, ...forbidden },
    ]);
    assert.deepEqual(expectDone(await prepare({ tags: ['one', 'two', 'three'] })).ids?.tags.length, 1);
    assert.deepEqual(
      (await list('tags')).map(({ name }) => name),
      ['three'],
    );
  });

  test('the next update clears tags that were removed from the article', async (context) => {
    const { client, sandbox, prepare } = await start(context);
    const payload = expectDone(await prepare({ tags: ['one'] }));
    const post = expectDone(await client.create(payload));
    expectDone(
      await client.update(post.remoteId, {
        ...payload,
        ids: expectDone(await prepare({})).ids ?? { tags: [], featuredMedia: 0, notices: [] },
      }),
    );
    const stored = await fetch(`${sandbox.url}${row.path}/wp/v2/posts/${post.remoteId}`, { headers });
    assert.deepEqual(((await stored.json()) as { tags: number[] }).tags, []);
  });
});

describe('the cover', () => {
  test('it is uploaded once, under a hash of its content, and becomes the post’s cover', async (context) => {
    const { client, sandbox, list, prepare } = await start(context);
    const origin = await serve(context, PNG, 'application/octet-stream');
    const first = expectDone(await prepare({ coverImage: `${origin}/a.png` }));
    const second = expectDone(await prepare({ coverImage: `${origin}/b?other=address` }));
    assert.equal(second.ids?.featuredMedia, first.ids?.featuredMedia);
    const [media, ...others] = await list('media');
    assert.deepEqual(others, []);
    assert.match(String(media?.slug), /^courant-[\da-f]{16}$/);
    assert.ok(String(media?.source_url).endsWith(`/${media?.slug}.png`));
    assert.deepEqual([media?.mime_type, media?.alt_text], ['image/png', 'A &amp; B']);
    const post = expectDone(await client.create(first));
    const stored = await fetch(`${sandbox.url}${row.path}/wp/v2/posts/${post.remoteId}`, { headers });
    assert.equal(((await stored.json()) as { featured_media: number }).featured_media, media?.id);
  });

  test('an upload with a lost response is found again', async (context) => {
    const { sandbox, list, prepare } = await start(context);
    const coverImage = await serve(context, PNG);
    for (const fault of [
      { drop: 'after' },
      { status: 500, saved: true },
      { status: 502, body: '<h1>nginx</h1>', saved: true },
    ]) {
      await sandbox.setFaults([
        { platform: 'cms_site', action: 'prepare', times: 1, status: 200, body: [] },
        { platform: 'cms_site', action: 'prepare', times: 1, ...fault },
      ]);
      // Only the first attempt finds nothing.
      const { ids } = expectDone(await prepare({ coverImage }));
      assert.ok(
        (await list('media')).some(({ id }) => id === ids?.featuredMedia),
        JSON.stringify(fault),
      );
    }
  });

  test('a cover at an address that the operator does not allow is not fetched, not even through a redirect (A11)', async (context) => {
    let called = 0;
    const secret = await startServer(context, (_request, response) => {
      called += 1;
      response.end(PNG);
    });
    const hidden = secret.replace('127.0.0.1', 'localhost');
    const redirecting = await startServer(context, (_request, response) =>
      response.writeHead(302, { location: `${hidden}/cover.png` }).end(),
    );
    const { list, prepare } = await start(context, row.credentials, ['127.0.0.1']);
    for (const coverImage of [`${hidden}/cover.png`, `${redirecting}/cover.png`, 'http://169.254.169.254/latest']) {
      assert.equal(expectDone(await prepare({ coverImage })).ids?.featuredMedia, null, coverImage);
    }
    assert.deepEqual([called, await list('media')], [0, []]);
    assert.equal(
      expectDone(await prepare({ coverImage: `${await serve(context, PNG)}/c.png` })).ids?.featuredMedia !== null,
      true,
    );
  });

  test('a cover that is not an image, is too large or is missing is omitted, and the post is created without it', async (context) => {
    const { client, list, prepare } = await start(context);
    const gone = await startServer(context, (_request, response) => response.writeHead(404).end());
    for (const [name, coverImage] of [
      ['SVG in disguise', await serve(context, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))],
      ['HTML', await serve(context, Buffer.from('<!doctype html>'))],
      ['nothing', await serve(context, Buffer.alloc(0))],
      ['11 MiB', await serve(context, Buffer.concat([PNG, Buffer.alloc(11 * 1024 * 1024)]))],
      ['404', gone],
    ] as const) {
      const payload = expectDone(await prepare({ coverImage: `${coverImage}/cover.png` }));
      assert.equal(payload.ids?.featuredMedia, null, name);
      expectDone(await client.create(payload));
    }
    assert.deepEqual(await list('media'), []);
  });

  test('an article is delivered without its cover if the account may not upload, or the site fails', async (context) => {
    const coverImage = await serve(context, PNG);
    const contributor = await start(context, CONTRIBUTOR_WORDPRESS);
    assert.equal(expectDone(await contributor.prepare({ coverImage })).ids?.featuredMedia, null);
    const { sandbox, list, prepare } = await start(context);
    await sandbox.setFaults([{ platform: 'cms_site', action: 'prepare', times: 100, status: 500 }]);
    assert.equal(expectDone(await prepare({ coverImage })).ids?.featuredMedia, null);
    await sandbox.setFaults([]);
    assert.deepEqual(await list('media'), []);
  });

  test('a post preserves its cover if a new one cannot be fetched, and loses it if the article has none', async (context) => {
    const { client, sandbox, prepare } = await start(context);
    const payload = expectDone(await prepare({ coverImage: await serve(context, PNG) }));
    const post = expectDone(await client.create(payload));
    const stored = async () => {
      const answer = await fetch(`${sandbox.url}${row.path}/wp/v2/posts/${post.remoteId}`, { headers });
      return ((await answer.json()) as { featured_media: number }).featured_media;
    };
    const cover = payload.ids?.featuredMedia;
    expectDone(await client.update(post.remoteId, { ...payload, ids: { tags: [], featuredMedia: null, notices: [] } }));
    assert.equal(await stored(), cover);
    expectDone(await client.update(post.remoteId, expectDone(await prepare({}))));
    assert.equal(await stored(), 0);
  });
});
