/** Waits until the outbox is empty and no article or delivery workflow is running. */
import { eventually } from '../../support/eventually.ts';
import type { Cluster } from './cluster.ts';

/** A look-up after a crash takes the platform's read lag. LinkedIn's repeat takes minutes. */
const WITHIN_MS = 240_000;

export async function waitUntilQuiet({ world }: Cluster): Promise<void> {
  const { api, client } = world;
  await eventually(
    'everything to come to its end',
    async () => {
      const outbox = await api.db.selectFrom('outbox').select('id').limit(1).execute();
      const { count } = await client.workflow.count(
        `ExecutionStatus = 'Running' and WorkflowType in ('articleWorkflow', 'deliveryWorkflow')`,
      );
      return outbox.length === 0 && count === 0;
    },
    { withinMs: WITHIN_MS, everyMs: 1_000 },
  );
}
