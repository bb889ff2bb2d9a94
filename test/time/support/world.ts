/** All parts of a delivery (API, worker, sandbox, database) on the skipping clock. */
import { Client } from '@temporalio/client';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import { readEnd } from '../../support/delivery/publishing.ts';
import { eventually } from '../../support/eventually.ts';
import { startTimeMachine, type TimeMachine } from './time-machine.ts';

export interface TimedWorld extends DeliveryWorld, Pick<TimeMachine, 'now' | 'pass'> {
  /**
   * Resolves when the outbox is empty, so all workflows are signalled. Time may advance only then.
   */
  waitForEmptyOutbox(): Promise<void>;
  /** Advances time until this workflow ends. */
  ends(workflowId: string, within: string): Promise<string>;
}

export async function startTimedWorld(options: { pacing?: boolean } = {}): Promise<TimedWorld> {
  const machine = await startTimeMachine();
  const { now, database } = machine;
  const { address, connection, nativeConnection } = machine.environment;
  // Does not use the client of the environment: while it waits for a result, it unlocks the clock,
  // which advances ten years when nothing is due.
  const client = new Client({ connection });
  const world = await startDeliveryWorld({
    ...options,
    api: { now, databaseUrl: database.url },
    sandbox: { now },
    deps: { now },
    temporal: { address, connection, nativeConnection, client },
  }).catch(async (error: unknown) => {
    await machine.close();
    throw error;
  });
  return {
    ...world,
    now,
    pass: machine.pass,
    async waitForEmptyOutbox() {
      await eventually('the outbox to be empty', async () => {
        const remaining = await world.api.db.selectFrom('outbox').select('id').execute();
        return remaining.length === 0;
      });
    },
    async ends(workflowId, within) {
      await machine.pass(within);
      return readEnd(client, workflowId);
    },
    async close() {
      await world.close();
      await machine.close();
    },
  };
}
