/** Scheduling helpers for tests of scheduled deliveries. */
import assert from 'node:assert/strict';
import type { TestAuthor } from '../../support/api/api.ts';
import { runGraphql } from '../../support/api/graphql.ts';
import type { DeliveryWorld } from '../../support/delivery/delivery.ts';

export const SCHEDULING_API = { env: { ALLOW_PRIVATE_DESTINATIONS: 'true', PUBLISH_RATE_PER_MINUTE: '1000' } };

export const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

export async function call(world: DeliveryWorld, author: TestAuthor, mutation: string): Promise<void> {
  const answer = await runGraphql(world.api, author.id, `mutation { ${mutation} }`);
  assert.ok(answer.data, answer.text);
}

export const schedule = (world: DeliveryWorld, author: TestAuthor, id: string, at: string) =>
  call(world, author, `scheduleArticle(id: "${id}", at: "${at}") { status }`);

export const unpublish = (world: DeliveryWorld, author: TestAuthor, id: string) =>
  call(world, author, `unpublishArticle(id: "${id}") { article { id } }`);
