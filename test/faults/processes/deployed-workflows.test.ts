/**
 * Deploys workflows with an additional step while runs are open. One worker runs this code, and
 * another one runs a copy with the step.
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

/** The fault of each article's first create keeps its run open until the new code starts. */
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
  addStep(root, 'workflows/delivery.ts', 'const { planned, outcome, isLost } = await executePlan(');
  const world = await startDeliveryWorld({ worker: false });
  closers.push(() => world.close());
  const env = { DELIVERY_PACING: 'off', LATE_REQUEST_SECONDS: '1' };
  const oldWorker = prepareWorker(world, { env });
  const newWorker = prepareWorker(world, { env, root });
  closers.push(() => Promise.all([oldWorker.kill(), newWorker.kill()]));
  await oldWorker.start();

  const findable = listPlatforms(({ destination }) => destination.limits.canFind);
  const cases = STATES.flatMap(([state, fault]) =>
    findable.map((platformCase) => ({
      ...platformCase,
      title: `${state}, at ${platformCase.platform}`,
      fault: buildFaultAt(platformCase, fault),
    })),
  );
  await world.faults(cases.map(({ fault }) => fault));
  const published = await publishAll(
    world,
    cases.map(({ fault: _, ...platformCase }) => platformCase),
  );
  const scheduled = await Promise.all(findable.map((platformCase) => scheduleAt(world, platformCase)));
  await waitForFaults(world);
  await newWorker.start();
  assert.equal(await oldWorker.stop(), 0);
  await assertOneEach(world, [...published, ...scheduled], WITHIN_MS);

  const actors = [
    ...[...published, ...scheduled].map(({ id, key }) => buildDeliveryWorkflowId(id, key)),
    ...scheduled.map(({ id }) => buildArticleWorkflowId(id)),
  ];
  for (const actor of actors) assert.deepEqual(await listTaskFailures(world, actor), [], actor);
  // New runs use the new step.
  const [platformCase] = findable as [(typeof findable)[number]];
  const later = await publishAt(world, platformCase, await createAuthorAt(world, platformCase), 'Published afterwards');
  await assertOneEach(world, [later], WITHIN_MS);
  assert.ok(await hasNewStep(world, buildDeliveryWorkflowId(later.id, later.key)));
});

/** Copies the code of a worker; installed packages are shared. */
function copyCode(): string {
  const repository = resolve(fileURLToPath(new URL('../../..', import.meta.url)));
  const root = mkdtempSync(join(tmpdir(), 'courant-next-'));
  const excluded = /^(node_modules|\.git|test.*|docs|bench|browser|cli|examples|action|scripts)$/;
  cpSync(repository, root, {
    recursive: true,
    filter: (path) => dirname(path) !== repository || !excluded.test(basename(path)),
  });
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'));
  return root;
}

/**
 * Inserts a timer before the line with a patch marker, as docs/internals/workflows.md describes.
 */
function addStep(root: string, file: string, line: string): void {
  const path = join(root, file);
  const code = readFileSync(path, 'utf8');
  assert.equal(code.split(line).length, 2, `${file} has one line with “${line}”`);
  const changed = code.replace(line, `if (patched('another-step')) await sleep(50);\n    ${line}`);
  writeFileSync(path, `import { patched, sleep } from '@temporalio/workflow';\n${changed}`);
}

async function scheduleAt(
  world: DeliveryWorld,
  platformCase: Parameters<typeof createAuthorAt>[1],
): Promise<PublishedAt> {
  const author = await createAuthorAt(world, platformCase);
  const title = `scheduled, at ${platformCase.platform}`;
  const content = markdown({
    title,
    scheduled_at: new Date(Date.now() + SCHEDULED_IN_MS).toISOString(),
    cross_post: { blogsite_a: false, blogsite_b: false, [platformCase.key]: true },
  });
  const { body } = await world.api.publish({ content }, { token: author.token });
  assert.equal(body.data?.status, 'SCHEDULED');
  return { ...platformCase, author, title, id: body.data.id };
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
