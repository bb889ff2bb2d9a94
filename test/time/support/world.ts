/** The whole of a delivery (API, worker, stand-ins, database) in a time that jumps. */
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery.ts';
import { eventually } from '../../support/eventually.ts';
import { startTimeMachine, type TimeMachine } from './time-machine.ts';

export interface TimedWorld extends DeliveryWorld, Pick<TimeMachine, 'now' | 'pass'> {
  /** Resolves when the actors were told of all that changed; only then may time pass. */
  settled(): Promise<void>;
  /** Lets time pass until this actor has ended. */
  ends(workflowId: string): Promise<string>;
}

export async function startTimedWorld(options: { pacing?: boolean } = {}): Promise<TimedWorld> {
  const machine = await startTimeMachine();
  const { environment, now, database } = machine;
  const world = await startDeliveryWorld({
    ...options,
    api: { now, databaseUrl: database.url },
    sandbox: { now },
    deps: { now },
    temporal: environment,
  }).catch(async (error: unknown) => {
    await machine.close();
    throw error;
  });
  return {
    ...world,
    now,
    pass: machine.pass,
    async settled() {
      await eventually('the outbox to be empty', async () => {
        const left = await world.api.db.selectFrom('outbox').select('id').execute();
        return left.length === 0;
      });
    },
    ends: (workflowId) => world.client.workflow.getHandle(workflowId).result(),
    async close() {
      await world.close();
      await machine.close();
    },
  };
}
