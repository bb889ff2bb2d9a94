/** Actors that continue as new: on a server that suggests it after a few events instead of thousands. */
import { type DeliveryWorld, type DeliveryWorldOptions, startDeliveryWorld } from '../../test/support/delivery.ts';
import { type OwnTemporal, startOwnTemporal } from './own-temporal.ts';
import {
  beginStory,
  carries,
  deliveredStory,
  inSeconds,
  outboxEmpty,
  publishStory,
  type Run,
  type Scenario,
  type Stage,
} from './story.ts';

/** When an update that failed once has its second turn, its history is longer; that of the new run ends before. */
const EVENTS = 26;

export function anewStage(options: DeliveryWorldOptions): Stage {
  let server: OwnTemporal | null = null;
  let world: DeliveryWorld | null = null;
  const start = async (): Promise<DeliveryWorld> => {
    server ??= await startOwnTemporal([`limit.historyCount.suggestContinueAsNew=${EVENTS}`]);
    world ??= await startDeliveryWorld({ ...options, temporal: server.temporal });
    return world;
  };
  return {
    scenarios: anewScenarios(start),
    client: async () => (await start()).client,
    async close() {
      await world?.close();
      await server?.stop();
    },
  };
}

function anewScenarios(start: () => Promise<DeliveryWorld>): Scenario[] {
  // Each is played after the one before it, whose story it goes on with.
  let delivery: Run;
  let article: Run;

  return [
    {
      // In line for the second time, after a failure: what it knows of both goes over to the new run.
      name: 'delivery-continued-as-new',
      async play() {
        const world = await start();
        const story = await deliveredStory(world, 'blogsite_a');
        await world.faults([{ platform: 'blogsite_a', action: 'update', times: 1, status: 503 }]);
        await story.publish({}, 'Other words.\n');
        await carries(story, 2);
        delivery = await story.deliveryEnds();
        return runBefore(world, delivery);
      },
    },
    { name: 'delivery-carried-on', play: async () => delivery },
    {
      name: 'article-continued-as-new',
      async play() {
        const world = await start();
        const story = await publishStory(world, await beginStory(world, 'blogsite_a'), at(1_800));
        await outboxEmpty(world);
        const first = await story.articleRuns();
        for (let seconds = 1_801; (await story.articleRuns()).runId === first.runId; seconds++) {
          await story.publish(at(seconds));
          await outboxEmpty(world);
        }
        await story.publish(at(2));
        await story.reaches('delivered');
        article = await story.articleEnds();
        return first;
      },
    },
    { name: 'article-carried-on', play: async () => article },
  ];
}

function at(seconds: number): object {
  return { scheduled_at: inSeconds(seconds) };
}

/** The one that this one was continued from. */
async function runBefore({ client }: DeliveryWorld, { workflowId, runId }: Run): Promise<Run> {
  const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
  const former = events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId;
  if (!former) throw new Error(`${workflowId} was not continued as new`);
  return { workflowId, runId: former };
}
