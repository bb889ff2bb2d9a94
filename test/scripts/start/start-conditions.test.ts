/** The checks before a start: ports in use, and servers that cannot be reached. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:net';
import { type TestContext, test } from 'node:test';
import { checkStartConditions } from '../../../scripts/start/check-start-conditions.ts';
import { findFreePort, findPortHolder, probePort } from '../../../scripts/start/ports.ts';
import { type PortName, readSettings, type StartSettings } from '../../../scripts/start/settings.ts';

async function hold(t: TestContext, host?: string): Promise<number> {
  const port = await findFreePort();
  const server: Server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  t.after(() => new Promise((resolve) => server.close(resolve)));
  return port;
}

/** Settings that open only these ports. */
const settings = (ports: Partial<Record<PortName, number>>, changes: Partial<StartSettings> = {}): StartSettings => ({
  ...readSettings({}, '/'),
  ports: new Map(Object.entries(ports) as [PortName, number][]),
  ...changes,
});
const check = async (...args: Parameters<typeof settings>): Promise<string[]> => {
  try {
    await checkStartConditions(settings(...args));
    return [];
  } catch (error) {
    assert.equal((error as Error).name, 'StartError');
    return (error as Error).message.split('\n');
  }
};

test('free ports and reachable servers are no problem', async (t) => {
  const address = `127.0.0.1:${await hold(t, '127.0.0.1')}`;
  const { TEST_DATABASE_URL: databaseUrl } = process.env;
  assert.deepEqual(await check({ PORT: await findFreePort() }, { temporalAddress: address, databaseUrl }), []);
});

test('every problem is named in a line of its own', async (t) => {
  const port = await hold(t, '127.0.0.1');
  const closed = await findFreePort();
  const lines = await check(
    { PORT: port },
    { databaseUrl: `postgres://ada:secret@127.0.0.1:${closed}/x`, temporalAddress: `[::1]:${closed}` },
  );
  const holder = process.platform === 'linux' ? ` by pid ${process.pid} \\(.*node.*\\)` : '';
  assert.equal(lines.length, 3);
  assert.match(
    lines[0] ?? '',
    new RegExp(`^Port ${port} \\(PORT\\) is in use${holder}\\. Stop that process or set PORT to another port\\.$`),
  );
  assert.equal(
    lines[1],
    `The server of DATABASE_URL (127.0.0.1:${closed}) cannot be reached: connect ECONNREFUSED 127.0.0.1:${closed}`,
  );
  assert.match(
    lines[2] ?? '',
    new RegExp(`^The server of TEMPORAL_ADDRESS \\(\\[::1\\]:${closed}\\) cannot be reached: `),
  );
});

test('a port is in use if a server listens locally or on all interfaces', async (t) => {
  assert.equal(await probePort(await hold(t, '127.0.0.1')), 'in use');
  assert.equal(await probePort(await hold(t)), 'in use');
  const free = await findFreePort();
  assert.equal(await probePort(free), 'free');
  assert.ok(free >= 10_000 && free < 30_000, String(free));
});

test('the process that listens on a port is named by its command', {
  skip: process.platform !== 'linux',
}, async (t) => {
  const port = await hold(t);
  const holder = findPortHolder(port);
  assert.match(holder ?? '', new RegExp(`^pid ${process.pid} \\(\\S*node .{0,80}\\)$`));
  assert.ok((holder?.length ?? 0) <= `pid ${process.pid} ()`.length + 80);
  assert.equal(findPortHolder(await findFreePort()), null);
});
