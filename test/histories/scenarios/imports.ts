/** Scenarios of imports: completed, waiting for the source, and cancelled by the author. */

import { foremSource } from '../../../sources/forem.ts';
import { loadImport } from '../../../store/imports/progress.ts';
import { cancelImport, startImport } from '../../../store/imports/start-import.ts';
import { buildImportWorkflowId } from '../../../temporal/names.ts';
import { signalImport } from '../../../temporal/signals.ts';
import type { DeliveryWorld, Fault } from '../../support/delivery/delivery.ts';
import { eventually } from '../../support/eventually.ts';
import type { Run, Scenario } from './story.ts';

let authors = 0;

export function createImportScenarios(world: DeliveryWorld): Scenario[] {
  const { client, api } = world;
  const { db, taskQueue } = api;

  async function startTestImport(...faults: Fault[]): Promise<{ importId: string; userId: string; username: string }> {
    const { id: userId, username } = await api.createAuthor(`importing-${++authors}`);
    await world.faults(faults);
    const identifier = `${world.sandboxUrl}/forem/second`;
    const place = foremSource.readPlace(identifier, null);
    if ('problem' in place) throw new Error(place.problem);
    const options = { mostItems: 1, since: null, asDraft: false, dryRun: false, images: 'keep' } as const;
    const { id } = await startImport(db, {
      userId,
      source: 'blogsite_a',
      identifier,
      place,
      ...options,
      now: new Date(),
    });
    await signalImport({ client, taskQueue }, { importId: id, source: 'blogsite_a', username });
    return { importId: id, userId, username };
  }

  async function waitForEnd(importId: string): Promise<Run> {
    const handle = client.workflow.getHandle(buildImportWorkflowId(importId));
    await handle.result();
    return { workflowId: handle.workflowId, runId: (await handle.describe()).runId };
  }

  const createFault = (more: Partial<Fault>): Fault => ({ platform: 'blogsite_a', action: 'find', times: 1, ...more });

  return [
    { name: 'import-done', play: async () => waitForEnd((await startTestImport()).importId) },
    {
      name: 'import-waited',
      play: async () => waitForEnd((await startTestImport(createFault({ status: 503 }))).importId),
    },
    {
      name: 'import-cancelled',
      async play() {
        const started = await startTestImport(createFault({ status: 429, headers: { 'retry-after': '600' } }));
        await eventually('the pause', async () => (await loadImport(db, started.importId))?.waitsUntil);
        await cancelImport(db, { ...started, now: new Date() });
        await signalImport({ client, taskQueue }, { ...started, source: 'blogsite_a' });
        return waitForEnd(started.importId);
      },
    },
  ];
}
