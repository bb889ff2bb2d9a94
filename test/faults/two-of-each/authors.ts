/**
 * Authors who publish, change, schedule and unpublish at any API. They repeat each request until it
 * succeeds, usually with an Idempotency-Key, so the expected final state is certain.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { DestinationKey } from '../../../article/types.ts';
import type { Platform } from '../../../destinations/types.ts';
import { markdown, type PublishAnswer, postArticle, type TestAuthor } from '../../support/api/api.ts';
import { createRandom, type Random } from '../../walk/random.ts';
import type { Cluster } from './cluster.ts';

export interface Author extends TestAuthor {
  destinations: readonly (readonly [DestinationKey, Platform])[];
  session: string;
  articles: Written[];
}

/** An article as its author expects it after the last response. */
export interface Written {
  id: string;
  url: string;
  /** Titles of its versions, oldest first. */
  titles: string[];
  isPublic: boolean;
}

/** The number of requests by outcome. */
export type Answers = Map<string, number>;

const EVERYWHERE = [
  ['blogsite_a', 'forem'],
  ['blogsite_b', 'hashnode'],
] as const;
/** Each author has one more connection. */
const EXTRA_DESTINATIONS = [
  ['cms_site', 'wordpress'],
  ['cms_site', 'ghost'],
  ['social_feed', 'linkedin'],
  ['blogsite_c', 'medium'],
] as const;

const ACTIONS = { publish: 8, publishWithoutKey: 3, schedule: 4, change: 8, unpublish: 2 };
const REQUEST_TIMEOUT_MS = 8_000;

export async function connectAuthors({ world }: Cluster): Promise<Author[]> {
  return Promise.all(
    EXTRA_DESTINATIONS.map(async (extra, number) => {
      const author = await world.api.createAuthor(`author-${number}`);
      const destinations = [...EVERYWHERE, extra];
      for (const [key, platform] of destinations) await world.connect(author, key, undefined, platform);
      const session = await world.api.sessions.issue('courant:session', author.id);
      return { ...author, destinations, session, articles: [] };
    }),
  );
}

/** The actions depend on the seed; the times of the responses do not. */
export async function write(
  cluster: Cluster,
  author: Author,
  { seed, until, answers }: { seed: number; until: number; answers: Answers },
): Promise<void> {
  const random = createRandom(seed);
  const sendUntilAccepted = <T>(send: (url: string) => Promise<T | null>) => retryUntilAccepted(cluster, answers, send);
  while (Date.now() < until) {
    await act(author, random, sendUntilAccepted);
    await sleep(300 + random.below(1_500));
  }
}

type RetriedRequest = <T>(send: (url: string) => Promise<T | null>) => Promise<T>;

async function act(author: Author, random: Random, sendUntilAccepted: RetriedRequest): Promise<void> {
  const action = random.weigh(ACTIONS);
  // Articles that were published without a key are not changed: a repeat of that request could be
  // executed after the change.
  const changeable = author.articles.filter(({ isPublic, titles }) => isPublic && !titles[0]?.includes('without'));
  const article = changeable.length > 0 ? random.pick(changeable) : undefined;
  const inMs = 2_000 + random.below(8_000);
  if (action === 'unpublish' && article) {
    article.isPublic = false;
    await sendUntilAccepted((url) => unpublish(url, author, article.id));
    return;
  }
  if (action === 'change' && article) {
    const number = author.articles.indexOf(article);
    article.titles.push(`${author.username} ${number} version ${article.titles.length + 1}`);
    await publish(author, sendUntilAccepted, { number, title: article.titles.at(-1) ?? '', isKeyed: true, fields: {} });
    return;
  }
  const number = author.articles.length;
  const isKeyed = action !== 'publishWithoutKey';
  const title = `${author.username} ${number} ${isKeyed ? 'version 1' : 'without key'}`;
  const fields = action === 'schedule' ? { scheduled_at: new Date(Date.now() + inMs).toISOString() } : {};
  const { id, url } = await publish(author, sendUntilAccepted, { number, title, isKeyed, fields });
  author.articles.push({ id, url, titles: [title], isPublic: true });
}

async function publish(
  author: Author,
  sendUntilAccepted: RetriedRequest,
  { number, title, isKeyed, fields }: { number: number; title: string; isKeyed: boolean; fields: object },
): Promise<NonNullable<PublishAnswer['body']['data']>> {
  const crossPost = {
    blogsite_a: false,
    blogsite_b: false,
    ...Object.fromEntries(author.destinations.map(([key]) => [key, true])),
  };
  const content = markdown({ id: `article-${number}`, title, cross_post: crossPost, ...fields });
  const headers: Record<string, string> = isKeyed ? { 'idempotency-key': title.replaceAll(' ', '-') } : {};
  return sendUntilAccepted(async (url) => {
    const { status, body } = await postArticle(url, author.token, { content }, headers);
    if (body.data) return body.data;
    if (status === 503 || body.code === 'idempotency_key_in_progress') return null;
    throw new RefusedError(`${title}: ${status} ${JSON.stringify(body)}`);
  });
}

async function unpublish(url: string, { session }: Author, id: string): Promise<true | null> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${session}` },
    body: JSON.stringify({
      query: 'mutation ($id: ID!) { unpublishArticle(id: $id) { copies { destination } } }',
      variables: { id },
    }),
  });
  const answer = (await response.json()) as { data?: { unpublishArticle?: object | null } | null };
  return answer.data?.unpublishArticle ? true : null;
}

/** A rejection that a retry cannot change. */
class RefusedError extends Error {}

/** Sends the request to the APIs in turn until one result is not null. */
async function retryUntilAccepted<T>(
  { apis }: Cluster,
  answers: Answers,
  send: (url: string) => Promise<T | null>,
): Promise<T> {
  const count = (outcome: string) => answers.set(outcome, (answers.get(outcome) ?? 0) + 1);
  for (let attempt = 0; ; attempt++) {
    const { url } = apis[attempt % apis.length] as { url: string };
    try {
      const answer = await Promise.race([send(url), sleep(REQUEST_TIMEOUT_MS, 'late' as const, { ref: false })]);
      if (answer === 'late') count('no answer in time');
      else if (answer === null) count('not now');
      else {
        count('answered');
        return answer;
      }
    } catch (error) {
      if (error instanceof RefusedError) throw error;
      count('connection lost');
    }
    await sleep(300);
  }
}
