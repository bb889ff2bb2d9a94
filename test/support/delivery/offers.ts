/** Lists the articles that are offered after a change of account, and sends them. */
import assert from 'node:assert/strict';
import type { DestinationKey } from '../../../article/types.ts';
import type { TestAuthor } from '../api/api.ts';
import { runGraphql } from '../api/graphql.ts';
import type { DeliveryWorld } from './delivery.ts';

export async function listOffers(
  { api }: DeliveryWorld,
  author: TestAuthor,
  destination: DestinationKey,
): Promise<{ articleId: string; title: string }[]> {
  const query = 'query ($destination: Destination!) { offers(destination: $destination) { articleId title } }';
  const { data, text } = await runGraphql(api, author.id, query, { destination });
  assert.ok(data?.offers, text);
  return data.offers;
}

/** Returns the deliveries that are now due. */
export async function sendArticles(
  { api }: DeliveryWorld,
  author: TestAuthor,
  destination: DestinationKey,
  articleIds: string[],
): Promise<{ articleId: string; destination: DestinationKey }[]> {
  const query = `mutation ($destination: Destination!, $articleIds: [ID!]!) {
    sendArticles(destination: $destination, articleIds: $articleIds) { articleId destination } }`;
  const { data, text } = await runGraphql(api, author.id, query, { destination, articleIds });
  assert.ok(data?.sendArticles, text);
  return data.sendArticles;
}
