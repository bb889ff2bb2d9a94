/** Whose account a connection is, on which site, and whether it may publish there. */
import { reject } from '../http/failures.ts';
import { readField } from '../http/read-field.ts';
import { readSiteName } from '../posts/remote-post.ts';
import type { ClientOptions, Outcome, ProbedAccount } from '../types.ts';
import { findSiteOfRoot, isApiRoot, normaliseRoot } from './api-root.ts';
import { createCaller, type WordPressCaller } from './call.ts';
import { discoverRoot } from './discovery.ts';
import { NO_RIGHT_TO_PUBLISH } from './refusals.ts';
import { readUser } from './user.ts';

/** The account is the site and the number of its user: logins, nicenames and permalinks change, and none of them makes another account. */
export async function probeSite(options: ClientOptions): Promise<Outcome<ProbedAccount>> {
  const { connection } = options;
  const root: Outcome<string> = isApiRoot(connection.baseUrl)
    ? { kind: 'done', value: normaliseRoot(connection.baseUrl) }
    : await discoverRoot(options);
  if (root.kind !== 'done') return root;
  const caller = createCaller({ ...options, connection: { ...connection, baseUrl: root.value } });
  const user = await readUser(caller);
  if (user.kind !== 'done') return user;
  const { id, name, nicename, mayPublish } = user.value;
  if (!mayPublish) return reject('cannot_publish', NO_RIGHT_TO_PUBLISH);
  const site = await readSite(caller, root.value);
  if (site.kind !== 'done') return site;
  return {
    kind: 'done',
    value: {
      account: `${site.value} ${id}`,
      name: `${name} at ${site.value}`,
      formerAccounts: [`${site.value} ${id}/${nicename}`],
      baseUrl: root.value,
      settings: { userId: String(id) },
    },
  };
}

/**
 * The address that the site gives itself: it may be reached under others and is still one site. A plugin may take it out of the index, and
 * then the address of the API has to do.
 */
function readSite(caller: WordPressCaller, root: string): Promise<Outcome<string>> {
  return caller.call({ method: 'GET', route: '/', query: { _fields: 'home' } }, 'read', ({ json }) => {
    const home = readField(json, 'home');
    return readSiteName(home === undefined ? findSiteOfRoot(root) : home) ?? undefined;
  });
}
