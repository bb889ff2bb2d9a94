/** How the recorded scenarios come about: an author with one destination, what goes wrong there, and what is published. */
import type { Client } from '@temporalio/client';
import type { DestinationKey } from '../../article/types.ts';
import { articleWorkflowId, deliveryWorkflowId } from '../../temporal/names.ts';
import { markdown, type TestAuthor } from '../../test/support/api.ts';
import type { DeliveryWorld, Fault } from '../../test/support/delivery.ts';
import { eventually } from '../../test/support/eventually.ts';

/** What is recorded: one run of one workflow, brought about for real. */
export interface Scenario {
  /** Name of the file, without its ending: the workflow, and what happened to it. */
  name: string;
  /** Makes it happen; answers the run, which has ended by then. */
  play(): Promise<Run>;
}

export interface Run {
  workflowId: string;
  runId: string;
}

/** A world of its own, for what cannot happen in the one that the other scenarios share; started when it is first needed. */
export interface Stage {
  scenarios: Scenario[];
  client(): Promise<Client>;
  close(): Promise<void>;
}

/** By default of a create, once. */
export type Misfortune = Omit<Fault, 'platform' | 'times' | 'action'> & Partial<Pick<Fault, 'action' | 'times'>>;

export interface Story {
  title: string;
  author: TestAuthor;
  destination: DestinationKey;
  /** The same article each time, whatever else is said; answers its id. */
  publish(frontmatter?: object, body?: string): Promise<string>;
}

export interface PublishedStory extends Story {
  id: string;
  reaches(state: string): ReturnType<DeliveryWorld['reaches']>;
  /** The present run of its delivery's actor, or its last. */
  deliveryRuns(): Promise<Run>;
  /** The last run of its delivery's actor, when all is told and done. */
  deliveryEnds(): Promise<Run>;
  articleRuns(): Promise<Run>;
  articleEnds(): Promise<Run>;
  /** What a lever is pulled on. */
  target(): { authorId: string; articleId: string; destination: DestinationKey; now: Date };
}

/** The scenarios in which something goes wrong, and all the rest happens by itself. */
export function plainScenarios(world: DeliveryWorld) {
  return (name: string, destination: DestinationKey, state: string, ...misfortunes: Misfortune[]): Scenario => ({
    name,
    async play() {
      const story = await publishStory(world, await beginStory(world, destination, ...misfortunes));
      await story.reaches(state);
      return story.deliveryEnds();
    },
  });
}

/** A story whose first publish was carried, and whose actor sleeps. */
export async function deliveredStory(
  world: DeliveryWorld,
  destination: DestinationKey,
  frontmatter: object = {},
): Promise<PublishedStory> {
  const story = await publishStory(world, await beginStory(world, destination), frontmatter);
  await story.reaches('delivered');
  await story.deliveryEnds();
  return story;
}

/** The stand-ins have taken every request that something was to befall, if not answered it yet. */
export function faultsBegun(world: DeliveryWorld): Promise<true> {
  return eventually('the request', async () => {
    const left = (await (await fetch(`${world.sandboxUrl}/faults`)).json()) as unknown[];
    return left.length === 0;
  });
}

/** The actor of the story's delivery has written this into its row, and sleeps on it. */
export async function waits(world: DeliveryWorld, { id }: PublishedStory, code: string | null): Promise<void> {
  await eventually(`the pause (${code})`, async () => {
    const rows = world.api.db.selectFrom('deliveries').select(['nextAttemptAt', 'lastErrorCode']);
    const row = await rows.where('articleId', '=', id).executeTakeFirst();
    return row?.nextAttemptAt && row.lastErrorCode === code;
  });
}

/** The destination has this revision of the article. */
export function carries(story: PublishedStory, revision: number): Promise<true> {
  return eventually(`revision ${revision} to be there`, async () => {
    return (await story.reaches('delivered')).deliveredRevision === revision;
  });
}

export function inSeconds(seconds: number): string {
  return new Date(Date.now() + seconds * 1_000).toISOString();
}

let stories = 0;

export async function beginStory(
  world: DeliveryWorld,
  destination: DestinationKey,
  ...misfortunes: Misfortune[]
): Promise<Story> {
  const title = `Story ${++stories}`;
  const author = await world.api.createAuthor(`storyteller-${stories}`);
  await world.connect(author, destination);
  await world.faults(misfortunes.map((one) => ({ platform: destination, action: 'create', times: 1, ...one })));
  const fixed = { title, cross_post: { blogsite_a: false, blogsite_b: false, [destination]: true } };
  return {
    title,
    author,
    destination,
    async publish(frontmatter = {}, body) {
      const content = markdown({ ...fixed, ...frontmatter }, body);
      const answer = await world.api.publish({ content }, { token: author.token });
      if (!answer.body.data) throw new Error(JSON.stringify(answer.body));
      return answer.body.data.id;
    },
  };
}

export async function publishStory(
  world: DeliveryWorld,
  begun: Story,
  frontmatter: object = {},
): Promise<PublishedStory> {
  const { author, destination } = begun;
  const id = await begun.publish(frontmatter);
  return {
    ...begun,
    id,
    reaches: (state) => world.reaches(id, destination, state, 40_000),
    deliveryRuns: () => lastRun(world, deliveryWorkflowId(id, destination)),
    deliveryEnds: () => runEnds(world, deliveryWorkflowId(id, destination)),
    articleRuns: () => lastRun(world, articleWorkflowId(id)),
    articleEnds: () => runEnds(world, articleWorkflowId(id)),
    target: () => ({ authorId: author.id, articleId: id, destination, now: new Date() }),
  };
}

async function lastRun({ client }: DeliveryWorld, workflowId: string): Promise<Run> {
  const { runId } = await client.workflow.getHandle(workflowId).describe();
  return { workflowId, runId };
}

/** All that changed was told to the actors. */
export function outboxEmpty({ api }: DeliveryWorld): Promise<true> {
  return eventually('the outbox to be told', async () => {
    const left = await api.db.selectFrom('outbox').select('id').execute();
    return left.length === 0;
  });
}

async function runEnds(world: DeliveryWorld, workflowId: string): Promise<Run> {
  await outboxEmpty(world);
  return eventually(
    `${workflowId} to end`,
    async () => {
      const { status, runId } = await world.client.workflow.getHandle(workflowId).describe();
      return status.name === 'COMPLETED' && { workflowId, runId };
    },
    { withinMs: 60_000 },
  );
}
