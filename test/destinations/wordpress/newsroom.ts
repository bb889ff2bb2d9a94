/** A WordPress site with several people: ann and ben are authors, eve is an editor. */
import type { TestContext } from 'node:test';
import type { DestinationClient } from '../../../destinations/types.ts';
import { createClient } from '../../../destinations/wordpress/client.ts';
import type { WordPressPayload } from '../../../destinations/wordpress/format.ts';
import { startSandbox } from '../destination-harness.ts';

const applicationPassword = 'sandbox app pass word';

const STAFF = {
  ann: { id: 1, name: 'Ann Lee', applicationPassword, role: 'author' },
  ben: { id: 3, name: 'Ben Oz', applicationPassword, role: 'author' },
  eve: { id: 4, name: 'Eve Ra', applicationPassword, role: 'editor' },
} as const;

export type Person = keyof typeof STAFF;

export interface Newsroom {
  url: string;
  open(person: Person): DestinationClient<WordPressPayload>;
  /** Sends a request as one of the site's people, without our client. */
  request<T = Record<string, unknown>>(person: Person, method: string, route: string, body?: object): Promise<T>;
  log(): Promise<{ action: string; remoteId: string }[]>;
}

export async function startNewsroom(context: TestContext): Promise<Newsroom> {
  const sandbox = await startSandbox(context, { wordpressSites: { wordpress: STAFF } });
  const baseUrl = `${sandbox.url}/wordpress/wp-json`;
  return {
    url: sandbox.url,
    log: sandbox.log,
    open: (username) =>
      createClient({
        connection: { baseUrl, credentials: { username, applicationPassword, userId: String(STAFF[username].id) } },
        timeoutMs: 5000,
        now: () => new Date(),
        allowPrivate: true,
      }) as DestinationClient<WordPressPayload>,
    async request<T>(person: Person, method: string, route: string, body?: object): Promise<T> {
      const authorization = `Basic ${btoa(`${person}:${applicationPassword}`)}`;
      const answer = await fetch(`${baseUrl}/wp/v2${route}`, {
        method,
        headers: { authorization, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      if (!answer.ok) throw new Error(`${method} ${route}: ${await answer.text()}`);
      return (await answer.json()) as T;
    },
  };
}
