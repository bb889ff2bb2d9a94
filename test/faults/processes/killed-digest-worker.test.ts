/** Tests that each author gets at most one mail when a digest worker is killed. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { addPageView } from '../../support/add-page-view.ts';
import { type DigestWorld, startDigestWorld, waitForMails } from '../../support/api/digest.ts';
import { addArticle, addPerson } from '../../support/api/readership.ts';
import { eventually } from '../../support/eventually.ts';
import { spawnDigestWorker } from './digest-worker.ts';

const DATE = '2026-11-23';
const AUTHORS = 20;
/** A worker starts slowly while other tests run. */
const MAX_WAIT_MS = 240_000;

let world: DigestWorld;
let worker: ChildProcess | undefined;
before(async () => {
  world = await startDigestWorld({ worker: false });
});
after(async () => {
  await kill();
  await world.close();
});

async function startWorker(): Promise<void> {
  worker = await spawnDigestWorker(world, new Date('2026-11-23T08:30:00Z'));
}

async function kill(): Promise<void> {
  if (!worker || worker.exitCode !== null || worker.signalCode !== null) return;
  worker.kill('SIGKILL');
  await once(worker, 'exit');
}

async function dueAuthors(): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < AUTHORS; n++) {
    const id = await addPerson(world.db, 'Due', new Date('2026-11-20T00:00:00Z'));
    const { id: articleId } = await addArticle(world.db, id);
    await addPageView(world.db, { articleId, views: 1, readingSeconds: 0, now: new Date('2026-11-18T00:00:00Z') });
    ids.push(id);
  }
  return ids;
}

async function startSweep(): Promise<void> {
  const workflowId = `sweep-${world.taskQueue}-${Date.now()}`;
  await world.client.workflow.start('digestSweepWorkflow', { taskQueue: world.taskQueue, workflowId, args: [] });
}

async function listStates(ids: string[]): Promise<string[]> {
  const rows = await world.db.selectFrom('digests').select('state').where('userId', 'in', ids).execute();
  return [...new Set(rows.map(({ state }) => state))];
}

async function allEnd(ids: string[]): Promise<void> {
  await Promise.all(ids.map((id) => eventuallyEnds(id)));
}

/** The sweep may not have started it yet. */
function eventuallyEnds(id: string): Promise<string> {
  return eventually(
    'the digest to end',
    async () => {
      const digest = await world.readDigest(id, DATE);
      return digest && digest.state !== 'pending' && digest.state !== 'sending' ? world.waitForDigest(id, DATE) : null;
    },
    { withinMs: MAX_WAIT_MS },
  );
}

test('a worker killed during twenty mail exchanges sends each author exactly one mail (F25)', async () => {
  const ids = await dueAuthors();
  const never = new Promise<null>(() => undefined);
  world.smtp.onRecipient = () => never;
  await startWorker();
  await startSweep();
  await eventually('all exchanges to begin', async () => world.smtp.begun.length === AUTHORS, {
    withinMs: MAX_WAIT_MS,
  });
  await kill();
  assert.equal(world.smtp.mails.length, 0);
  world.smtp.onRecipient = () => null;
  await startWorker();
  await allEnd(ids);
  assert.equal(new Set(world.smtp.mails.map(({ to }) => to)).size, AUTHORS);
  assert.equal(world.smtp.mails.length, AUTHORS);
  assert.deepEqual(await listStates(ids), ['sent']);
});

test('a worker killed after all mails were accepted without an answer sends no second mail (F25)', async () => {
  const ids = await dueAuthors();
  world.smtp.mails.length = 0;
  world.smtp.beforeAnswer = () => new Promise(() => undefined);
  await startSweep();
  await waitForMails(world, AUTHORS, MAX_WAIT_MS);
  await kill();
  world.smtp.beforeAnswer = async () => undefined;
  await startWorker();
  await allEnd(ids);
  assert.equal(new Set(world.smtp.mails.map(({ to }) => to)).size, AUTHORS);
  assert.equal(world.smtp.mails.length, AUTHORS);
  assert.deepEqual(await listStates(ids), ['unknown']);
});
