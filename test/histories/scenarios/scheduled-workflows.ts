/**
 * Scenarios of workflows that Schedules start: digests and their sweep, the roundup, and the search
 * for stalled articles.
 */

import { buildDigestWorkflowId } from '../../../temporal/names.ts';
import { addPageView } from '../../support/add-page-view.ts';
import type { DigestWorld } from '../../support/api/digest.ts';
import { addArticle, addPerson } from '../../support/api/readership.ts';
import type { Run, Scenario } from './story.ts';

const MONDAY = '2026-11-23';
const BEFORE = new Date('2026-11-18T00:00:00Z');

export function createScheduledWorkflowScenarios(world: DigestWorld): Scenario[] {
  const { client, taskQueue, db } = world;
  world.clock.now = new Date(`${MONDAY}T08:30:00Z`);

  async function runWorkflow(workflowType: string): Promise<Run> {
    const handle = await client.workflow.start(workflowType, { taskQueue, workflowId: `${workflowType}-recorded` });
    await handle.result();
    return { workflowId: handle.workflowId, runId: handle.firstExecutionRunId };
  }

  async function runDigest(userId: string): Promise<Run> {
    await world.sweep();
    await world.waitForDigest(userId, MONDAY);
    const workflowId = buildDigestWorkflowId(userId, MONDAY);
    const { runId } = await client.workflow.getHandle(workflowId).describe();
    return { workflowId, runId };
  }

  async function createDueAuthor(views: number): Promise<string> {
    const id = await addPerson(db, 'Storyteller', BEFORE);
    const { id: articleId } = await addArticle(db, id, { publishedAt: BEFORE });
    await addPageView(db, { articleId, views, readingSeconds: 0, now: BEFORE });
    return id;
  }

  return [
    {
      name: 'digest-sweep-started-some',
      async play() {
        const id = await createDueAuthor(3);
        const sweep = await runWorkflow('digestSweepWorkflow');
        await world.waitForDigest(id, MONDAY);
        return sweep;
      },
    },
    { name: 'digest-sent', play: async () => runDigest(await createDueAuthor(3)) },
    { name: 'digest-empty', play: async () => runDigest(await createDueAuthor(0)) },
    {
      name: 'digest-refused',
      async play() {
        world.smtp.onRecipient = () => '550 5.1.1 no such user';
        try {
          return await runDigest(await createDueAuthor(3));
        } finally {
          world.smtp.onRecipient = () => null;
        }
      },
    },
    { name: 'roundup-published', play: () => runWorkflow('roundupWorkflow') },
    { name: 'stalled-search-found-nothing', play: () => runWorkflow('stalledSweepWorkflow') },
  ];
}
