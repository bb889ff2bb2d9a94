/** The image of LinkedIn's link card: uploaded before the post, and never a reason to delay it. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { canReceiveToken } from '../../../destinations/linkedin/address.ts';
import { linkedin } from '../../../destinations/linkedin/index.ts';
import { makeArticle, openClient, type RunningSandbox, startSandbox, startServer } from '../destination-harness.ts';
import { linkedinRow as row } from '../rows/linkedin.ts';

const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(3 * 1024 * 1024)]);

/** Serves the bytes at any address. */
const serve = (context: TestContext, bytes: Buffer | string, status = 200) =>
  startServer(context, (_request, response) => response.writeHead(status).end(bytes));

/** Prepares and posts an article with this cover; returns the page of the post. */
async function publish(sandbox: RunningSandbox, coverImage: string): Promise<string> {
  const client = openClient(row, sandbox.url);
  const prepared = await client.prepare?.(linkedin.format(makeArticle({ coverImage })).payload);
  assert.ok(prepared?.kind === 'done', JSON.stringify(prepared));
  // A prepared payload needs no further preparation, and nothing is uploaded twice.
  assert.deepEqual(await client.prepare?.(prepared.value), prepared);
  const post = await client.create(prepared.value);
  assert.ok(post.kind === 'done', JSON.stringify(post));
  return (await fetch(post.value.url)).text();
}

test('a cover is uploaded, and the card shows it', async (context) => {
  const sandbox = await startSandbox(context);
  const origin = await serve(context, PNG);
  assert.match(await publish(sandbox, `${origin}/cover.png`), /urn:li:image:\w+/);
  assert.equal((await sandbox.log()).length, 1);
});

test('a cover that is missing, too large or no image that LinkedIn accepts is omitted from the card', async (context) => {
  const sandbox = await startSandbox(context);
  const covers = [
    `${await serve(context, 'Not found', 404)}/cover.png`,
    `${await serve(context, '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')}/cover.svg`,
    `${await serve(context, '<!doctype html><title>Login</title>')}/cover.png`,
    `${await serve(context, Buffer.concat([PNG, Buffer.alloc(8 * 1024 * 1024)]))}/cover.png`,
    'http://169.254.169.254/latest/meta-data',
  ];
  for (const cover of covers) assert.match(await publish(sandbox, cover), /no image/, cover);
});

test('a refused image does not refuse the post, but an unavailable or rate-limited LinkedIn delays it', async (context) => {
  const sandbox = await startSandbox(context);
  const cover = `${await serve(context, PNG)}/cover.png`;
  const client = openClient(row, sandbox.url, { credentials: row.credentials });
  const { payload } = linkedin.format(makeArticle({ coverImage: cover }));
  for (const [status, kind] of [
    [400, 'done'],
    [403, 'done'],
    [404, 'done'],
    [401, 'unauthorised'],
    [426, 'unavailable'],
    [429, 'rateLimited'],
    [503, 'unavailable'],
  ] as const) {
    await sandbox.setFaults([{ platform: row.key, action: 'prepare', times: 1, status }]);
    assert.equal((await client.prepare?.(payload))?.kind, kind, String(status));
  }
});

test('the token and the cover are sent only to LinkedIn, whatever its response contains (A11)', async (context) => {
  let called = 0;
  const elsewhere = await startServer(context, (_request, response) => {
    called += 1;
    response.writeHead(201).end();
  });
  const cover = `${await serve(context, PNG)}/cover.png`;
  for (const uploadUrl of [`${elsewhere}/upload`, 'https://www.linkedin.com.evil.example/', 'upload', 7, undefined]) {
    const origin = await startServer(context, (_request, response) =>
      response.end(JSON.stringify({ sub: 'abc', value: { uploadUrl, image: 'urn:li:image:x' } })),
    );
    const outcome = await openClient(row, origin).prepare?.(
      linkedin.format(makeArticle({ coverImage: cover })).payload,
    );
    assert.ok(outcome?.kind === 'done', JSON.stringify(outcome));
    assert.doesNotMatch(JSON.stringify(outcome.value), /urn:li:image/);
  }
  assert.equal(called, 0);
});

test('an upload sends the token only to LinkedIn’s own hosts and to the connection’s own origin (A9)', () => {
  const canReceive = (address: string) => canReceiveToken(address, 'https://proxy.example/linkedin');
  for (const own of ['https://www.linkedin.com/dms-uploads/1', 'https://linkedin.com/', 'https://proxy.example/up'])
    assert.equal(canReceive(own), true, own);
  for (const foreign of [
    ...['https://notlinkedin.com/', 'https://www.linkedin.com.evil.example/', 'http://www.linkedin.com/'],
    ...['https://proxy.example:8443/', 'upload', ''],
  ])
    assert.equal(canReceive(foreign), false, foreign);
});
