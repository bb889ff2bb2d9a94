/** The limits above which requests are rejected, each alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FastifyBaseLogger, fastify } from 'fastify';
import { pino } from 'pino';
import type { ProblemError } from '../../../api/plugins/errors/problem.ts';
import { BYPASS_OVERLOAD, overloadPlugin } from '../../../api/plugins/overload.ts';
import type { OverloadLimits } from '../../../runtime/config/overload.ts';
import { eventually } from '../../support/eventually.ts';

const OFF = { eventLoopDelayMs: 0, databaseWaitMs: 0, eventLoopPercent: 0, heapBytes: 0, rssBytes: 0 };

async function build(limits: Partial<OverloadLimits>, measureWaitMs = () => 0) {
  const lines: { level: number; type: string; value: number; msg: string }[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const app = fastify({ loggerInstance: log as FastifyBaseLogger });
  app.setErrorHandler((error: ProblemError, _request, reply) =>
    reply.code(error.statusCode).headers(error.headers).send([error.code, error.message]),
  );
  await app.register(overloadPlugin, { limits: { ...OFF, ...limits }, measureWaitMs });
  app.get('/', async () => 'served');
  app.get('/health', { config: BYPASS_OVERLOAD }, async () => 'served');
  await app.ready();
  const send = async (path = '/') => {
    const { statusCode, headers, body } = await app.inject(path);
    return statusCode === 200 ? body : [statusCode, headers['retry-after'], JSON.parse(body)];
  };
  return { app, send, lines };
}

const REFUSAL = [
  ...[503, '2', ['overloaded', 'The service is overloaded. Nothing was changed. Try again in a moment.']],
];

test('requests are rejected while the oldest wait for a connection is above its limit, and logged once', async () => {
  let waitMs = 100;
  const { app, send, lines } = await build({ databaseWaitMs: 100 }, () => waitMs);
  assert.equal(await send(), 'served');
  waitMs = 101;
  for (let n = 0; n < 3; n++) assert.deepEqual(await send(), REFUSAL);
  assert.equal(await send('/health'), 'served');
  waitMs = 0;
  assert.equal(await send(), 'served');
  assert.deepEqual(
    lines.map(({ level, type, value, msg }) => [level, type, value, msg]),
    [[40, 'databaseWait', 101, 'overloaded: requests are refused until the load drops']],
  );
  await app.close();
  const unlimited = await build({}, () => 1_000_000);
  assert.equal(await unlimited.send(), 'served');
  await unlimited.app.close();
});

test('each limit of the process rejects requests, and 0 turns it off', async () => {
  for (const [limit, type] of [
    ['heapBytes', 'heapUsedBytes'],
    ['rssBytes', 'rssBytes'],
  ] as const) {
    const { app, send, lines } = await build({ [limit]: 1 });
    await eventually(`the refusal for ${limit}`, async () => (await send()) !== 'served');
    assert.deepEqual(await send(), REFUSAL);
    assert.equal(await send('/health'), 'served');
    assert.equal(lines[0]?.type, type);
    await app.close();
    const large = await build({ [limit]: Number.MAX_SAFE_INTEGER });
    assert.equal(await large.send(), 'served');
    await large.app.close();
  }
});
