/** Checks that a Ghost runs at the address, identifies the site, and validates the key. */
import { ignoreResponse } from '../http/caller.ts';
import { reject } from '../http/failures.ts';
import { readField, readText } from '../http/read-field.ts';
import { readAccount, readSiteName } from '../posts/remote-post.ts';
import type { Failure, Outcome, ProbedAccount } from '../types.ts';
import type { GhostCaller } from './call.ts';

/** The account is the site: an integration's key belongs to one site and to no person. */
export async function probeSite(caller: GhostCaller): Promise<Outcome<ProbedAccount>> {
  const site = await caller.call({ method: 'GET', path: '/site/', isPublic: true }, 'read', ({ json }) =>
    readSite(readField(json, 'site')),
  );
  if (site.kind === 'rejected' && site.code === 'not_found') return rejectOther();
  if (site.kind !== 'done') return site;
  if (site.value === null) return rejectOther();
  // The smallest request that needs a valid key.
  const allowed = await caller.call({ method: 'GET', path: '/posts/?limit=1&fields=id' }, 'read', ignoreResponse);
  return allowed.kind === 'done' ? { kind: 'done', value: site.value } : allowed;
}

/**
 * Newer versions return an id that survives a change of domain. Older ones return only the site's
 * own address.
 */
function readSite(site: unknown): ProbedAccount | null {
  const address = readSiteName(readField(site, 'url'));
  if (address === null) return null;
  const uuid = readText(site, 'site_uuid')?.toLowerCase() ?? '';
  const name = readAccount(readField(site, 'title'));
  const shown = { name: name === null ? address : `${name} at ${address}` };
  return UUID.test(uuid) ? { account: uuid, formerAccount: address, ...shown } : { account: address, ...shown };
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

function rejectOther(): Failure {
  return reject('not_ghost', 'There is no Ghost at this address. Enter the address of the site’s admin area.');
}
