/** Whether there is a Ghost at the address, which site it is, and whether the key is valid there. */
import { readNothing } from '../http/caller.ts';
import { reject } from '../http/failures.ts';
import { readField } from '../http/read-field.ts';
import { readSiteName } from '../posts/remote-post.ts';
import type { Failure, Outcome, ProbedAccount } from '../types.ts';
import type { GhostCaller } from './call.ts';

/** The account is the site: an integration's key belongs to one site and to no person. */
export async function probeSite(caller: GhostCaller): Promise<Outcome<ProbedAccount>> {
  const site = await caller.call({ method: 'GET', path: '/site/', isPublic: true }, 'read', ({ json }) =>
    readSiteName(readField(json, 'site', 'url')),
  );
  if (site.kind === 'rejected' && site.code === 'not_found') return rejectOther();
  if (site.kind !== 'done') return site;
  if (site.value === null) return rejectOther();
  // The smallest request that needs a valid key.
  const allowed = await caller.call({ method: 'GET', path: '/posts/?limit=1&fields=id' }, 'read', readNothing);
  return allowed.kind === 'done' ? { kind: 'done', value: { account: site.value, name: site.value } } : allowed;
}

function rejectOther(): Failure {
  return reject('not_ghost', 'No Ghost answers at this address: give the address of the site’s admin area.');
}
