/** The program that the workflow `image.yml` runs against a site that it has started. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { findFreePort } from '../../scripts/start/ports.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi();
});
after(() => api.close());

function run(...args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const env = { ...process.env, SMOKE_TIMEOUT_MS: '500' };
    execFile(process.execPath, ['scripts/smoke.ts', ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
}

test('a site that is ready serves its first page and registers an account', async () => {
  const { code, output } = await run(api.url);
  assert.equal(code, 0, output);
  const username = /registered (smoke-[0-9a-f]{8})/.exec(output)?.[1];
  const user = api.db
    .selectFrom('users')
    .select('email')
    .where('username', '=', username ?? '');
  assert.deepEqual(await user.executeTakeFirst(), { email: `${username}@example.com` });
});

test('an address without a site fails with the reason', async () => {
  const { code, output } = await run(`http://127.0.0.1:${await findFreePort()}`);
  assert.equal(code, 1);
  assert.match(output, /does not work: \/health\/ready: /);
});

test('a page of a proxy in place of the response is an error with its status', async (t) => {
  const proxy = createServer(({ url }, response) =>
    response.writeHead(url === '/graphql' ? 502 : 200, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'),
  );
  t.after(() => proxy.close());
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const { code, output } = await run(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
  assert.equal(code, 1);
  assert.match(output, /does not work: \/graphql: 502, <h1>Bad gateway/);
});

test('a missing or malformed address is a wrong use', async () => {
  const output = 'Usage: node scripts/smoke.ts <address of the site>\n';
  for (const args of [[], ['blog.example'], ['localhost:3000'], ['http://a.example', 'http://b.example']])
    assert.deepEqual(await run(...args), { code: 2, output }, args.join(' '));
});
