/** The simulated WordPress responds as WordPress does, including its pitfalls. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { buildSandbox, CONTRIBUTOR_WORDPRESS, DEMO_WORDPRESS, type SandboxOptions } from '../../sandbox/app.ts';

type Json = Record<string, unknown>;

interface Answer {
  status: number;
  headers: Headers;
  json: Json;
}

const basic = ({ username, applicationPassword }: typeof DEMO_WORDPRESS) =>
  `Basic ${btoa(`${username}:${applicationPassword}`)}`;

async function startSite(context: TestContext, options: SandboxOptions = {}) {
  const sandbox = await buildSandbox(options);
  context.after(() => sandbox.close());
  const { url } = await sandbox.listen();
  const call = async (method: string, path: string, body?: unknown, headers: Json = {}): Promise<Answer> => {
    const answer = await fetch(`${url}/wordpress${path}`, {
      method,
      headers: { authorization: basic(DEMO_WORDPRESS), 'content-type': 'application/json', ...headers } as HeadersInit,
      ...(body === undefined ? {} : { body: toBytes(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, json: /^[[{]/.test(text) ? JSON.parse(text) : { text } };
  };
  const api = (method: string, route: string, body?: unknown, headers?: Json) =>
    call(method, `/wp-json/wp/v2${route}`, body, headers);
  const publish = (fields: Json = {}) =>
    api('POST', '/posts', { title: 'Title', content: '<p>Text</p>', status: 'publish', ...fields });
  return { url, call, api, publish };
}

function toBytes(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (Buffer.isBuffer(body)) return new Uint8Array(body);
  return typeof body === 'string' ? body : JSON.stringify(body);
}

const readCode = ({ status, json }: Answer) => [status, json.code, (json.data as Json | undefined)?.status];
const anonymous = { authorization: '' };

test('the front page links to the API, which has both forms of address', async (context) => {
  const { url, call } = await startSite(context);
  for (const path of ['', '/', '/wp-json/', '/?rest_route=/']) {
    const link = (await call('HEAD', path)).headers.get('link');
    assert.equal(link, `<${url}/wordpress/wp-json/>; rel="https://api.w.org/"`, path);
  }
  for (const path of ['/wp-json', '/wp-json/', '/?rest_route=/']) {
    assert.deepEqual((await call('GET', path, undefined, anonymous)).json.namespaces, ['oembed/1.0', 'wp/v2'], path);
  }
  const made = await call('POST', '/?rest_route=/wp/v2/posts&_fields=id,title.raw', { title: 'T' });
  assert.deepEqual([made.status, Object.keys(made.json), made.json.title], [201, ['id', 'title'], { raw: 'T' }]);
  assert.deepEqual(readCode(await call('GET', '/wp-json/wp/v2/nothing')), [404, 'rest_no_route', 404]);
});

describe('accounts', () => {
  test('spaces in an application password are ignored; a wrong password is refused for every request', async (context) => {
    const { api } = await startSite(context);
    const joined = { ...DEMO_WORDPRESS, applicationPassword: DEMO_WORDPRESS.applicationPassword.replaceAll(' ', '') };
    const me = await api('GET', '/users/me?context=edit', undefined, { authorization: basic(joined) });
    assert.equal((me.json.capabilities as Json).publish_posts, true);
    for (const [wrong, code] of [
      [{ ...DEMO_WORDPRESS, applicationPassword: 'wrong' }, 'incorrect_password'],
      [{ ...DEMO_WORDPRESS, username: '__proto__' }, 'invalid_username'],
    ] as const) {
      assert.deepEqual(readCode(await api('GET', '/posts', undefined, { authorization: basic(wrong) })), [
        401,
        code,
        401,
      ]);
    }
  });

  test('an anonymous request reads only the index', async (context) => {
    const { call, api } = await startSite(context);
    for (const [method, route] of [
      ['GET', '/users/me'],
      ['GET', '/posts'],
      ['POST', '/posts'],
      ['POST', '/tags'],
    ] as const) {
      const answer = await api(method, route, method === 'POST' ? { name: 'x' } : undefined, anonymous);
      assert.deepEqual(readCode(answer), [401, 'rest_not_logged_in', 401], route);
    }
    assert.equal((await call('GET', '/wp-json/', undefined, anonymous)).status, 200);
  });

  test('a contributor can write drafts, but neither publish nor upload', async (context) => {
    const { api } = await startSite(context);
    const authorization = basic(CONTRIBUTOR_WORDPRESS);
    const me = await api('GET', '/users/me?context=edit', undefined, { authorization });
    assert.equal((me.json.capabilities as Json).publish_posts, undefined);
    const published = await api('POST', '/posts', { title: 'T', status: 'publish' }, { authorization });
    assert.deepEqual(readCode(published), [403, 'rest_cannot_publish', 403]);
    const draft = await api('POST', '/posts', { title: 'T', status: 'draft' }, { authorization });
    assert.equal(draft.status, 201);
    const raised = await api('POST', `/posts/${draft.json.id}`, { status: 'publish' }, { authorization });
    assert.deepEqual(readCode(raised), [403, 'rest_cannot_publish', 403]);
    assert.deepEqual(readCode(await api('POST', '/media', '\x89PNG', { authorization })), [
      403,
      'rest_cannot_create',
      403,
    ]);
  });
});

describe('posts', () => {
  test('a created post is returned completely, with its address, and has a page', async (context) => {
    const { url, publish } = await startSite(context);
    const { status, headers, json } = await publish({ title: 'This &amp; that', excerpt: 'E' });
    assert.equal(status, 201);
    assert.equal(headers.get('location'), `${url}/wordpress/wp-json/wp/v2/posts/${json.id}`);
    assert.equal(json.link, `${url}/wordpress/this-that/`);
    assert.match(String(json.modified_gmt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
    assert.match(await (await fetch(String(json.link))).text(), /<h1>This &amp; that<\/h1><p>Text<\/p>/);
  });

  test('all wrong arguments are named at once, unknown ones are ignored, and malformed JSON is reported', async (context) => {
    const { api, publish } = await startSite(context);
    const wrong = await publish({ status: 'public', tags: ['x'], featured_media: 'y', colour: 'red' });
    assert.deepEqual(readCode(wrong), [400, 'rest_invalid_param', 400]);
    assert.deepEqual(Object.keys((wrong.json.data as { params: Json }).params), ['status', 'tags', 'featured_media']);
    assert.equal((await publish({ colour: 'red' })).status, 201);
    for (const body of ['{', '[]', 'null']) {
      assert.deepEqual(readCode(await api('POST', '/posts', body)), [400, 'rest_invalid_json', 400]);
    }
    assert.deepEqual(readCode(await api('POST', '/posts', { id: 1 })), [400, 'rest_post_exists', 400]);
    assert.deepEqual(readCode(await api('POST', '/posts', {})), [400, 'empty_content', 400]);
    assert.deepEqual(readCode(await api('GET', '/posts?per_page=101&status=all')), [400, 'rest_invalid_param', 400]);
  });

  test('a slug in use gets a number, drafts included; unknown ids of cover and tags are ignored without an error', async (context) => {
    const { publish } = await startSite(context);
    const slugs = [];
    for (const status of ['publish', 'draft', 'publish'])
      slugs.push((await publish({ slug: 'same', status })).json.slug);
    assert.deepEqual(slugs, ['same', 'same-2', 'same-3']);
    const { status, json } = await publish({ featured_media: 4711, tags: [4711] });
    assert.deepEqual([status, json.featured_media, json.tags], [201, 0, []]);
  });

  test('an update changes the sent fields, a draft has no page, and the log shows both', async (context) => {
    const { url, api, publish } = await startSite(context);
    const { json } = await publish({
      content: '<p>Originally published at <a href="https://x.example/?a=1&amp;b=2">x</a></p>',
    });
    const changed = await api('POST', `/posts/${json.id}`, { title: 'New' });
    assert.deepEqual([changed.json.link, changed.json.content], [json.link, json.content]);
    assert.equal(
      (await api('POST', `/posts/${json.id}`, { status: 'draft' })).json.link,
      `${url}/wordpress/?p=${json.id}`,
    );
    assert.equal((await fetch(String(json.link))).status, 404);
    assert.equal((await api('POST', `/posts/${json.id}`, { status: 'publish' })).json.link, json.link);
    const log = (await (await fetch(`${url}/log`)).json()) as Json[];
    assert.deepEqual(
      log.map(({ platform, action, title, canonicalUrl }) => [platform, action, title, canonicalUrl]),
      [
        ['create', 'Title'],
        ['update', 'New'],
        ['withdraw', 'New'],
        ['update', 'New'],
      ].map(([action, title]) => ['cms_site', action, title, 'https://x.example/?a=1&b=2']),
    );
  });

  test('trashed posts are in no other list', async (context) => {
    const { api, publish } = await startSite(context);
    const { json } = await publish({ slug: 's' });
    assert.equal((await api('DELETE', `/posts/${json.id}`)).json.slug, 's__trashed');
    assert.deepEqual((await api('GET', '/posts?status=any')).json, []);
    assert.equal((await api('GET', '/posts?status=trash')).json.length, 1);
    assert.deepEqual(readCode(await api('POST', '/posts/999', {})), [404, 'rest_post_invalid_id', 404]);
  });

  test('lists are searched for all words in the requested columns', async (context) => {
    const { api, publish } = await startSite(context);
    await publish({ title: 'Alpha beta', content: 'gamma https://x.example/post' });
    await publish({ title: 'Gamma', content: 'beta' });
    const found = async (query: string) =>
      (
        (await api('GET', `/posts?_fields=title.rendered&${query}`)).json as unknown as {
          title: { rendered: string };
        }[]
      ).map(({ title }) => title.rendered);
    assert.deepEqual(await found('search=beta'), ['Gamma', 'Alpha beta']);
    assert.deepEqual(await found('search=GAMMA,x.example/post'), ['Alpha beta']);
    assert.deepEqual(await found('search=beta&search_columns=post_content'), ['Gamma']);
    assert.deepEqual(await found('search=-alpha'), ['Gamma']);
    assert.deepEqual(await found('per_page=1&offset=1'), ['Alpha beta']);
  });

  test('shortcodes run anywhere, unless their brackets are character references', async (context) => {
    const { publish } = await startSite(context);
    const { json } = await publish({
      content: '<!-- wp:code --><code>[gallery]</code> &#91;gallery&#93;<!-- /wp:code -->',
    });
    assert.equal(
      (json.content as Json).rendered,
      '<code><div>The shortcode gallery ran.</div></code> &#91;gallery&#93;',
    );
  });
});

test('tag names are unique, and the error for an existing one contains its id', async (context) => {
  const { api } = await startSite(context);
  const { status, json } = await api('POST', '/tags', { name: 'R&D' });
  assert.deepEqual([status, json.name, json.slug], [201, 'R&amp;D', 'rd']);
  const again = await api('POST', '/tags', { name: 'r&d' });
  assert.deepEqual([...readCode(again), (again.json.data as Json).term_id], [400, 'term_exists', 400, json.id]);
  assert.equal((await api('POST', '/tags', { name: 'other' })).status, 201);
  assert.deepEqual(readCode(await api('POST', '/tags', {})), [400, 'rest_missing_callback_param', 400]);
  assert.equal((await api('GET', '/tags?slug=rd,other,none')).json.length, 2);
});

test('an upload needs a name, bytes, and an accepted type', async (context) => {
  const { api } = await startSite(context);
  const png = Buffer.from('89504e470d0a1a0a', 'hex');
  const named = (name: string) => ({
    'content-type': 'image/png',
    'content-disposition': `attachment; filename="${name}"`,
  });
  const { status, json } = await api('POST', '/media?alt_text=Alt', png, named('a.png'));
  assert.deepEqual([status, json.slug, json.alt_text, json.mime_type], [201, 'a', 'Alt', 'image/png']);
  assert.equal((await api('POST', '/media', png, named('a.png'))).json.slug, 'a-2');
  for (const [bytes, headers, code] of [
    [png, { 'content-type': 'image/png' }, 'rest_upload_invalid_disposition'],
    [png, named('../a.png'), 'rest_upload_invalid_disposition'],
    [Buffer.alloc(0), named('a.png'), 'rest_upload_no_data'],
    [Buffer.from('<svg/>'), named('a.svg'), 'rest_upload_sideload_error'],
    [png, named('a.php'), 'rest_upload_sideload_error'],
  ] as const) {
    assert.equal((await api('POST', '/media', bytes, headers)).json.code, code);
  }
});

test('all records survive a restart', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'courant-wordpress-'));
  context.after(() => rm(folder, { recursive: true }));
  const statePath = join(folder, 'state.jsonl');
  const first = await startSite(context, { statePath });
  const tag = await first.api('POST', '/tags', { name: 'kept' });
  const post = await first.publish({ tags: [tag.json.id] });
  const second = await startSite(context, { statePath });
  const again = await second.api('GET', `/posts/${post.json.id}`);
  assert.deepEqual(again.json.tags, [tag.json.id]);
  assert.notEqual((await second.publish()).json.id, post.json.id);
});
