/** Scripts and style sheets of pages, at addresses with a hash. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestApi, type TestApi } from '../../support/api/api.ts';

let api: TestApi;
before(async () => {
  // Nothing listens there: no workflow is needed.
  api = await startTestApi({ temporal: '127.0.0.1:1' });
});
after(() => api.close());

async function findScript(): Promise<string> {
  const page = await (await fetch(`${api.url}/`)).text();
  return /\/assets\/site-[0-9a-f]{16}\.js/.exec(page)?.[0] ?? assert.fail('The page names no script.');
}

test('the script of a page is immutable, because its address contains a hash of it', async () => {
  const response = await fetch(api.url + (await findScript()));
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'text/javascript; charset=utf-8');
  assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
});

test('an outdated address returns the current script with no-store', async () => {
  const path = await findScript();
  const present = await (await fetch(api.url + path)).text();
  const response = await fetch(`${api.url}${path.replace(/-\w+/, `-${'0'.repeat(16)}`)}`);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  assert.equal(await response.text(), present);
});

test('an unknown file returns 404', async () => {
  for (const name of [
    'other-0000000000000000.js',
    'site.js',
    'site-0000000000000000.css',
    '__proto__',
    '..%2Fdesk.js',
  ]) {
    assert.equal((await fetch(`${api.url}/assets/${name}`)).status, 404, name);
  }
});
