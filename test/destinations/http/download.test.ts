/**
 * Downloads of files that a document names: across redirects, within limits, and never from an
 * address that the guard forbids.
 */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { AddressPolicy } from '../../../destinations/http/address-guard.ts';
import { type Download, download } from '../../../destinations/http/download.ts';
import { closedOrigin, startServer } from '../destination-harness.ts';

const MIB = 1024 * 1024;
/** Only the machine's usual address. Its other addresses represent private ones. */
const HERE: AddressPolicy = { allowPrivate: ['127.0.0.1'] };

function fetchFile(
  address: string,
  changes: { addresses?: AddressPolicy; timeoutMs?: number; signal?: AbortSignal } = {},
) {
  return download(address, { timeoutMs: 2000, addresses: HERE, maxBytes: MIB, ...changes });
}

function readReason(file: Download): string {
  assert.ok(file.kind === 'failed', JSON.stringify(file));
  return file.reason;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that redirects every request. */
function redirectTo(context: TestContext, location: string | undefined, status = 302): Promise<string> {
  return startServer(context, (_request, response) =>
    response.writeHead(status, location === undefined ? {} : { location }).end('moved'),
  );
}

/** A server at an address that `HERE` does not allow. Counts its connections. */
async function startPrivate(context: TestContext, handler: Handler) {
  const server = createServer(handler);
  const seen = { connections: 0 };
  server.on('connection', () => {
    seen.connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve));
  context.after(() => new Promise((resolve) => server.close(resolve)));
  return { port: (server.address() as AddressInfo).port, seen };
}

test('a file is returned byte for byte, with the type from its server', async (context) => {
  const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0xff]);
  const types: [string | undefined, string][] = [
    ['image/png', 'image/png'],
    ['Image/PNG; charset=binary', 'image/png'],
    [undefined, ''],
  ];
  for (const [sentType, expected] of types) {
    const origin = await startServer(context, (request, response) => {
      assert.equal(request.headers.accept, '*/*');
      assert.equal(request.headers.authorization, undefined);
      response.writeHead(200, sentType === undefined ? {} : { 'content-type': sentType }).end(bytes);
    });
    const file = await fetchFile(`${origin}/cover.png`);
    assert.ok(file.kind === 'file', JSON.stringify(file));
    assert.deepEqual([Buffer.from(file.bytes), file.contentType], [bytes, expected]);
  }
});

test('redirects are followed, to relative targets and to other hosts', async (context) => {
  const target = await startServer(context, (request, response) => {
    if (request.url === '/a/file?v=2') response.writeHead(200, { 'content-type': 'text/plain' }).end('here');
    else response.writeHead(307, { location: 'file?v=2' }).end();
  });
  for (const status of [301, 302, 303, 307, 308]) {
    const file = await fetchFile(await redirectTo(context, `${target}/a/b`, status));
    assert.ok(file.kind === 'file' && Buffer.from(file.bytes).toString() === 'here', JSON.stringify(file));
  }
});

test('a redirect to a private address makes no connection, on the first hop or a later one (A9)', async (context) => {
  const { port, seen } = await startPrivate(context, (_request, response) => response.end('secret'));
  const targets = [
    `http://127.0.0.2:${port}/`,
    `//127.0.0.2:${port}/`,
    `http://localhost:${port}/`,
    `http://2130706434:${port}/`,
    `http://[::ffff:127.0.0.2]:${port}/`,
    'http://169.254.169.254/latest/meta-data/',
    'https://metadata.google.internal/',
  ];
  for (const target of targets) {
    const first = await redirectTo(context, target);
    const reason = readReason(await fetchFile(first));
    assert.match(reason, /^the (host|address) .*[^.]$/, target);
    assert.equal(readReason(await fetchFile(await redirectTo(context, first))), reason);
  }
  assert.equal(seen.connections, 0);
});

test('a redirect to a name that resolves to a private address makes no connection (A9)', async (context) => {
  const { port, seen } = await startPrivate(context, (_request, response) => response.end('secret'));
  const first = await redirectTo(context, `https://rebind.example.com:${port}/`);
  const resolve = () => Promise.resolve([{ address: '127.0.0.2', family: 4 }]);
  assert.match(readReason(await fetchFile(first, { addresses: { ...HERE, resolve } })), /not on the public internet/);
  assert.equal(seen.connections, 0);
});

test('an address that the guard forbids is not fetched at all (A10, A11)', async (context) => {
  const { port, seen } = await startPrivate(context, (_request, response) => response.end('secret'));
  for (const address of [`http://127.0.0.2:${port}/`, 'file:///etc/passwd', 'data:,x', 'cover.png', '']) {
    assert.match(readReason(await fetchFile(address)), /^the (host|address) /, address);
  }
  assert.equal(seen.connections, 0);
});

test('a redirect to another scheme, to an invalid address or without a target fails', async (context) => {
  for (const target of ['file:///etc/passwd', 'ftp://127.0.0.1/', 'javascript:1', 'http://user:secret@127.0.0.1/']) {
    assert.match(readReason(await fetchFile(await redirectTo(context, target))), /^the address must/, target);
  }
  for (const target of ['http://', 'http://[', undefined]) {
    assert.equal(readReason(await fetchFile(await redirectTo(context, target))), 'it redirects without an address');
  }
});

test('a loop, or a chain that is too long, fails after a few hops', async (context) => {
  let requests = 0;
  const origin = await startServer(context, (_request, response) => {
    requests += 1;
    response.writeHead(302, { location: `/${requests}` }).end();
  });
  assert.equal(readReason(await fetchFile(origin)), 'it redirects too many times');
  assert.equal(requests, 5);
});

test('a file over the limit is cut off, whatever length it declares (F23)', async (context) => {
  for (const headers of [{}, { 'content-length': String(1024 * MIB) }] as Record<string, string>[]) {
    let sent = 0;
    const origin = await startServer(context, (_request, response) => {
      response.writeHead(200, headers);
      const pour = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536;
      };
      response.on('drain', pour);
      pour();
    });
    assert.equal(readReason(await fetchFile(origin)), 'it is larger than 1 MiB');
    assert.ok(sent < 64 * MIB);
  }
  const exact = await startServer(context, (_request, response) => response.end(Buffer.alloc(MIB)));
  assert.equal((await fetchFile(exact)).kind, 'file');
});

test('a status other than 200, a truncated response and no response are failures with different reasons', async (context) => {
  for (const status of [204, 206, 401, 404, 500]) {
    const origin = await startServer(context, (_request, response) => response.writeHead(status).end());
    assert.equal(readReason(await fetchFile(origin)), `it returns HTTP ${status}`);
  }
  const half = await startServer(context, (_request, response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('half', () => response.destroy());
  });
  assert.match(readReason(await fetchFile(half)), /cut|failed/);
  assert.match(readReason(await fetchFile(await closedOrigin())), /refuses connections/);
  const silent = await startServer(context, () => undefined);
  assert.match(readReason(await fetchFile(silent, { timeoutMs: 100 })), /in time/);
  assert.match(readReason(await fetchFile(silent, { signal: AbortSignal.timeout(100) })), /cancelled/);
});

test('a server that delays every redirect gets no more time than one that responds at once (F24)', async (context) => {
  let requests = 0;
  const origin = await startServer(context, (_request, response) => {
    requests += 1;
    setTimeout(() => response.writeHead(302, { location: `/${requests}` }).end(), 300);
  });
  // With a separate time-out for each hop, the reason would be too many redirects.
  assert.equal(readReason(await fetchFile(origin, { timeoutMs: 500 })), 'it did not respond in time');
});
