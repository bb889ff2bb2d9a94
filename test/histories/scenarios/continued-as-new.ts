/**
 * Scenarios of workflows that continue as new. Their server suggests it after a few events instead
 * of thousands.
 */
import { type DeliveryWorld, type DeliveryWorldOptions, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import { waitForOutbox } from '../../support/delivery/publishing.ts';
import { type OwnTemporal, startOwnTemporal } from './own-temporal.ts';
import {
  formatTimeIn,
  type IsolatedScenarios,
  prepareStory,
  publishDelivered,
  publishStory,
  type Run,
  type Scenario,
  waitForRevision,
} from './story.ts';

/**
 * An update that waits for its second rate slot after a failure has a longer history. The run that
 * continues it ends earlier.
 */
const SUGGEST_AFTER_EVENTS = 26;

export function createContinuedAsNewScenarios(options: DeliveryWorldOptions): IsolatedScenarios {
  let server: OwnTemporal | null = null;
  let world: DeliveryWorld | null = null;
  const start = async (): Promise<DeliveryWorld> => {
    server ??= await startOwnTemporal([`limit.historyCount.suggestContinueAsNew=${SUGGEST_AFTER_EVENTS}`]);
    world ??= await startDeliveryWorld({ ...options, temporal: server.temporal });
    return world;
  };
  return {
    scenarios: createScenarios(start),
    client: async () => (await start()).client,
    async close() {
      await world?.close();
      await server?.stop();
    },
  };
}

function createScenarios(start: () => Promise<DeliveryWorld>): Scenario[] {
  // The continued runs: set by the scenario that creates both, returned by the next one.
  let delivery: Run;
  let article: Run;

  return [
    {
      // Waits for its second rate slot after a failure. The new run continues with both.
      name: 'delivery-continued-as-new',
      async play() {
        const world = await start();
        const story = await publishDelivered(world, 'blogsite_a');
        await world.faults([{ platform: 'blogsite_a', action: 'update', times: 1, status: 503 }]);
        await story.publish({}, 'Other words.\n');
        await waitForRevision(story, 2);
        delivery = await story.waitForDeliveryEnd();
        return findPreviousRun(world, delivery);
      },
    },
    { name: 'delivery-after-continue-as-new', play: async () => delivery },
    {
      name: 'article-continued-as-new',
      async play() {
        const world = await start();
        const story = await publishStory(world, await prepareStory(world, 'blogsite_a'), buildSchedule(1_800));
        await waitForOutbox(world);
        const first = await story.findArticleRun();
        for (let seconds = 1_801; (await story.findArticleRun()).runId === first.runId; seconds++) {
          await story.publish(buildSchedule(seconds));
          await waitForOutbox(world);
        }
        await story.publish(buildSchedule(2));
        await story.waitForState('delivered');
        article = await story.waitForArticleEnd();
        return first;
      },
    },
    { name: 'article-after-continue-as-new', play: async () => article },
  ];
}

function buildSchedule(seconds: number): object {
  return { scheduled_at: formatTimeIn(seconds) };
}

/** Returns the run before this one. */
async function findPreviousRun({ client }: DeliveryWorld, { workflowId, runId }: Run): Promise<Run> {
  const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
  const previous = events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId;
  if (!previous) throw new Error(`${workflowId} was not continued as new`);
  return { workflowId, runId: previous };
}
