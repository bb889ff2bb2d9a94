/** Identifies a connection's account and site, and checks that the account may publish there. */
import { reject } from '../../http/failures.ts';
import { readField } from '../../http/read-field.ts';
import { readSiteName } from '../../posts/remote-post.ts';
import type { ClientOptions, Outcome, ProbedAccount } from '../../types.ts';
import { createCaller, type WordPressCaller } from '../call.ts';
import { NO_RIGHT_TO_PUBLISH } from '../refusals.ts';
import { findSiteOfRoot, isApiRoot, normaliseRoot } from './api-root.ts';
import { discoverRoot } from './discovery.ts';
import { readUser } from './user.ts';

/**
 * The account is the site and its user's number. Logins, nicenames and permalinks may change; the
 * account stays the same.
 */
export async function probeSite(options: ClientOptions): Promise<Outcome<ProbedAccount>> {
  const { connection } = options;
  const root: Outcome<string> = isApiRoot(connection.baseUrl)
    ? { kind: 'done', value: normaliseRoot(connection.baseUrl) }
    : await discoverRoot(options);
  if (root.kind !== 'done') return root;
  const caller = createCaller({ ...options, connection: { ...connection, baseUrl: root.value } });
  const user = await readUser(caller);
  if (user.kind !== 'done') return user;
  const { id, name, mayPublish } = user.value;
  if (!mayPublish) return reject('cannot_publish', NO_RIGHT_TO_PUBLISH);
  const site = await readSite(caller, root.value);
  if (site.kind !== 'done') return site;
  return {
    kind: 'done',
    value: {
      account: `${site.value} ${id}`,
      name: `${name} at ${site.value}`,
      baseUrl: root.value,
      settings: { userId: String(id) },
    },
  };
}

/**
 * The site's own address, because one site may be reached under several. A plugin may remove it
 * from the index; then the address of the API is used.
 */
function readSite(caller: WordPressCaller, root: string): Promise<Outcome<string>> {
  return caller.call({ method: 'GET', route: '/', query: { _fields: 'home' } }, 'read', ({ json }) => {
    const home = readField(json, 'home');
    return readSiteName(home === undefined ? findSiteOfRoot(root) : home) ?? undefined;
  });
}
