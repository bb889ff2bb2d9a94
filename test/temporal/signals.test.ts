/** The requests by which the API and the worker start and signal workflows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import { ACTIVITY_QUEUES, buildActivityQueue, FAILURE_TYPES, isDeliveryFailure } from '../../temporal/names.ts';
import {
  signalArticle,
  signalCommand,
  signalDeliveries,
  signalImport,
  signalRunning,
  startDigest,
  startMail,
  type WorkflowTarget,
} from '../../temporal/signals.ts';
import { buildAuthorQuery, buildQueryUrl, SAVED_QUERIES } from '../../temporal/visibility/saved-queries.ts';

const STARTED = new WorkflowExecutionAlreadyStartedError('running', 'id', 'type');
const MISSING = new WorkflowNotFoundError('none', 'id', undefined);
const AWAY = new Error('away');

/** Collects the requests of a client with a `start` and `signal` that fail with `error`. */
function createTarget(error: Error | null = null) {
  const requests: unknown[] = [];
  const fail = () => {
    if (error) throw error;
  };
  const workflow = {
    async signalWithStart(type: string, options: object) {
      requests.push({ signalWithStart: type, ...readable(options) });
    },
    async start(type: string, options: object) {
      requests.push({ start: type, ...readable(options) });
      fail();
    },
    getHandle: (workflowId: string) => ({
      async signal(name: string) {
        requests.push({ workflowId, signal: name });
        fail();
      },
    }),
  };
  return { requests, target: { client: { workflow }, taskQueue: 'queue' } as unknown as WorkflowTarget };
}

function readable({
  typedSearchAttributes,
  ...options
}: {
  typedSearchAttributes?: { key: { name: string; type: string }; value: string }[];
}) {
  const attributes = typedSearchAttributes?.map(({ key, value }) => [`${key.name} (${key.type})`, value]) ?? [];
  return { ...options, attributes: Object.fromEntries(attributes) };
}

const ARTICLE = {
  ...{ articleId: 'a1', isPublic: true, slug: 'a-slug', title: 'A title', username: 'ada', authorName: 'Ada' },
  platforms: { cms_site: 'ghost' },
};
const DELIVERY = {
  ...{ taskQueue: 'queue', workflowId: 'delivery/a1/cms_site', staticSummary: 'Ada: A title → Ghost' },
  args: [{ articleId: 'a1', destination: 'cms_site' }],
  attributes: {
    'CourantAuthor (KEYWORD)': 'ada',
    'CourantSlug (KEYWORD)': 'a-slug',
    'CourantDestination (KEYWORD)': 'cms_site',
    'CourantOutcome (KEYWORD)': 'sending',
  },
};

test('a changed article signals its workflow, or starts it', async () => {
  const { target, requests } = createTarget();
  await signalArticle(target, ARTICLE);
  assert.deepEqual(requests, [
    {
      ...{
        signalWithStart: 'articleWorkflow',
        taskQueue: 'queue',
        workflowId: 'article/a1',
        args: [{ articleId: 'a1' }],
      },
      ...{ signal: 'articleChanged', signalArgs: [], staticSummary: 'Ada: A title' },
      attributes: { 'CourantAuthor (KEYWORD)': 'ada', 'CourantSlug (KEYWORD)': 'a-slug' },
    },
  ]);
});

test('a delivery starts without a signal, and is signalled only if it is running', async () => {
  const start = { start: 'deliveryWorkflow', ...DELIVERY, workflowIdConflictPolicy: 'FAIL' };
  const idle = createTarget();
  await signalDeliveries(idle.target, ARTICLE, ['cms_site']);
  assert.deepEqual(idle.requests, [start]);
  for (const [isPublic, signal] of [
    [true, 'deliver'],
    [false, 'withdraw'],
  ] as const) {
    const running = createTarget(STARTED);
    await signalDeliveries(running.target, { ...ARTICLE, isPublic }, ['cms_site']);
    const signalled = { signalWithStart: 'deliveryWorkflow', ...DELIVERY, signal, signalArgs: [] };
    assert.deepEqual(running.requests, [start, signalled]);
  }
  await assert.rejects(signalDeliveries(createTarget(AWAY).target, ARTICLE, ['cms_site']), AWAY);
  const several = createTarget();
  await signalDeliveries(several.target, ARTICLE, ['blogsite_a', 'blogsite_b']);
  const ids = (several.requests as { workflowId: string }[]).map(({ workflowId }) => workflowId);
  assert.deepEqual(ids, ['delivery/a1/blogsite_a', 'delivery/a1/blogsite_b']);
});

test('a command signals its delivery, or starts it', async () => {
  const { target, requests } = createTarget();
  await signalCommand(target, { ...ARTICLE, destination: 'cms_site' });
  const command = { signal: 'command', signalArgs: [] };
  assert.deepEqual(requests, [{ signalWithStart: 'deliveryWorkflow', ...DELIVERY, ...command }]);
});

test('a running delivery can be woken; one that is not running is not an error', async () => {
  const delivery = { articleId: 'a1', destination: 'cms_site' } as const;
  const { target, requests } = createTarget();
  assert.equal(await signalRunning(target, delivery), true);
  assert.deepEqual(requests, [{ workflowId: 'delivery/a1/cms_site', signal: 'command' }]);
  assert.equal(await signalRunning(createTarget(MISSING).target, delivery), false);
  await assert.rejects(signalRunning(createTarget(AWAY).target, delivery), AWAY);
});

test('an import signals its workflow, or starts it, at a low priority', async () => {
  const { target, requests } = createTarget();
  await signalImport(target, { importId: 'i1', source: 'feed', username: 'ada' });
  assert.deepEqual(requests, [
    {
      ...{ signalWithStart: 'importWorkflow', taskQueue: 'queue', workflowId: 'import/i1' },
      ...{ args: [{ importId: 'i1', failures: 0 }], signal: 'importChanged', signalArgs: [] },
      ...{ priority: { priorityKey: 4 }, staticSummary: 'ada: import from feed' },
      attributes: { 'CourantAuthor (KEYWORD)': 'ada', 'CourantOutcome (KEYWORD)': 'pending' },
    },
  ]);
});

test('a mail starts once: repeating the request is not an error', async () => {
  const mail = {
    ...{ start: 'mailWorkflow', taskQueue: 'queue', workflowId: 'mail/m1', args: [{ mailId: 'm1' }] },
    ...{ workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY', workflowIdConflictPolicy: 'USE_EXISTING' },
    ...{ staticSummary: 'mail: reset_password', attributes: { 'CourantOutcome (KEYWORD)': 'pending' } },
  };
  for (const error of [null, STARTED]) {
    const { target, requests } = createTarget(error);
    await startMail(target, { mailId: 'm1', kind: 'reset_password' });
    assert.deepEqual(requests, [mail]);
  }
  await assert.rejects(startMail(createTarget(AWAY).target, { mailId: 'm1', kind: 'reset_password' }), AWAY);
});

test('a digest starts once per author and day, at the lowest priority', async () => {
  const digest = { userId: 'u1', username: 'ada', date: '2026-11-23' };
  const { target, requests } = createTarget();
  assert.equal(await startDigest(target, digest, 'ALLOW_DUPLICATE'), true);
  assert.deepEqual(requests, [
    {
      ...{ start: 'digestWorkflow', taskQueue: 'queue', workflowId: 'digest/u1/2026-11-23' },
      ...{ workflowIdReusePolicy: 'ALLOW_DUPLICATE', workflowIdConflictPolicy: 'FAIL', priority: { priorityKey: 5 } },
      ...{ args: [{ userId: 'u1', date: '2026-11-23' }], staticSummary: 'ada: digest of 2026-11-23' },
      attributes: { 'CourantAuthor (KEYWORD)': 'ada', 'CourantOutcome (KEYWORD)': 'pending' },
    },
  ]);
  assert.equal(await startDigest(createTarget(STARTED).target, digest, 'ALLOW_DUPLICATE'), false);
  await assert.rejects(startDigest(createTarget(AWAY).target, digest, 'ALLOW_DUPLICATE'), AWAY);
});

test('each kind of activity has a queue, and each failed outcome a type by which the log finds it', () => {
  const queues = ACTIVITY_QUEUES.map((kind) => buildActivityQueue('courant', kind));
  assert.deepEqual(queues, ['courant-deliveries', 'courant-mails', 'courant-imports']);
  assert.deepEqual(FAILURE_TYPES, { failed: 'DeliveryFailed', unknown: 'DeliveryUnknown' });
  for (const message of ['failed: No.', 'unknown: Why.']) assert.equal(isDeliveryFailure(message), true);
  for (const message of ['it failed: No.', 'failed', 'held: No.']) assert.equal(isDeliveryFailure(message), false);
});

test('saved queries find the deliveries of an outcome or an author in the Temporal UI', () => {
  const queries = SAVED_QUERIES.map(({ name, query }) => [
    name,
    query.replace('WorkflowType = "deliveryWorkflow" and ', ''),
  ]);
  assert.deepEqual(Object.fromEntries(queries), {
    Failed: 'CourantOutcome = "failed" and ExecutionStatus = "Failed"',
    Unknown: 'CourantOutcome = "unknown" and ExecutionStatus = "Failed"',
    Retrying: 'CourantOutcome = "retrying" and ExecutionStatus = "Running"',
    Waiting: 'CourantOutcome = "waiting" and ExecutionStatus = "Running"',
    Held: 'CourantOutcome = "held" and ExecutionStatus = "Completed"',
  });
  assert.deepEqual(buildAuthorQuery('ada'), { name: 'Of ada', query: 'CourantAuthor = "ada"' });
  assert.equal(
    buildQueryUrl('http://ui/namespaces/n', 'a = "b"'),
    'http://ui/namespaces/n/workflows?query=a%20%3D%20%22b%22',
  );
});
