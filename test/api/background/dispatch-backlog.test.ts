/** A backlog of the outbox, some entries of which fail. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { startDispatcher } from '../../../api/background/dispatcher.ts';
import type { WorkflowTarget } from '../../../temporal/signals.ts';
import { addPerson } from '../../support/api/readership.ts';
import { openTestDatabase } from '../../support/environment.ts';
import { eventually } from '../../support/eventually.ts';

test('one failing entry per batch does not delay the rest of a backlog', async (t) => {
  const database = await openTestDatabase();
  t.after(() => database.close());
  const { db } = database;
  const [userId, now] = [await addPerson(db), new Date()];
  const mail = { kind: 'confirm_email', userId, email: 'somebody@example.org', createdAt: now, at: now } as const;
  const mails = await db.insertInto('mails').values(Array(100).fill(mail)).returning('id').execute();
  const mailIds = mails.map(({ id }) => id);
  await db
    .insertInto('outbox')
    .values(mailIds.map((mailId) => ({ mailId })))
    .execute();
  // Four of these entries fail, each in a batch of its own.
  const failing = new Set(mailIds.filter((_, index) => index % 20 === 0).slice(0, 4));
  const started: string[] = [];
  const client = {
    withAbortSignal: (_signal: AbortSignal, signalEntry: () => Promise<void>) => signalEntry(),
    workflow: {
      async start(_type: string, { args: [{ mailId }] }: { args: [{ mailId: string }] }) {
        if (failing.has(mailId)) throw new Error('this workflow cannot be started');
        started.push(mailId);
      },
    },
  };
  const actors = { client, taskQueue: 'unused' } as unknown as WorkflowTarget;
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const dispatcher = startDispatcher({ db, actors, log });
  t.after(() => dispatcher.stop());
  // Less than one sweep: without a further nudge, each partly failed batch waited for the next one.
  await eventually('the other entries', async () => started.length === 96, { withinMs: 3_000 });
  assert.equal(new Set(started).size, 96);
  const left = await db.selectFrom('outbox').select(['mailId', 'leasedUntil']).execute();
  assert.deepEqual(new Set(left.map(({ mailId }) => mailId)), failing);
  for (const { leasedUntil } of left) assert.ok(leasedUntil, 'it waits alone');
  const warnings = lines.map((line) => JSON.parse(line) as { waiting: number; reason: string; msg: string });
  for (const { waiting, reason, msg } of warnings) {
    const expected = 'failed to signal some workflows; their entries stay in the outbox';
    assert.deepEqual([waiting, reason, msg], [1, 'this workflow cannot be started', expected]);
  }
  assert.equal(warnings.length, 4);
});
