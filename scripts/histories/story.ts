/** How the recorded scenarios come about: an author with one destination, what goes wrong there, and what is published. */
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
  /** The last run of its delivery's actor. */
  deliveryEnds(): Promise<Run>;
  articleEnds(): Promise<Run>;
  /** What a lever is pulled on. */
  target(): { authorId: string; articleId: string; destination: DestinationKey; now: Date };
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
    deliveryEnds: () => runEnds(world, deliveryWorkflowId(id, destination)),
    articleEnds: () => runEnds(world, articleWorkflowId(id)),
    target: () => ({ authorId: author.id, articleId: id, destination, now: new Date() }),
  };
}

async function runEnds({ api, client }: DeliveryWorld, workflowId: string): Promise<Run> {
  await eventually('the outbox to be told', async () => {
    const left = await api.db.selectFrom('outbox').select('id').execute();
    return left.length === 0;
  });
  return eventually(
    `${workflowId} to end`,
    async () => {
      const { status, runId } = await client.workflow.getHandle(workflowId).describe();
      return status.name === 'COMPLETED' && { workflowId, runId };
    },
    { withinMs: 60_000 },
  );
}
