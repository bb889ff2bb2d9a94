/** Creates and reads posts and covers at a real WordPress site. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { DeliverableArticle } from '../../article/types.ts';
import type { DestinationClient, Outcome } from '../../destinations/types.ts';
import type { WordPressPayload } from '../../destinations/wordpress/format.ts';
import { wordpress } from '../../destinations/wordpress/index.ts';
import { requestWordPress } from './wordpress-site.ts';

type Client = DestinationClient<WordPressPayload>;

export function done<T>(outcome: Outcome<T> | undefined): T {
  assert.equal(outcome?.kind, 'done', JSON.stringify(outcome));
  return (outcome as { value: T }).value;
}

export async function ready(client: Client, article: DeliverableArticle): Promise<WordPressPayload> {
  return done(await client.prepare?.(wordpress.format(article).payload));
}

export async function publish(client: Client, article: DeliverableArticle) {
  return done(await client.create(await ready(client, article)));
}

/**
 * Serves a new picture from a server of the test. Its copies on the site are removed with the test.
 */
export async function serveCover(
  context: TestContext,
): Promise<{ url: string; copies: () => Promise<{ id: number; alt_text: string }[]> }> {
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const bytes = Buffer.concat([Buffer.from(pixel, 'base64'), randomBytes(16)]);
  const server = createServer((_request, response) => response.end(bytes));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  const before = new Set((await listMedia()).map(({ id }) => id));
  const copies = async () => (await listMedia()).filter(({ id }) => !before.has(id));
  context.after(async () => {
    for (const { id } of await copies()) await requestWordPress('DELETE', `/media/${id}`, { force: true });
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/cover.png`, copies };
}

async function listMedia() {
  return (await requestWordPress<{ id: number; alt_text: string }[]>('GET', '/media', { per_page: 100 })) ?? [];
}

/** Returns the text of a page, without the class that WordPress 7 adds to paragraphs. */
export async function pageText(url: string): Promise<string> {
  const page = await fetch(url);
  assert.equal(page.status, 200);
  return (await page.text()).replaceAll(/ class="wp-block-paragraph"| wp-block-paragraph(?=")/g, '');
}
