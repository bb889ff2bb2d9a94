/** Behaviour that only WordPress has: refusals that may have saved, posts in the trash. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { wordpress } from '../../../destinations/wordpress/index.ts';
import { CONTRIBUTOR_WORDPRESS, DEMO_WORDPRESS } from '../../../sandbox/app.ts';
import {
  closedOrigin,
  expectDone,
  makeArticle,
  openClient,
  startSandbox,
  startServer,
} from '../destination-harness.ts';
import { wordpressRow as row } from '../rows/wordpress.ts';

const buildPayload = (article = makeArticle({ coverImage: null })) => wordpress.format(article).payload;
const refusal = (code: string, status: number, message = 'No.') => JSON.stringify({ code, message, data: { status } });

describe('the account', () => {
  test('an account that may not publish is rejected with a separate code, by a probe and by a create', async (context) => {
    const sandbox = await startSandbox(context);
    const client = openClient(row, sandbox.url, { credentials: CONTRIBUTOR_WORDPRESS });
    for (const outcome of [await client.probe(), await client.create(buildPayload())]) {
      assert.ok(outcome.kind === 'rejected' && outcome.code === 'cannot_publish', JSON.stringify(outcome));
      assert.equal(outcome.mayBeSaved, undefined);
    }
    assert.deepEqual(await sandbox.log(), []);
  });

  for (const [code, status, kind, message] of [
    ['rest_not_logged_in', 401, 'unauthorised', /does not accept .*removes the Authorization header/],
    ['incorrect_password', 401, 'unauthorised', /application password/],
    ['application_passwords_disabled', 401, 'unauthorised', /switched off/],
    ['rest_no_route', 404, 'rest_disabled', /REST API/],
    ['rest_forbidden', 403, 'forbidden', /role/],
  ] as const) {
    test(`${code} has a specific reason`, async (context) => {
      const origin = await startServer(context, (_request, response) =>
        response.writeHead(status).end(refusal(code, status)),
      );
      const outcome = await openClient(row, origin).probe();
      assert.equal(outcome.kind === 'rejected' ? outcome.code : outcome.kind, kind);
      assert.match('reason' in outcome ? outcome.reason : '', message);
    });
  }

  test('an application password may be pasted with blanks around it, and is redacted in every form', async (context) => {
    const { url } = await startSandbox(context);
    const { username = '', applicationPassword = '' } = row.credentials;
    const pasted = { username: ` ${username}`, applicationPassword: `${applicationPassword}\n` };
    expectDone(await openClient(row, url, { credentials: pasted }).probe());
    const joined = applicationPassword.replaceAll(' ', '');
    const origin = await startServer(context, (request, response) =>
      response.writeHead(400).end(refusal('x', 400, `<b>You</b> sent ${request.headers.authorization} for ${joined}`)),
    );
    const outcome = await openClient(row, origin).create(buildPayload());
    assert.ok(outcome.kind === 'rejected' && outcome.reason.includes('You sent Basic •••'), JSON.stringify(outcome));
    assert.ok(!outcome.reason.includes(joined) && !outcome.reason.includes(btoa(`${username}:${applicationPassword}`)));
  });
});

describe('writing', () => {
  test('a refusal before the post is created saved nothing; any other refusal may have saved it', async (context) => {
    for (const [code, status, mayBeSaved] of [
      ['rest_invalid_param', 400, undefined],
      ['rest_cannot_create', 403, undefined],
      ['rest_cannot_update', 403, true],
      ['invalid_taxonomy', 400, true],
    ] as const) {
      const origin = await startServer(context, (_request, response) =>
        response.writeHead(status).end(refusal(code, status)),
      );
      const outcome = await openClient(row, origin).create(buildPayload());
      assert.ok(outcome.kind === 'rejected' && outcome.mayBeSaved === mayBeSaved, JSON.stringify(outcome));
    }
  });

  test('an article that the web server rejects is refused, for any format of its response', async (context) => {
    const origin = await startServer(context, (_request, response) => response.writeHead(413).end('<h1>413</h1>'));
    const outcome = await openClient(row, origin).create(buildPayload());
    assert.ok(outcome.kind === 'rejected' && outcome.code === 'body_too_large');
  });

  test('a PHP warning before the response, and errors of another server, are foreign responses', async (context) => {
    for (const [status, body] of [
      [201, '<br />\n<b>Warning</b>: x in y.php\n{"id": 1, "link": "https://x.example/"}'],
      [403, '{"error": "blocked by the firewall"}'],
    ] as const) {
      const origin = await startServer(context, (_request, response) => response.writeHead(status).end(body));
      assert.equal((await openClient(row, origin).create(buildPayload())).kind, 'unknown', body);
    }
  });

  test('an id that WordPress cannot have is reported as gone, without a request', async () => {
    const client = openClient(row, await closedOrigin());
    for (const id of ['665f1f77bcf86cd799439099', '../users/1', '', '9'.repeat(30)]) {
      const outcome = await client.update(id, buildPayload());
      assert.ok(outcome.kind === 'rejected' && outcome.code === 'remote_gone', id);
    }
  });

  test('a post in the trash is gone: it is not found, changed or restored', async (context) => {
    const sandbox = await startSandbox(context);
    const client = openClient(row, sandbox.url);
    const article = makeArticle({ coverImage: null });
    const post = expectDone(await client.create(buildPayload(article)));
    const authorization = `Basic ${btoa(Object.values(DEMO_WORDPRESS).join(':'))}`;
    const address = `${sandbox.url}/wordpress/wp-json/wp/v2/posts/${post.remoteId}`;
    assert.equal((await fetch(address, { method: 'DELETE', headers: { authorization } })).status, 200);
    assert.equal(expectDone(await client.find(article)), null);
    for (const outcome of [
      await client.update(post.remoteId, buildPayload(article)),
      await client.withdraw(post.remoteId),
    ]) {
      assert.ok(outcome.kind === 'rejected' && outcome.code === 'remote_gone', JSON.stringify(outcome));
    }
    assert.deepEqual(
      (await sandbox.log()).map(({ action }) => action),
      ['create', 'withdraw'],
    );
  });

  test('our own withdrawal is not drift, at any time; another status set by hand is', async (context) => {
    let at = Date.now();
    const now = () => new Date(at);
    const sandbox = await startSandbox(context, { now });
    const client = openClient(row, sandbox.url, { now });
    const post = expectDone(await client.create(buildPayload()));
    at += 60_000;
    expectDone(await client.withdraw(post.remoteId));
    const republished = expectDone(await client.update(post.remoteId, buildPayload(), post.changedAt));
    assert.notEqual(republished.changedAt, post.changedAt);
    at += 60_000;
    const authorization = `Basic ${btoa(Object.values(DEMO_WORDPRESS).join(':'))}`;
    await fetch(`${sandbox.url}/wordpress/wp-json/wp/v2/posts/${post.remoteId}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ status: 'private' }),
    });
    assert.equal((await client.update(post.remoteId, buildPayload(), republished.changedAt)).kind, 'drifted');
  });

  test('a slug that is in use gets a number, and the post is still found', async (context) => {
    const { url } = await startSandbox(context);
    const client = openClient(row, url);
    const first = makeArticle({ coverImage: null });
    const second = makeArticle({ coverImage: null, slug: first.slug });
    const [one, two] = [
      expectDone(await client.create(buildPayload(first))),
      expectDone(await client.create(buildPayload(second))),
    ];
    assert.ok(two.url.endsWith(`/${first.slug}-2/`));
    assert.equal(expectDone(await client.find(first))?.remoteId, one.remoteId);
    assert.equal(expectDone(await client.find(second))?.remoteId, two.remoteId);
  });

  test('of two posts of one article the public one is found, among many similar ones', async (context) => {
    const { url } = await startSandbox(context);
    const client = openClient(row, url);
    const article = makeArticle({ coverImage: null, canonicalUrl: 'https://blog.example.com/p' });
    const post = expectDone(await client.create(buildPayload(article)));
    const draft = expectDone(await client.create(buildPayload(article)));
    expectDone(await client.withdraw(draft.remoteId));
    for (let count = 0; count < 25; count += 1) {
      const canonicalUrl = `https://blog.example.com/p${count}`;
      expectDone(await client.create(buildPayload(makeArticle({ coverImage: null, canonicalUrl }))));
    }
    const found = expectDone(await client.find({ ...article, slug: 'another' }));
    assert.ok(found?.remoteId === draft.remoteId || found?.remoteId === post.remoteId);
    assert.equal(expectDone(await client.find(article))?.remoteId, post.remoteId);
  });

  test('a listing that is too large is requested in smaller pages', async (context) => {
    const requested: string[] = [];
    const origin = await startServer(context, (request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://x');
      const [size, offset] = [Number(searchParams.get('per_page')), Number(searchParams.get('offset'))];
      if (searchParams.has('slug')) return void response.end('[]');
      requested.push(`${offset}+${size}`);
      const entries = Array.from({ length: Math.min(size, 6 - offset) }, (_, index) => ({
        id: offset + index,
        link: 'https://x.example/',
        content: { raw: 'x'.repeat(7 * 1024 * 1024) },
      }));
      response.setHeader('x-wp-totalpages', Math.ceil(6 / size)).end(JSON.stringify(entries));
    });
    assert.equal(expectDone(await openClient(row, origin).find(makeArticle())), null);
    assert.deepEqual(requested, ['0+20', '0+4', '4+4']);
  });
});
