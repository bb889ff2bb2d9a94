/**
 * Helpers of the recorded scenarios: an author with one destination, its faults, and the article
 * that the author publishes.
 */
import type { Client } from '@temporalio/client';
import type { DestinationKey } from '../../../article/types.ts';
import { buildArticleWorkflowId, buildDeliveryWorkflowId } from '../../../temporal/names.ts';
import type { TestAuthor } from '../../support/api/api.ts';
import type { DeliveryWorld, Fault } from '../../support/delivery/delivery.ts';
import { publishArticle, waitForOutbox } from '../../support/delivery/publishing.ts';
import { eventually } from '../../support/eventually.ts';

/** Produces one recorded run of a workflow against real servers. */
export interface Scenario {
  /** The file name without its extension: the workflow and its outcome. */
  name: string;
  /** Resolves with the run when it has ended. */
  play(): Promise<Run>;
}

export interface Run {
  workflowId: string;
  runId: string;
}

/** Scenarios that need their own world, which is started on first use. */
export interface IsolatedScenarios {
  scenarios: Scenario[];
  client(): Promise<Client>;
  close(): Promise<void>;
}

/** By default, one create fails. */
export type StoryFault = Omit<Fault, 'platform' | 'times' | 'action'> & Partial<Pick<Fault, 'action' | 'times'>>;

export interface Story {
  title: string;
  author: TestAuthor;
  destination: DestinationKey;
  /** Publishes the same article at each call, optionally with other content. Returns its id. */
  publish(frontmatter?: object, body?: string): Promise<string>;
}

export interface PublishedStory extends Story {
  id: string;
  waitForState(state: string): ReturnType<DeliveryWorld['reaches']>;
  /** The latest run of the delivery workflow. */
  findDeliveryRun(): Promise<Run>;
  /** The latest run of the delivery workflow, when all changes are signalled and it has ended. */
  waitForDeliveryEnd(): Promise<Run>;
  findArticleRun(): Promise<Run>;
  waitForArticleEnd(): Promise<Run>;
  /** The delivery in the form that author commands expect. */
  buildTarget(): { authorId: string; articleId: string; destination: DestinationKey };
}

/**
 * Returns a function that creates scenarios with these faults and no other events after the
 * publish.
 */
export function createPlainScenario(world: DeliveryWorld) {
  return (name: string, destination: DestinationKey, state: string, ...faults: StoryFault[]): Scenario => ({
    name,
    async play() {
      const story = await publishStory(world, await prepareStory(world, destination, ...faults));
      await story.waitForState(state);
      return story.waitForDeliveryEnd();
    },
  });
}

/** A story with a delivered first publish and an ended workflow. */
export async function publishDelivered(
  world: DeliveryWorld,
  destination: DestinationKey,
  frontmatter: object = {},
): Promise<PublishedStory> {
  const story = await publishStory(world, await prepareStory(world, destination), frontmatter);
  await story.waitForState('delivered');
  await story.waitForDeliveryEnd();
  return story;
}

/** Resolves when the delivery waits for its next attempt, with this error code. */
export async function waitForPause(
  world: DeliveryWorld,
  { id, destination }: PublishedStory,
  code: string | null,
): Promise<void> {
  await eventually(`the pause (${code})`, async () => {
    const rows = world.api.db.selectFrom('deliveryStates').select(['nextAttemptAt', 'errorCode']);
    const row = await rows.where('articleId', '=', id).where('destination', '=', destination).executeTakeFirst();
    return row?.nextAttemptAt && row.errorCode === code;
  });
}

/** Resolves when the destination has this revision of the article. */
export function waitForRevision(story: PublishedStory, revision: number): Promise<true> {
  return eventually(`revision ${revision} to be delivered`, async () => {
    return (await story.waitForState('delivered')).deliveredRevision === revision;
  });
}

export function formatTimeIn(seconds: number): string {
  return new Date(Date.now() + seconds * 1_000).toISOString();
}

let stories = 0;

export async function prepareStory(
  world: DeliveryWorld,
  destination: DestinationKey,
  ...faults: StoryFault[]
): Promise<Story> {
  const title = `Story ${++stories}`;
  const author = await world.api.createAuthor(`storyteller-${stories}`);
  await world.connect(author, destination);
  await world.faults(faults.map((fault) => ({ platform: destination, action: 'create', times: 1, ...fault })));
  const fixed = { title, cross_post: { blogsite_a: false, blogsite_b: false, [destination]: true } };
  return {
    title,
    author,
    destination,
    async publish(frontmatter = {}, body) {
      return (await publishArticle(world, author, { ...fixed, ...frontmatter }, body)).id;
    },
  };
}

export async function publishStory(
  world: DeliveryWorld,
  prepared: Story,
  frontmatter: object = {},
): Promise<PublishedStory> {
  const { author, destination } = prepared;
  const id = await prepared.publish(frontmatter);
  return {
    ...prepared,
    id,
    waitForState: (state) => world.reaches(id, destination, state, 40_000),
    findDeliveryRun: () => findLastRun(world, buildDeliveryWorkflowId(id, destination)),
    waitForDeliveryEnd: () => waitForRunEnd(world, buildDeliveryWorkflowId(id, destination)),
    findArticleRun: () => findLastRun(world, buildArticleWorkflowId(id)),
    waitForArticleEnd: () => waitForRunEnd(world, buildArticleWorkflowId(id)),
    buildTarget: () => ({ authorId: author.id, articleId: id, destination }),
  };
}

async function findLastRun({ client }: DeliveryWorld, workflowId: string): Promise<Run> {
  const { runId } = await client.workflow.getHandle(workflowId).describe();
  return { workflowId, runId };
}

async function waitForRunEnd(world: DeliveryWorld, workflowId: string): Promise<Run> {
  await waitForOutbox(world);
  return eventually(
    `${workflowId} to end`,
    async () => {
      const { status, runId } = await world.client.workflow.getHandle(workflowId).describe();
      return (status.name === 'COMPLETED' || status.name === 'FAILED') && { workflowId, runId };
    },
    { withinMs: 60_000 },
  );
}
