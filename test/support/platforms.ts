/** Publishes to every platform at once: an author, a connection and an article for each, so that a wait is waited once for all of them. */
import assert from 'node:assert/strict';
import type { DestinationKey } from '../../article/types.ts';
import { findDestination } from '../../destinations/registry.ts';
import type { Destination, Platform } from '../../destinations/types.ts';
import { ROWS } from '../destinations/rows/index.ts';
import type { Row } from '../destinations/rows/types.ts';
import { markdown, type TestAuthor } from './api.ts';
import type { DeliveryWorld, Fault } from './delivery.ts';
import { assertOnePostOneEvent } from './publishing.ts';

export interface PlatformCase {
  key: DestinationKey;
  platform: Platform;
  row: Row;
}

export interface PublishedAt extends PlatformCase {
  author: TestAuthor;
  title: string;
  id: string;
}

/** Once, unless it says otherwise. */
export type FaultAt = Omit<Fault, 'platform' | 'times'> & { times?: number };

/** WordPress and Ghost share a key; the account tells their faults apart. */
const CMS_ACCOUNTS: Partial<Record<Platform, string>> = { wordpress: 'wordpress/demo', ghost: 'ghost-site' };

/**
 * All of them, or those that `fits`. Medium comes last: nothing can clear up what happened there, so what is to meet a request in flight must
 * meet it there.
 */
export function listPlatforms(fits: (row: Row) => boolean = () => true): PlatformCase[] {
  const cases = ROWS.filter(fits).map((row) => ({ key: row.key, platform: row.destination.platform, row }));
  return cases.toSorted((one, other) => Number(one.platform === 'medium') - Number(other.platform === 'medium'));
}

export function buildFaultAt({ key, platform }: PlatformCase, fault: FaultAt): Fault {
  const account = CMS_ACCOUNTS[platform];
  return { platform: key, times: 1, ...(account !== undefined && { account }), ...fault };
}

let authors = 0;

export async function createAuthorAt(
  world: DeliveryWorld,
  { key, platform }: PlatformCase,
  credentials?: Record<string, string>,
): Promise<TestAuthor> {
  const author = await world.api.createAuthor(`at-${platform}-${++authors}`);
  await world.connect(author, key, credentials, platform);
  return author;
}

/** Publishes once at each of these, after the faults were set. Titles say the platform. */
export async function publishEverywhere(
  world: DeliveryWorld,
  title: string,
  cases: PlatformCase[],
  fault: (one: PlatformCase) => FaultAt | null,
): Promise<PublishedAt[]> {
  const faults = cases.flatMap((one) => {
    const wanted = fault(one);
    return wanted === null ? [] : [buildFaultAt(one, wanted)];
  });
  await world.faults(faults);
  const wanted = cases.map((one) => ({ ...one, title: `${title} at ${one.platform}` }));
  return publishAll(world, wanted);
}

/** Authors are made before the first publish, so that all are in flight together. */
export async function publishAll(
  world: DeliveryWorld,
  wanted: (PlatformCase & { title: string })[],
): Promise<PublishedAt[]> {
  const ready: (PlatformCase & { title: string; author: TestAuthor })[] = [];
  for (const one of wanted) ready.push({ ...one, author: await createAuthorAt(world, one) });
  const published: PublishedAt[] = [];
  for (const { author, title, ...one } of ready) published.push(await publishAt(world, one, author, title));
  return published;
}

/** What the test is about would not happen if Medium's posts had all been made and recorded before. */
export async function assertStillSending(world: DeliveryWorld, published: PublishedAt[]): Promise<void> {
  const ids = published.filter(({ platform }) => platform === 'medium').map(({ id }) => id);
  const rows = await world.api.db.selectFrom('deliveryStates').select('state').where('articleId', 'in', ids).execute();
  const states = rows.map(({ state }) => state);
  assert.ok(states.includes('delivering'), states.join());
}

export async function publishAt(
  world: DeliveryWorld,
  one: PlatformCase,
  author: TestAuthor,
  title: string,
): Promise<PublishedAt> {
  const chosen = { blogsite_a: false, blogsite_b: false, [one.key]: true };
  const { body } = await world.api.publish(
    { content: markdown({ title, cross_post: chosen }) },
    { token: author.token },
  );
  assert.ok(body.data, JSON.stringify(body));
  return { ...one, author, title, id: body.data.id };
}

/** Waits for each delivery and applies the oracle to it: exactly one post and one event. Fails naming the platform, after all were looked at. */
export async function assertOneEach(world: DeliveryWorld, published: PublishedAt[], withinMs = 60_000): Promise<void> {
  const ends = await Promise.allSettled(
    published.map(async ({ id, key, author, title }) => {
      await world.reaches(id, key, 'delivered', withinMs).catch(async (error: unknown) => {
        const rows = await world.api.db.selectFrom('deliveryStates').selectAll().where('articleId', '=', id).execute();
        throw new Error(`${title}: ${(error as Error).message}; ${JSON.stringify(rows)}`);
      });
      await assertOnePostOneEvent(world, { author, title }, [key]);
    }),
  );
  const failures = ends.flatMap((end, index) =>
    end.status === 'rejected' ? [`${published[index]?.platform}: ${(end.reason as Error).message}`] : [],
  );
  assert.deepEqual(failures, []);
}

/** The platform as it is, with waits of tests: a cache of half a minute, and a repeat a minute later, would make each test that slow. */
export function findImpatientDestination(platform: Platform): Destination | null {
  const destination = findDestination(platform);
  if (!destination) return null;
  const { limits } = destination;
  const repeat = limits.repeat && { ...limits.repeat, afterMs: 300 };
  return { ...destination, limits: { ...limits, readLagMs: Math.min(limits.readLagMs, 1_000), repeat } };
}
