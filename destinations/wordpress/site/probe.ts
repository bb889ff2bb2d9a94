/** Identifies a connection's account and site, and checks that the account may publish there. */
import { toPlainLine } from '../../format/plain-line.ts';
import { reject } from '../../http/failures.ts';
import { readField } from '../../http/read-field.ts';
import { readAccount, readSiteName } from '../../posts/remote-post.ts';
import type { ClientOptions, Outcome, ProbedAccount } from '../../types.ts';
import { createCaller } from '../call.ts';
import { NO_RIGHT_TO_PUBLISH } from '../refusals.ts';
import { findSiteOfRoot, isApiRoot, normaliseRoot } from './api-root.ts';
import { discoverRoot } from './discovery.ts';

/** The account is the site and its user's number. Names and permalinks may change. */
export async function probeSite(options: ClientOptions): Promise<Outcome<ProbedAccount>> {
  const { connection } = options;
  const root: Outcome<string> = isApiRoot(connection.baseUrl)
    ? { kind: 'done', value: normaliseRoot(connection.baseUrl) }
    : await discoverRoot(options);
  if (root.kind !== 'done') return root;
  const caller = createCaller({ ...options, connection: { ...connection, baseUrl: root.value } });
  const query = { context: 'edit', _fields: 'id,name,slug,capabilities' };
  const user = await caller.call({ method: 'GET', route: '/wp/v2/users/me', query }, 'read', ({ json }) =>
    readUser(json),
  );
  if (user.kind !== 'done') return user;
  const { id, name, mayPublish } = user.value;
  if (!mayPublish) return reject('cannot_publish', NO_RIGHT_TO_PUBLISH);
  // The site's own address, because one site may be reached under several. A plugin may remove it
  // from the index; then the address of the API is used.
  const index = { method: 'GET', route: '/', query: { _fields: 'home' } } as const;
  const site = await caller.call(index, 'read', ({ json }) => {
    const home = readField(json, 'home');
    return readSiteName(home === undefined ? findSiteOfRoot(root.value) : home) ?? undefined;
  });
  if (site.kind !== 'done') return site;
  const account = { account: `${site.value} ${id}`, name: `${name} at ${site.value}` };
  return { kind: 'done', value: { ...account, baseUrl: root.value, settings: { userId: String(id) } } };
}

function readUser(json: unknown): { id: number; name: string; mayPublish: boolean } | undefined {
  const id = readField(json, 'id');
  if (typeof id !== 'number') return undefined;
  const nicename = toPlainLine(String(readField(json, 'slug') ?? '')).slice(0, 100);
  const name = readAccount(readField(json, 'name')) ?? (nicename || String(id));
  // Without the second right the site would hide our published posts from us.
  const rights = ['publish_posts', 'edit_published_posts'];
  return { id, name, mayPublish: rights.every((right) => readField(json, 'capabilities', right) === true) };
}
