/**
 * Checks exact counts after the storm: articles match the responses, posts match the articles,
 * events match the deliveries.
 */
import { findDestination } from '../../../destinations/clients.ts';
import type { Platform } from '../../../destinations/types.ts';
import type { SandboxLogEntry, SandboxPost } from '../../walk/world.ts';
import type { Author, Written } from './authors.ts';
import type { Cluster } from './cluster.ts';

/** Returns the differences; empty if there are none. */
export async function checkAll({ world }: Cluster, authors: readonly Author[]): Promise<string[]> {
  const read = async <T>(path: string) => (await (await fetch(`${world.sandboxUrl}${path}`)).json()) as T[];
  const remote = { posts: await read<SandboxPost>('/posts'), log: await read<SandboxLogEntry>('/log') };
  const problems = await Promise.all(
    authors.map(async (author) => {
      const stored = await readStored(world.api.db, author);
      return [
        ...checkArticles(author, stored),
        ...author.articles.flatMap((article) =>
          author.destinations.flatMap(([key, platform]) => checkPost(article, { key, platform }, stored, remote)),
        ),
      ];
    }),
  );
  return problems.flat();
}

type Stored = Awaited<ReturnType<typeof readStored>>;

async function readStored(db: Cluster['world']['api']['db'], { id }: Author) {
  const articles = await db
    .selectFrom('articles')
    .select(['id', 'title', 'status'])
    .where('authorId', '=', id)
    .execute();
  const deliveries = await db
    .selectFrom('deliveryStates')
    .select(['deliveryId as id', 'articleId', 'destination', 'state'])
    .where('authorId', '=', id)
    .where('deliveryId', 'is not', null)
    .execute();
  const rows = deliveries.map((row) => row.id);
  const attempts = await db
    .selectFrom('deliveryAttempts')
    .select(['deliveryId', 'outcome', 'answer'])
    .where('deliveryId', 'in', rows)
    .where('outcome', 'in', ['delivered', 'adopted'])
    .execute();
  const events = await db.selectFrom('notifications').select(['type', 'payload']).where('userId', '=', id).execute();
  return { articles, deliveries, attempts, events };
}

/** Checks that exactly the expected articles exist. */
function checkArticles({ username, articles }: Author, stored: Stored): string[] {
  const expected = articles.map(
    ({ id, titles, isPublic }) => `${id} ${titles.at(-1)} ${isPublic ? 'PUBLISHED' : 'DRAFT'}`,
  );
  const actual = stored.articles.map(({ id, title, status }) => `${id} ${title} ${status}`);
  return [
    ...expected
      .filter((line) => !actual.includes(line))
      .map((line) => `${username} was told of ${line}, which is not there`),
    ...actual.filter((line) => !expected.includes(line)).map((line) => `${username} was never told of ${line}`),
  ];
}

function checkPost(
  { id, url, titles, isPublic }: Written,
  { key, platform }: { key: string; platform: Platform },
  stored: Stored,
  { posts, log }: { posts: SandboxPost[]; log: SandboxLogEntry[] },
): string[] {
  const limits = findDestination(platform)?.limits;
  const delivery = stored.deliveries.find(({ articleId, destination }) => articleId === id && destination === key);
  const isOfDelivery = (item: { platform: string; canonicalUrl: string | null }) =>
    item.platform === key && item.canonicalUrl === url;
  const creates = log.filter((entry) => isOfDelivery(entry) && entry.action === 'create').length;
  const live = posts.filter((post) => isOfDelivery(post) && post.status === 'published');
  const problems: string[] = [];
  // A platform without look-up may have an unrecorded post. Its author is notified once.
  const isUnknown = limits?.canFind === false && delivery?.state === 'unknown';
  const minCreates = isPublic && !isUnknown ? 1 : 0;
  if (creates < minCreates || creates > 1) problems.push(`${creates} posts were made`);
  if (isPublic && live.length !== creates) problems.push(`${live.length} posts are live`);
  if (isPublic && limits?.canUpdate && live.some(({ title }) => title !== titles.at(-1))) {
    problems.push(`its post says ${live[0]?.title}`);
  }
  if (!isPublic && limits?.withdraw !== 'none' && live.length > 0) problems.push('unpublished, and a post is live');
  if (isPublic && limits?.canUpdate && delivery?.state !== 'delivered') problems.push('not delivered');
  const outcomes = stored.events.filter(
    ({ payload }) =>
      (payload as { platform?: string }).platform === key.toUpperCase() &&
      titles.includes(String((payload as { postTitle?: string }).postTitle)),
  );
  const successes = outcomes.filter(({ type }) => type === 'CROSS_POST_SUCCESS').length;
  const failures = outcomes.length - successes;
  const attempts = stored.attempts.filter(({ deliveryId }) => deliveryId === delivery?.id);
  const delivered = attempts.filter(({ outcome }) => outcome === 'delivered').length;
  // A create that a look-up adopted has its own event if its response arrives later, unless an
  // update was sent before.
  const late = attempts.filter(({ outcome, answer }) => outcome === 'adopted' && answer?.kind === 'done').length;
  if (successes < delivered || successes > delivered + late) {
    problems.push(`${delivered} deliveries, ${late} late answers, ${successes} events`);
  }
  if (isPublic && outcomes.length === 0) problems.push('no event');
  if (limits?.canFind && failures > 0) problems.push(`${failures} failures told`);
  if (limits?.canFind && isPublic && successes > titles.length) {
    problems.push(`${titles.length} publishes, ${successes} events`);
  }
  return problems.map((problem) => `“${titles.at(-1)}” at ${platform} (${delivery?.state}): ${problem}`);
}
