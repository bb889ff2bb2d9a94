/** Results, statuses and options of the workflows, with activities that only return values. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Client } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { NativeConnection, Worker } from '@temporalio/worker';
import { buildActivityQueue } from '../../temporal/names.ts';
import { registerSearchAttributes } from '../../temporal/visibility/search-attributes.ts';
import { articleChangedSignal, importChangedSignal, statusQuery } from '../../workflows/messages.ts';
import * as options from '../../workflows/options.ts';
import { connectToTemporal } from '../support/delivery/connect-temporal.ts';
import { readTemporalAddress } from '../support/environment.ts';
import { eventually } from '../support/eventually.ts';
import { installQuietRuntime } from '../support/quiet-runtime.ts';
import { buildTestBundle } from '../support/workflow-bundle.ts';

type Stub = (input: never) => unknown;
/** The results of the activities, in the order of their calls; the last one repeats. */
const results: Record<string, Stub[]> = {};
const calls: [name: string, input: unknown][] = [];

const NAMES = [
  ...['advanceArticle', 'wakeDeliveries', 'remindAuthor', 'advanceImport', 'sendMail', 'closeMail'],
  ...['openDigest', 'sendDigest', 'closeDigest', 'startDueDigests', 'publishRoundup', 'wakeStalledArticles'],
];
const activities = Object.fromEntries(
  NAMES.map((name) => [
    name,
    async (input: never) => {
      calls.push([name, input]);
      const [next = () => undefined, ...more] = results[name] ?? [];
      if (more.length > 0) results[name] = more;
      return next(input);
    },
  ]),
);

let client: Client;
let taskQueue: string;
let stop: () => Promise<void>;
before(async () => {
  installQuietRuntime();
  const connection = await connectToTemporal();
  await registerSearchAttributes(connection, 'default');
  client = new Client({ connection });
  taskQueue = `results-${randomBytes(6).toString('hex')}`;
  const native = await NativeConnection.connect({ address: readTemporalAddress() });
  const common = { connection: native, activities, namespace: 'default' };
  const workers = await Promise.all([
    Worker.create({ ...common, taskQueue, workflowBundle: { codePath: await buildTestBundle() } }),
    Worker.create({ ...common, taskQueue: buildActivityQueue(taskQueue, 'mails') }),
    Worker.create({ ...common, taskQueue: buildActivityQueue(taskQueue, 'imports') }),
  ]);
  const running = workers.map((worker) => worker.run());
  stop = async () => {
    for (const worker of workers) worker.shutdown();
    await Promise.all(running);
    await native.close();
    await connection.close();
  };
});
after(() => stop());

function start(type: string, args: unknown[], stubs: Record<string, unknown[]> = {}) {
  calls.length = 0;
  for (const name of NAMES) results[name] = [];
  for (const [name, values] of Object.entries(stubs)) {
    results[name] = values.map((value) => (typeof value === 'function' ? (value as Stub) : () => value));
  }
  return client.workflow.start(type, { taskQueue, workflowId: `results-${randomBytes(6).toString('hex')}`, args });
}
async function run(type: string, args: unknown[], stubs: Record<string, unknown[]> = {}) {
  return (await start(type, args, stubs)).result() as Promise<string>;
}
const fail = (message: string) => () => {
  throw ApplicationFailure.nonRetryable(message);
};

const ARTICLE = { articleId: 'a' };
const wake = (...destinations: string[]) => ({ kind: 'wake', destinations });
const scheduled = (more: object) => ({
  ...{ kind: 'wait', destinations: [], scheduledAt: '2050-01-01T00:00:00.000Z', dueInMs: 60_000, remindInMs: null },
  ...more,
});

test('an article wakes its deliveries and ends with their names', async () => {
  const result = await run('articleWorkflow', [ARTICLE], { advanceArticle: [wake('blogsite_a', 'blogsite_b')] });
  assert.equal(result, 'woke blogsite_a, blogsite_b');
  assert.deepEqual(calls, [
    ['advanceArticle', 'a'],
    ['wakeDeliveries', { articleId: 'a', destinations: ['blogsite_a', 'blogsite_b'] }],
  ]);
  assert.equal(await run('articleWorkflow', [ARTICLE], { advanceArticle: [wake()] }), 'no destination to wake');
  assert.deepEqual(calls, [['advanceArticle', 'a']]);
  const deleted = await run('articleWorkflow', [ARTICLE], { advanceArticle: [{ kind: 'deleted' }] });
  assert.equal(deleted, 'the article was deleted');
});

test('a scheduled article shows its time, and is read again when it is due or changed', async () => {
  const due = { advanceArticle: [scheduled({ dueInMs: 1 }), wake()] };
  assert.equal(await run('articleWorkflow', [ARTICLE], due), 'no destination to wake');
  const handle = await start('articleWorkflow', [ARTICLE], { advanceArticle: [scheduled({}), wake('blogsite_a')] });
  const status = await eventually('the status', async () => {
    const shown = await handle.query(statusQuery);
    return shown === 'reading the article' ? null : shown;
  });
  assert.equal(status, 'scheduled for 2050-01-01T00:00:00.000Z');
  await handle.signal(articleChangedSignal);
  assert.equal(await handle.result(), 'woke blogsite_a');
});

test('a reminder runs once for each time, and its failure does not delay the publication', async () => {
  const soon = scheduled({ remindInMs: 1, dueInMs: 5 });
  const moved = { ...soon, scheduledAt: '2051-01-01T00:00:00.000Z' };
  const stubs = { advanceArticle: [soon, moved, moved, wake()], remindAuthor: [fail('No.'), undefined] };
  assert.equal(await run('articleWorkflow', [ARTICLE], stubs), 'no destination to wake');
  const reminders = calls.filter(([name]) => name === 'remindAuthor').map(([, input]) => input);
  assert.deepEqual(reminders, [
    { articleId: 'a', scheduledAt: '2050-01-01T00:00:00.000Z' },
    { articleId: 'a', scheduledAt: '2051-01-01T00:00:00.000Z' },
  ]);
});

test('an import shows its progress, counts failures and ends in its state', async () => {
  const progress = { done: 1, listed: 2, failures: 0 };
  const steps = [
    { kind: 'wait', afterMs: 1, ...progress, failures: 3 },
    { kind: 'continue', ...progress },
    { kind: 'wait', afterMs: 60_000, ...progress, done: 2 },
    { kind: 'ended', state: 'done' },
  ];
  const handle = await start('importWorkflow', [{ importId: 'i', failures: 2 }], { advanceImport: steps });
  const status = await eventually('the last wait', async () => {
    const shown = await handle.query(statusQuery);
    return shown.includes('2 of 2') ? shown : null;
  });
  assert.equal(status, 'waiting for the source, 2 of 2 done');
  await handle.signal(importChangedSignal);
  assert.equal(await handle.result(), 'done');
  assert.equal(await handle.query(statusQuery), 'done');
  const inputs = calls.map(([, input]) => (input as { failures: number }).failures);
  assert.deepEqual(inputs, [2, 3, 0, 0]);
});

const SENT = { kind: 'sent' };
for (const [what, stubs, result] of [
  ['sent', { sendMail: [SENT], closeMail: ['sent'] }, 'sent'],
  [
    'refused',
    { sendMail: [{ kind: 'refused', reason: 'No such box.' }], closeMail: ['refused'] },
    'refused: No such box.',
  ],
  ['deleted', { sendMail: [{ kind: 'deleted' }], closeMail: [null] }, 'deleted'],
  [
    'given up',
    { sendMail: [fail('no server')], closeMail: ['failed'] },
    'failed: Gave up after retrying for a day. Last attempt: no server',
  ],
] satisfies [string, Record<string, unknown[]>, string][]) {
  test(`a mail that is ${what} ends with ${result}`, async () => {
    const handle = await start('mailWorkflow', [{ mailId: 'm' }], stubs);
    assert.equal(await handle.result(), result);
    assert.equal(await handle.query(statusQuery), result);
    const closing = calls.find(([name]) => name === 'closeMail')?.[1] as { mailId: string; outcome: { kind: string } };
    const kind = what === 'given up' ? 'failed' : what;
    assert.deepEqual([closing.mailId, closing.outcome.kind], ['m', kind]);
  });
}

test('a digest is sent and recorded only if it is due', async () => {
  const input = { userId: 'u', date: '2026-11-23' };
  assert.equal(await run('digestWorkflow', [input], { openDigest: [null] }), 'nothing is due');
  assert.deepEqual(calls, [['openDigest', input]]);
  const stubs = { openDigest: [{}], sendDigest: [SENT], closeDigest: ['sent'] };
  assert.equal(await run('digestWorkflow', [input], stubs), 'sent');
  assert.deepEqual(calls, [
    ['openDigest', input],
    ['sendDigest', input],
    ['closeDigest', { ...input, outcome: SENT }],
  ]);
});

test('a digest sweep continues after each page and counts the started digests', async () => {
  const after = { dueAt: '2026-11-23T07:00:00.000Z', userId: 'u' };
  const pages = [
    { started: 2, until: 'then', after },
    { started: 1, until: 'then', after: null },
  ];
  const handle = await start('digestSweepWorkflow', [], { startDueDigests: pages });
  assert.equal(await handle.result(), '3 digests started');
  assert.equal(await handle.query(statusQuery), '3 digests started');
  const inputs = calls.map(([, input]) => input);
  assert.deepEqual(inputs, [
    { until: null, after: null },
    { until: 'then', after },
  ]);
});

test('a roundup and a sweep of stalled articles say what they did', async () => {
  const week = '2026-W47';
  assert.equal(await run('roundupWorkflow', [], { publishRoundup: [{ week, entries: 3 }] }), '2026-W47: 3 featured');
  const [, input] = calls[0] ?? [];
  assert.ok(Math.abs(Date.now() - Date.parse((input as { at: string }).at)) < 60_000);
  const empty = await run('roundupWorkflow', [], { publishRoundup: [{ week, entries: 0 }] });
  assert.equal(empty, '2026-W47: nothing to feature');
  assert.equal(await run('stalledSweepWorkflow', [], { wakeStalledArticles: [2] }), '2 articles were woken');
  assert.equal(await run('stalledSweepWorkflow', [], { wakeStalledArticles: [0] }), 'nothing was stalled');
});

const MS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
/** `5m`, or a number of milliseconds. */
function toMs(duration: unknown): number {
  if (typeof duration === 'number') return duration;
  const [, count, unit = ''] = /^(\d+)(ms|s|m|h)$/.exec(String(duration)) ?? [];
  return Number(count) * (MS[unit] ?? Number.NaN);
}

test('the pauses between the attempts to send a mail add up to a day', () => {
  for (const { retry } of [options.MAIL_OPTIONS, options.AWAITED_MAIL_OPTIONS]) {
    const { initialInterval, backoffCoefficient = 0, maximumInterval, maximumAttempts = 0 } = retry ?? {};
    const pauses = Array.from({ length: maximumAttempts - 1 }, (_, index) =>
      Math.min(toMs(maximumInterval), toMs(initialInterval) * backoffCoefficient ** index),
    );
    const hours = pauses.reduce((sum, pause) => sum + pause, 0) / 3_600_000;
    assert.ok(hours >= 23.5 && hours <= 24.5, `${hours} h`);
  }
});

test('calls to a destination are never repeated by Temporal, and a combined call does not wait in a queue', () => {
  assert.deepEqual(options.DESTINATION_OPTIONS.retry, { maximumAttempts: 1 });
  const { scheduleToStartTimeout, ...combined } = options.PLAN_AND_SEND_OPTIONS;
  assert.deepEqual(combined, options.DESTINATION_OPTIONS);
  assert.ok(toMs(scheduleToStartTimeout) < toMs(combined.startToCloseTimeout));
});

test('records, sweeps and imports are repeated without end, with growing pauses', () => {
  const { RECORD_OPTIONS, LOCAL_RECORD_OPTIONS, SWEEP_OPTIONS, IMPORT_OPTIONS } = options;
  for (const { retry, ...limits } of [RECORD_OPTIONS, LOCAL_RECORD_OPTIONS, SWEEP_OPTIONS, IMPORT_OPTIONS]) {
    const { initialInterval, backoffCoefficient = 0, maximumInterval, maximumAttempts } = retry ?? {};
    assert.ok(toMs(initialInterval) <= 1_000 && backoffCoefficient > 1);
    assert.ok(toMs(maximumInterval) > toMs(initialInterval) && toMs(maximumInterval) <= 60_000);
    assert.equal(maximumAttempts, undefined);
    assert.ok(toMs(limits.startToCloseTimeout) > 0);
    assert.equal('scheduleToCloseTimeout' in limits, false);
  }
});

test('mails that a person waits for precede imports, and imports precede digests', () => {
  const keys = [options.AWAITED_MAIL_OPTIONS, options.IMPORT_OPTIONS, options.MAIL_OPTIONS].map(
    ({ priority }) => priority?.priorityKey ?? 0,
  );
  assert.deepEqual(keys, keys.toSorted());
  assert.equal(new Set(keys).size, 3);
  assert.ok(keys.every((key) => key > 0));
});
