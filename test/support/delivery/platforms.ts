/** Publishes to all platforms in parallel, with one author, connection and article for each. */
import assert from 'node:assert/strict';
import type { DestinationKey } from '../../../article/types.ts';
import { findDestination } from '../../../destinations/clients.ts';
import type { Destination, Platform } from '../../../destinations/types.ts';
import { ROWS } from '../../destinations/rows/index.ts';
import type { Row } from '../../destinations/rows/types.ts';
import { markdown, type TestAuthor } from '../api/api.ts';
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

/** `times` is 1 by default. */
export type FaultAt = Omit<Fault, 'platform' | 'times'> & { times?: number };

/** WordPress and Ghost share a destination key, so their faults are set per account. */
const CMS_ACCOUNTS: Partial<Record<Platform, string>> = { wordpress: 'wordpress/demo', ghost: 'ghost-site' };

/**
 * Lists all platforms, or those that `fits` accepts. Medium is last: its outcomes cannot be looked
 * up, so a test must interrupt its request in flight.
 */
export function listPlatforms(fits: (row: Row) => boolean = () => true): PlatformCase[] {
  const cases = ROWS.filter(fits).map((row) => ({ key: row.key, platform: row.destination.platform, row }));
  return cases.toSorted((a, b) => Number(a.platform === 'medium') - Number(b.platform === 'medium'));
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

/** Sets the faults, then publishes one article per case. Titles contain the platform. */
export async function publishEverywhere(
  world: DeliveryWorld,
  title: string,
  cases: PlatformCase[],
  fault: (platformCase: PlatformCase) => FaultAt | null,
): Promise<PublishedAt[]> {
  const faults = cases.flatMap((platformCase) => {
    const platformFault = fault(platformCase);
    return platformFault === null ? [] : [buildFaultAt(platformCase, platformFault)];
  });
  await world.faults(faults);
  const publishes = cases.map((platformCase) => ({ ...platformCase, title: `${title} at ${platformCase.platform}` }));
  return publishAll(world, publishes);
}

/** Creates the authors before the first publish, so that all requests are in flight together. */
export async function publishAll(
  world: DeliveryWorld,
  publishes: (PlatformCase & { title: string })[],
): Promise<PublishedAt[]> {
  const prepared: (PlatformCase & { title: string; author: TestAuthor })[] = [];
  for (const platformCase of publishes)
    prepared.push({ ...platformCase, author: await createAuthorAt(world, platformCase) });
  const published: PublishedAt[] = [];
  for (const { author, title, ...platformCase } of prepared)
    published.push(await publishAt(world, platformCase, author, title));
  return published;
}

/** Fails if all deliveries to Medium have ended, because the test would not interrupt a request. */
export async function assertStillSending(world: DeliveryWorld, published: PublishedAt[]): Promise<void> {
  const ids = published.filter(({ platform }) => platform === 'medium').map(({ id }) => id);
  const rows = await world.api.db.selectFrom('deliveryStates').select('state').where('articleId', 'in', ids).execute();
  const states = rows.map(({ state }) => state);
  assert.ok(states.includes('delivering'), states.join());
}

export async function publishAt(
  world: DeliveryWorld,
  platformCase: PlatformCase,
  author: TestAuthor,
  title: string,
): Promise<PublishedAt> {
  const crossPost = { blogsite_a: false, blogsite_b: false, [platformCase.key]: true };
  const { body } = await world.api.publish(
    { content: markdown({ title, cross_post: crossPost }) },
    { token: author.token },
  );
  assert.ok(body.data, JSON.stringify(body));
  return { ...platformCase, author, title, id: body.data.id };
}

/** Waits for all deliveries, and checks that each has exactly one post and one event. */
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

/**
 * Returns the destination with shorter waits. The product waits up to 30 seconds for a read cache,
 * and a minute before a repeat.
 */
export function findImpatientDestination(platform: Platform): Destination | null {
  const destination = findDestination(platform);
  if (!destination) return null;
  const { limits } = destination;
  const repeat = limits.repeat && { ...limits.repeat, afterMs: 300 };
  return { ...destination, limits: { ...limits, readLagMs: Math.min(limits.readLagMs, 1_000), repeat } };
}
