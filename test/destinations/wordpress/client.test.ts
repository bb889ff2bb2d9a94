/** What only WordPress does: a site that has to be found, refusals that may have saved, posts that lie in the trash. */
import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import { isSameSite } from '../../../destinations/wordpress/discovery.ts';
import { wordpress } from '../../../destinations/wordpress/index.ts';
import { CONTRIBUTOR_WORDPRESS, DEMO_WORDPRESS } from '../../../sandbox/app.ts';
import { wordpressRow as row } from '../rows/wordpress.ts';
import { closedOrigin, done, makeArticle, openClient, startSandbox, startServer } from '../stand-ins.ts';

const buildPayload = (article = makeArticle({ coverImage: null })) => wordpress.format(article).payload;
const refusal = (code: string, status: number, message = 'No.') => JSON.stringify({ code, message, data: { status } });

describe('the way to the API', () => {
  test('the site’s address is enough; the address of its API is stored', async (context) => {
    const { url } = await startSandbox(context);
    for (const path of ['/wordpress', '/wordpress/', '/wordpress/wp-admin/', '/wordpress/wp-json/']) {
      const found = done(await openClient(row, url, { path }).probe());
      assert.deepEqual([found.account, found.baseUrl], [row.account, `${url}/wordpress/wp-json`], path);
    }
  });

  test('without pretty permalinks everything works in the other form', async (context) => {
    const { url } = await startSandbox(context);
    const client = openClient(row, url, { path: '/wordpress/?rest_route=/' });
    assert.equal(done(await client.probe()).baseUrl, `${url}/wordpress/?rest_route=/`);
    const article = makeArticle({ coverImage: null });
    const prepared = done((await client.prepare?.(buildPayload(article))) ?? { kind: 'unknown', reason: '' });
    const post = done(await client.create(prepared));
    assert.equal(done(await client.find({ ...article, slug: 'another' }))?.remoteId, post.remoteId);
    done(await client.update(post.remoteId, prepared, post.changedAt));
    done(await client.withdraw(post.remoteId));
  });

  /** A site whose API is at `/<prefix>/` or, with null, in its plain form only. Notes who was shown a credential. */
  function site(prefix: string | null, link: string | null, shown: string[]) {
    return (request: IncomingMessage, response: ServerResponse) => {
      const url = new URL(request.url ?? '/', 'http://x');
      if (request.headers.authorization) shown.push(`${request.method} ${url.pathname}`);
      const plain = url.searchParams.get('rest_route');
      const pretty =
        prefix !== null && url.pathname.startsWith(`/${prefix}`) ? url.pathname.slice(prefix.length + 1) : null;
      const route = plain ?? pretty;
      if (link !== null)
        response.setHeader('link', `<https://x.example/s.css>; rel=preload, <${link}>; rel="https://api.w.org/"`);
      if (route === null) return void response.writeHead(url.pathname === '/' ? 200 : 404).end('<p>A page</p>');
      response.setHeader('content-type', 'application/json');
      if (route === '/wp/v2/users/me') {
        return void response.end(
          '{"id": 7, "slug": "ann", "capabilities": {"publish_posts": true, "edit_published_posts": true}}',
        );
      }
      response.end('{"home": "https://blog.example.com/", "namespaces": ["wp/v2"]}');
    };
  }

  for (const [name, prefix, link, expected] of [
    ['named in a Link header', 'wp-json', '/wp-json/', '/wp-json'],
    ['without a Link header, where it usually is', 'wp-json', null, '/wp-json'],
    ['without a Link header and pretty permalinks', null, null, '/?rest_route=/'],
    ['named in its plain form', null, '/index.php?rest_route=/', '/?rest_route=/'],
    ['under a name of the site’s own', 'api', '/api/', '/?rest_route=/'],
  ] as const) {
    test(`the API is found ${name}`, async (context) => {
      const shown: string[] = [];
      const origin = await startServer(context, site(prefix, link, shown));
      const found = done(await openClient(row, origin, { path: '/' }).probe());
      assert.deepEqual([found.account, found.baseUrl], ['blog.example.com 7', `${origin}${expected}`]);
      assert.ok(shown.length > 0 && shown.every((request) => !request.startsWith('HEAD')));
    });
  }

  test('redirects of the front page are followed, and no credential is sent on the way', async (context) => {
    const shown: string[] = [];
    const target = await startServer(context, site('wp-json', '/wp-json/', shown));
    const before: string[] = [];
    const origin = await startServer(context, (request, response) => {
      before.push(`${request.method} ${request.headers.authorization ?? 'nothing'}`);
      response.writeHead(301, { location: `${target}/` }).end();
    });
    assert.equal(done(await openClient(row, origin, { path: '' }).probe()).baseUrl, `${target}/wp-json`);
    assert.deepEqual(before, ['HEAD nothing']);
  });

  test('a front page cannot lead to an address that the operator does not allow (A11)', async (context) => {
    let called = 0;
    const secret = await startServer(context, (_request, response) => {
      called += 1;
      response.end('{}');
    });
    const hidden = secret.replace('127.0.0.1', 'localhost');
    const open = (baseUrl: string) =>
      wordpress.createClient({
        connection: { baseUrl, credentials: row.credentials },
        timeoutMs: 2000,
        now: () => new Date(),
        allowPrivate: ['127.0.0.1'],
      });
    const redirecting = await startServer(context, (_request, response) =>
      response.writeHead(302, { location: `${hidden}/` }).end(),
    );
    const naming = await startServer(context, (_request, response) =>
      response.setHeader('link', `<${hidden}/wp-json/>; rel="https://api.w.org/"`).end(),
    );
    for (const [origin, code] of [
      [redirecting, 'address_refused'],
      [naming, 'leads_elsewhere'],
    ] as const) {
      const outcome = await open(origin).probe();
      assert.ok(outcome.kind === 'rejected' && outcome.code === code, JSON.stringify(outcome));
    }
    assert.equal(called, 0);
  });

  test('a site that leads to another one is not followed with the password: its author is asked, and may give that address (A33)', async (context) => {
    const shown: string[] = [];
    const other = (await startServer(context, site('wp-json', '/wp-json/', shown))).replace('127.0.0.1', 'localhost');
    const redirecting = await startServer(context, (_request, response) =>
      response.writeHead(301, { location: `${other}/` }).end(),
    );
    const naming = await startServer(context, (_request, response) =>
      response.setHeader('link', `<${other}/wp-json/>; rel="https://api.w.org/"`).end(),
    );
    for (const origin of [redirecting, naming]) {
      const outcome = await openClient(row, origin, { path: '/' }).probe();
      assert.ok(outcome.kind === 'rejected' && outcome.code === 'leads_elsewhere', JSON.stringify(outcome));
      assert.match(
        outcome.reason,
        /leads to another site, localhost:\d+,.*connect with its address: http:\/\/localhost/,
      );
    }
    assert.deepEqual(shown, []);
    assert.equal(done(await openClient(row, other, { path: '/wp-json/' }).probe()).baseUrl, `${other}/wp-json`);
  });

  test('the hosts of one registrable domain are one site, and those of two authors at one hoster are not', () => {
    for (const [one, other, same] of [
      ['https://example.com', 'https://www.example.com/wp-json', true],
      ['https://blog.example.co.uk', 'https://api.example.co.uk', true],
      ['https://example.co.uk', 'https://other.co.uk', false],
      ['https://ann.github.io', 'https://bob.github.io', false],
      ['http://127.0.0.1:1', 'http://127.0.0.1:2', true],
      ['http://127.0.0.1', 'http://127.0.0.2', false],
    ] as const) {
      assert.equal(isSameSite(one, other), same, `${one} ${other}`);
    }
  });

  test('a site that is not WordPress, a redirect loop and no response have different outcomes', async (context) => {
    const other = await startServer(context, (_request, response) => response.writeHead(200).end('<p>Hello</p>'));
    const loop = await startServer(context, (_request, response) => response.writeHead(302, { location: '/' }).end());
    for (const origin of [other, loop]) {
      const outcome = await openClient(row, origin, { path: '' }).probe();
      assert.ok(outcome.kind === 'rejected' && outcome.code === 'not_wordpress', JSON.stringify(outcome));
    }
    assert.equal((await openClient(row, await closedOrigin(), { path: '' }).probe()).kind, 'unavailable');
  });
});

describe('whose account it is', () => {
  test('an account that may not publish is refused with a code of its own, before and at publishing', async (context) => {
    const sandbox = await startSandbox(context);
    const client = openClient(row, sandbox.url, { credentials: CONTRIBUTOR_WORDPRESS });
    for (const outcome of [await client.probe(), await client.create(buildPayload())]) {
      assert.ok(outcome.kind === 'rejected' && outcome.code === 'cannot_publish', JSON.stringify(outcome));
      assert.equal(outcome.maybeSaved, undefined);
    }
    assert.deepEqual(await sandbox.log(), []);
  });

  for (const [code, status, kind, message] of [
    ['rest_not_logged_in', 401, 'unauthorised', /does not accept .*strips the Authorization header/],
    ['incorrect_password', 401, 'unauthorised', /application password/],
    ['application_passwords_disabled', 401, 'unauthorised', /switched off/],
    ['rest_no_route', 404, 'rest_disabled', /REST API/],
    ['rest_forbidden', 403, 'forbidden', /role/],
  ] as const) {
    test(`${code} has a reason of its own`, async (context) => {
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
    done(await openClient(row, url, { credentials: pasted }).probe());
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
  test('a refusal before the post is made saved nothing; any other may have saved it', async (context) => {
    for (const [code, status, maybeSaved] of [
      ['rest_invalid_param', 400, undefined],
      ['rest_cannot_create', 403, undefined],
      ['rest_cannot_update', 403, true],
      ['invalid_taxonomy', 400, true],
    ] as const) {
      const origin = await startServer(context, (_request, response) =>
        response.writeHead(status).end(refusal(code, status)),
      );
      const outcome = await openClient(row, origin).create(buildPayload());
      assert.ok(outcome.kind === 'rejected' && outcome.maybeSaved === maybeSaved, JSON.stringify(outcome));
    }
  });

  test('an article that the web server rejects is refused, whatever the format of its answer', async (context) => {
    const origin = await startServer(context, (_request, response) => response.writeHead(413).end('<h1>413</h1>'));
    const outcome = await openClient(row, origin).create(buildPayload());
    assert.ok(outcome.kind === 'rejected' && outcome.code === 'body_too_large');
  });

  test('a PHP warning before the answer, and errors of another server, are foreign responses', async (context) => {
    for (const [status, body] of [
      [201, '<br />\n<b>Warning</b>: x in y.php\n{"id": 1, "link": "https://x.example/"}'],
      [403, '{"error": "blocked by the firewall"}'],
    ] as const) {
      const origin = await startServer(context, (_request, response) => response.writeHead(status).end(body));
      assert.equal((await openClient(row, origin).create(buildPayload())).kind, 'unknown', body);
    }
  });

  test('an id that WordPress cannot have is gone, and no request is made', async () => {
    const client = openClient(row, await closedOrigin());
    for (const id of ['665f1f77bcf86cd799439099', '../users/1', '', '9'.repeat(30)]) {
      const outcome = await client.update(id, buildPayload());
      assert.ok(outcome.kind === 'rejected' && outcome.code === 'remote_gone', id);
    }
  });

  test('a post in the trash is gone: not found, not changed, not restored', async (context) => {
    const sandbox = await startSandbox(context);
    const client = openClient(row, sandbox.url);
    const article = makeArticle({ coverImage: null });
    const post = done(await client.create(buildPayload(article)));
    const authorization = `Basic ${btoa(Object.values(DEMO_WORDPRESS).join(':'))}`;
    const address = `${sandbox.url}/wordpress/wp-json/wp/v2/posts/${post.remoteId}`;
    assert.equal((await fetch(address, { method: 'DELETE', headers: { authorization } })).status, 200);
    assert.equal(done(await client.find(article)), null);
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

  test('our own withdrawal is not drift, whenever it was; another status set by hand is', async (context) => {
    let at = Date.now();
    const now = () => new Date(at);
    const sandbox = await startSandbox(context, { now });
    const client = openClient(row, sandbox.url, { now });
    const post = done(await client.create(buildPayload()));
    at += 60_000;
    done(await client.withdraw(post.remoteId));
    const back = done(await client.update(post.remoteId, buildPayload(), post.changedAt));
    assert.notEqual(back.changedAt, post.changedAt);
    at += 60_000;
    const authorization = `Basic ${btoa(Object.values(DEMO_WORDPRESS).join(':'))}`;
    await fetch(`${sandbox.url}/wordpress/wp-json/wp/v2/posts/${post.remoteId}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ status: 'private' }),
    });
    assert.equal((await client.update(post.remoteId, buildPayload(), back.changedAt)).kind, 'drifted');
  });

  test('a slug that is taken there gets a number, and the post is still found', async (context) => {
    const { url } = await startSandbox(context);
    const client = openClient(row, url);
    const first = makeArticle({ coverImage: null });
    const second = makeArticle({ coverImage: null, slug: first.slug });
    const [one, two] = [
      done(await client.create(buildPayload(first))),
      done(await client.create(buildPayload(second))),
    ];
    assert.ok(two.url.endsWith(`/${first.slug}-2/`));
    assert.equal(done(await client.find(first))?.remoteId, one.remoteId);
    assert.equal(done(await client.find(second))?.remoteId, two.remoteId);
  });

  test('of two posts of one article the public one is found, among many that only look like it', async (context) => {
    const { url } = await startSandbox(context);
    const client = openClient(row, url);
    const article = makeArticle({ coverImage: null, canonicalUrl: 'https://blog.example.com/p' });
    const post = done(await client.create(buildPayload(article)));
    const draft = done(await client.create(buildPayload(article)));
    done(await client.withdraw(draft.remoteId));
    for (let count = 0; count < 25; count += 1) {
      const canonicalUrl = `https://blog.example.com/p${count}`;
      done(await client.create(buildPayload(makeArticle({ coverImage: null, canonicalUrl }))));
    }
    const found = done(await client.find({ ...article, slug: 'another' }));
    assert.ok(found?.remoteId === draft.remoteId || found?.remoteId === post.remoteId);
    assert.equal(done(await client.find(article))?.remoteId, post.remoteId);
  });

  test('a listing that is too large is requested in smaller pages', async (context) => {
    const asked: string[] = [];
    const origin = await startServer(context, (request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://x');
      const [size, offset] = [Number(searchParams.get('per_page')), Number(searchParams.get('offset'))];
      if (searchParams.has('slug')) return void response.end('[]');
      asked.push(`${offset}+${size}`);
      const entries = Array.from({ length: Math.min(size, 6 - offset) }, (_, index) => ({
        id: offset + index,
        link: 'https://x.example/',
        content: { raw: 'x'.repeat(7 * 1024 * 1024) },
      }));
      response.setHeader('x-wp-totalpages', Math.ceil(6 / size)).end(JSON.stringify(entries));
    });
    assert.equal(done(await openClient(row, origin).find(makeArticle())), null);
    assert.deepEqual(asked, ['0+20', '0+4', '4+4']);
  });
});
