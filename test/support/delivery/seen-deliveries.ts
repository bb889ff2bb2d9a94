/** Reads deliveries through GraphQL as their author does, independent of the tables. */
import assert from 'node:assert/strict';
import type { DestinationKey } from '../../../article/types.ts';
import type { TestAuthor } from '../api/api.ts';
import { runGraphql } from '../api/graphql.ts';
import { eventually } from '../eventually.ts';
import type { DeliveryWorld } from './delivery.ts';

export interface SeenCopy {
  url: string;
  account: string | null;
  isUncertain: boolean;
  isWithdrawn: boolean;
  message: string;
}

export interface SeenDelivery {
  articleId: string;
  destination: DestinationKey;
  /** In lower case, as in the database. */
  state: string;
  remoteUrl: string | null;
  withdrawnAt: string | null;
  errorCode: string | null;
  error: string | null;
  nextAttemptAt: string | null;
  deliveredRevision: number | null;
  formerCopies: SeenCopy[];
}

export interface DeliveryOf {
  author: TestAuthor;
  id: string;
  destination: DestinationKey;
}

const DELIVERIES = `query ($articleId: ID!) { deliveries(articleId: $articleId) { articleId destination state remoteUrl
  withdrawnAt errorCode error nextAttemptAt deliveredRevision
  formerCopies { url account isUncertain isWithdrawn message } } }`;

/** Undefined if the article has no delivery there. */
export async function readDelivery(
  { api }: DeliveryWorld,
  { author, id, destination }: DeliveryOf,
): Promise<SeenDelivery | undefined> {
  const { data, text } = await runGraphql(api, author.id, DELIVERIES, { articleId: id });
  assert.ok(data?.deliveries, text);
  const found = (data.deliveries as SeenDelivery[]).find((delivery) => delivery.destination === destination);
  return found && { ...found, state: found.state.toLowerCase() };
}

/** Resolves when the delivery has this state. Fails with its last state. */
export async function waitForState(world: DeliveryWorld, of: DeliveryOf, state: string): Promise<SeenDelivery> {
  let last: SeenDelivery | undefined;
  const reached = async () => {
    last = await readDelivery(world, of);
    return last?.state === state && last;
  };
  return eventually(`${of.destination} to be ${state}`, reached).catch((error: Error) => {
    throw new Error(`${error.message}; it is ${JSON.stringify(last)}`);
  });
}

/**
 * Resolves when the next attempt is more than ten minutes away and the last one has ended. A 429
 * sets the time of the next attempt before the last one ends.
 */
export function waitForLongPause(world: DeliveryWorld, of: DeliveryOf): Promise<SeenDelivery> {
  return eventually('a long pause', async () => {
    const delivery = await readDelivery(world, of);
    const isPaused = Date.parse(delivery?.nextAttemptAt ?? '') > Date.now() + 10 * 60_000;
    return isPaused && delivery?.state !== 'delivering' && delivery;
  });
}
