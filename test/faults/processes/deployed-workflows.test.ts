/**
 * A deploy of workflows with an additional step while runs are open: a second copy of the code, and
 * a worker from each.
 */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { buildArticleWorkflowId, buildDeliveryWorkflowId } from '../../../temporal/names.ts';
import { markdown } from '../../support/api/api.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import {
  assertOneEach,
  buildFaultAt,
  createAuthorAt,
  type FaultAt,
  listPlatforms,
  type PublishedAt,
  publishAll,
  publishAt,
} from '../../support/delivery/platforms.ts';
import { waitForFaults } from '../../support/delivery/publishing.ts';
import { prepareWorker } from '../../support/delivery/worker-process.ts';
import { eventually } from '../../support/eventually.ts';

const WITHIN_MS = 240_000;
/** Longer than the start of two workers on a busy machine. */
const SCHEDULED_IN_MS = 60_000;

/** The fault of the first create per article, so that its run is open when the new code starts. */
const STATES: [state: string, fault: FaultAt][] = [
  ['backing off', { action: 'create', status: 503 }],
  ['waiting for a slot', { action: 'create', status: 429, headers: { 'retry-after': '20' } }],
  ['sending', { action: 'create', delayMs: 5_000 }],
];

test('workflows with an additional step are deployed while runs are open: the new worker completes all without replay failures (F17)', async (t) => {
  const closers: (() => unknown)[] = [];
  t.after(async () => {
    for (const close of closers.reverse()) await close();
  });
  const root = copyCode();
  closers.push(() => rmSync(root, { recursive: true, force: true }));
  addStep(root, 'workflows/article.ts', 'const next = await advanceArticle(');
  addStep(root, 'workflows/delivery.ts', 'const { planned, outcome, isLost } = await takeStep(');
  const world = await startDeliveryWorld({ worker: false });
  closers.push(() => world.close());
  const env = { DELIVERY_PACING: 'off', LATE_REQUEST_SECONDS: '1' };
  const old = prepareWorker(world, { env });
  const next = prepareWorker(world, { env, root });
  closers.push(() => Promise.all([old.kill(), next.kill()]));
  await old.start();

  const looksUp = listPlatforms(({ destination }) => destination.limits.canFind);
  const cases = STATES.flatMap(([state, fault]) =>
    looksUp.map((one) => ({ ...one, title: `${state}, at ${one.platform}`, fault: buildFaultAt(one, fault) })),
  );
  await world.faults(cases.map(({ fault }) => fault));
  const published = await publishAll(
    world,
    cases.map(({ fault: _, ...one }) => one),
  );
  const scheduled = await Promise.all(looksUp.map((one) => scheduleAt(world, one)));
  await waitForFaults(world);
  await next.start();
  assert.equal(await old.stop(), 0);
  await assertOneEach(world, [...published, ...scheduled], WITHIN_MS);

  const actors = [
    ...[...published, ...scheduled].map(({ id, key }) => buildDeliveryWorkflowId(id, key)),
    ...scheduled.map(({ id }) => buildArticleWorkflowId(id)),
  ];
  for (const actor of actors) assert.deepEqual(await listTaskFailures(world, actor), [], actor);
  // New runs use the new step.
  const [one] = looksUp as [(typeof looksUp)[number]];
  const later = await publishAt(world, one, await createAuthorAt(world, one), 'Published afterwards');
  await assertOneEach(world, [later], WITHIN_MS);
  assert.ok(await hasNewStep(world, buildDeliveryWorkflowId(later.id, later.key)));
});

/** Copies the code of a worker; installed packages are shared. */
function copyCode(): string {
  const here = resolve(fileURLToPath(new URL('../../..', import.meta.url)));
  const root = mkdtempSync(join(tmpdir(), 'courant-next-'));
  const excluded = /^(node_modules|\.git|test.*|docs|bench|browser|cli|examples|action|scripts)$/;
  cpSync(here, root, {
    recursive: true,
    filter: (path) => dirname(path) !== here || !excluded.test(basename(path)),
  });
  symlinkSync(join(here, 'node_modules'), join(root, 'node_modules'));
  return root;
}

/** Inserts a timer before the line for runs that have not reached it, as in docs/workflows.md. */
function addStep(root: string, file: string, line: string): void {
  const path = join(root, file);
  const code = readFileSync(path, 'utf8');
  assert.equal(code.split(line).length, 2, `${file} has one line with “${line}”`);
  const changed = code.replace(line, `if (patched('another-step')) await sleep(50);\n    ${line}`);
  writeFileSync(path, `import { patched, sleep } from '@temporalio/workflow';\n${changed}`);
}

async function scheduleAt(world: DeliveryWorld, one: Parameters<typeof createAuthorAt>[1]): Promise<PublishedAt> {
  const author = await createAuthorAt(world, one);
  const title = `scheduled, at ${one.platform}`;
  const content = markdown({
    title,
    scheduled_at: new Date(Date.now() + SCHEDULED_IN_MS).toISOString(),
    cross_post: { blogsite_a: false, blogsite_b: false, [one.key]: true },
  });
  const { body } = await world.api.publish({ content }, { token: author.token });
  assert.equal(body.data?.status, 'SCHEDULED');
  return { ...one, author, title, id: body.data.id };
}

/** A run ends a moment after its last record. */
async function readHistory({ client }: DeliveryWorld, workflowId: string) {
  const handle = client.workflow.getHandle(workflowId);
  await eventually('the run to end', async () => (await handle.describe()).status.name === 'COMPLETED', {
    withinMs: WITHIN_MS,
  });
  return (await handle.fetchHistory()).events ?? [];
}

async function listTaskFailures(world: DeliveryWorld, workflowId: string): Promise<string[]> {
  const events = await readHistory(world, workflowId);
  return events.flatMap(({ workflowTaskFailedEventAttributes: failed }) => failed?.failure?.message ?? []);
}

async function hasNewStep(world: DeliveryWorld, workflowId: string): Promise<boolean> {
  const events = await readHistory(world, workflowId);
  return events.some(({ markerRecordedEventAttributes: marker }) => marker?.markerName === 'core_patch');
}
