/** Whose account a connection is, on which site, and whether it may publish there. */
import { toPlainLine } from '../format/plain-line.ts';
import { reject } from '../http/failures.ts';
import { readField } from '../http/read-field.ts';
import { readSiteName } from '../posts/remote-post.ts';
import type { ClientOptions, Outcome, ProbedAccount } from '../types.ts';
import { isApiRoot, normaliseRoot } from './api-root.ts';
import { createCaller } from './call.ts';
import { discoverRoot } from './discovery.ts';
import { NO_RIGHT_TO_PUBLISH } from './refusals.ts';

export async function probeSite(options: ClientOptions): Promise<Outcome<ProbedAccount>> {
  const { connection } = options;
  const root: Outcome<string> = isApiRoot(connection.baseUrl)
    ? { kind: 'done', value: normaliseRoot(connection.baseUrl) }
    : await discoverRoot(options);
  if (root.kind !== 'done') return root;
  const caller = createCaller({ ...options, connection: { ...connection, baseUrl: root.value } });
  const query = { context: 'edit', _fields: 'id,slug,capabilities' };
  const user = await caller.call({ method: 'GET', route: '/wp/v2/users/me', query }, 'read', ({ json }) =>
    readUser(json),
  );
  if (user.kind !== 'done') return user;
  if (!user.value.mayPublish) return reject('cannot_publish', NO_RIGHT_TO_PUBLISH);
  // The address that the site gives itself: it may be reached under others and is still one site.
  const home = await caller.call(
    { method: 'GET', route: '/', query: { _fields: 'home' } },
    'read',
    ({ json }) => readSiteName(readField(json, 'home')) ?? undefined,
  );
  if (home.kind !== 'done') return home;
  const { id, name } = user.value;
  const account = `${home.value} ${id}/${name}`;
  return { kind: 'done', value: { account, name: account, baseUrl: root.value } };
}

function readUser(json: unknown): { id: number; name: string; mayPublish: boolean } | undefined {
  const id = readField(json, 'id');
  if (typeof id !== 'number') return undefined;
  const name = toPlainLine(String(readField(json, 'slug') ?? '')).slice(0, 100);
  return { id, name, mayPublish: readField(json, 'capabilities', 'publish_posts') === true };
}
