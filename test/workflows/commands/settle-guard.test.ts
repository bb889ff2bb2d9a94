/**
 * Tests that an attempt that may still be running cannot be settled, even after another command.
 */
import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import type { DestinationKey } from '../../../article/types.ts';
import { type Command, sendCommand } from '../../support/api/graphql.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import { createHeldAnswers } from '../../support/delivery/held-answers.ts';
import {
  buildFault,
  countCreates,
  createConnectedAuthor,
  listActions,
  publishArticle,
  waitForDeliveryEnd,
  waitForOutbox,
} from '../../support/delivery/publishing.ts';
import { readDelivery, waitForState } from '../../support/delivery/seen-deliveries.ts';

const answers = createHeldAnswers();
let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld({ deps: { findDestination: answers.findDestination } });
});
after(() => world.close());

/** Creates the post; `end` passes its answer on, or the loss of the answer. */
async function startCreate(context: TestContext, title: string, destination: DestinationKey, isAnswered: boolean) {
  const author = await createConnectedAuthor(world, destination);
  await world.faults(isAnswered ? [] : [buildFault('create', { platform: destination, drop: 'after' })]);
  const answer = answers.holdNext(context);
  const selected = { blogsite_a: false, blogsite_b: false, [destination]: true };
  const { id } = await publishArticle(world, author, { title, cross_post: selected });
  await answer.isHeld();
  const runCommand = (command: Command, url?: string) =>
    sendCommand(world.api, author.id, command, { articleId: id, destination, ...(url ? { url } : {}) });
  const end = async () => {
    await waitForOutbox(world, id);
    answer.release();
  };
  return { author, id, destination, title, runCommand, end };
}

type Started = Awaited<ReturnType<typeof startCreate>>;

/** The URL of the only post with this title. */
async function findPostUrl(title: string): Promise<string> {
  const creates = (await world.log(title)).filter(({ action }) => action === 'create');
  assert.equal(creates.length, 1);
  return `${world.sandboxUrl}/medium/@demo/a-post-${creates[0]?.remoteId}`;
}

async function settleAtOnce({ runCommand }: Started) {
  const answers = [
    await runCommand('settle'),
    await runCommand('settle', 'https://medium.com/@demo/a-post-0123456789ab'),
  ];
  return answers.map(({ code }) => code);
}

const REFUSED = ['STILL_TRYING', 'STILL_TRYING'];

test('skip during a create at Medium does not make it settleable, and its post is recorded once (F38)', async (context) => {
  const started = await startCreate(context, 'Skipped, then settled', 'blogsite_c', true);
  await started.runCommand('skip');
  assert.deepEqual(await settleAtOnce(started), REFUSED);
  await started.end();
  await waitForDeliveryEnd(world, started.id, 'blogsite_c');
  const delivery = await waitForState(world, started, 'delivered');
  assert.ok(delivery.remoteUrl);
  assert.equal(await countCreates(world, started.title), 1);
  const events = (await world.notifications(started.author)).map(({ type }) => type);
  assert.deepEqual(events, ['CROSS_POST_SUCCESS']);
});

test('withdraw during a create at Medium does not make it settleable, and the author is notified of the copy (F38)', async (context) => {
  const started = await startCreate(context, 'Withdrawn, then settled', 'blogsite_c', true);
  await started.runCommand('withdraw');
  assert.deepEqual(await settleAtOnce(started), REFUSED);
  await started.end();
  await waitForDeliveryEnd(world, started.id, 'blogsite_c');
  assert.equal(await countCreates(world, started.title), 1);
  const delivery = await readDelivery(world, started);
  assert.ok(delivery?.remoteUrl, JSON.stringify(delivery));
  assert.equal(delivery.errorCode, 'cannot_withdraw');
  const events = await world.notifications(started.author);
  assert.ok(
    events.some(({ payload }) => JSON.stringify(payload).includes(delivery.remoteUrl ?? '?')),
    JSON.stringify(events),
  );
});

test('overwrite during a create at Medium does not make it settleable (F38)', async (context) => {
  const started = await startCreate(context, 'Overwritten, then settled', 'blogsite_c', true);
  await started.runCommand('overwrite');
  assert.deepEqual(await settleAtOnce(started), REFUSED);
  await started.end();
  await waitForState(world, started, 'delivered');
  assert.equal(await countCreates(world, started.title), 1);
});

for (const command of ['skip', 'withdraw'] as const) {
  test(`${command} during a create with a lost answer at Medium allows to settle it only when it is unknown (F38)`, async (context) => {
    const started = await startCreate(context, `Lost after ${command}`, 'blogsite_c', false);
    await started.runCommand(command);
    assert.deepEqual(await settleAtOnce(started), REFUSED);
    await started.end();
    await waitForState(world, started, 'unknown');
    await waitForDeliveryEnd(world, started.id, 'blogsite_c');
    const url = await findPostUrl(started.title);
    assert.equal((await started.runCommand('settle', url)).code, undefined);
    await waitForDeliveryEnd(world, started.id, 'blogsite_c');
    assert.equal((await readDelivery(world, started))?.remoteUrl, url);
    assert.equal(await countCreates(world, started.title), 1);
  });
}

test('skip during a create at LinkedIn does not make it settleable, and the copy is recorded (F38)', async (context) => {
  const started = await startCreate(context, 'Skipped at LinkedIn', 'social_feed', true);
  await started.runCommand('skip');
  assert.equal((await started.runCommand('settle')).code, 'STILL_TRYING');
  await started.end();
  await waitForDeliveryEnd(world, started.id, 'social_feed');
  const delivery = await waitForState(world, started, 'delivered');
  assert.ok(delivery.remoteUrl);
  assert.equal(delivery.errorCode, null);
  assert.deepEqual(
    (await world.notifications(started.author)).map(({ type }) => type),
    ['CROSS_POST_SUCCESS'],
  );
});

test('withdraw during a create at LinkedIn does not make it settleable, and the copy is withdrawn (F38)', async (context) => {
  const started = await startCreate(context, 'Withdrawn at LinkedIn', 'social_feed', true);
  await started.runCommand('withdraw');
  assert.equal((await started.runCommand('settle')).code, 'STILL_TRYING');
  await started.end();
  await waitForDeliveryEnd(world, started.id, 'social_feed');
  assert.deepEqual(await listActions(world, started.title), ['create', 'withdraw']);
  const delivery = await readDelivery(world, started);
  assert.ok(!/duplicate/.test(delivery?.errorCode ?? ''), JSON.stringify(delivery));
});
