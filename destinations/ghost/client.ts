/** Talks to Ghost's Admin API. Every change names the version it was made for, and Ghost refuses it for a newer one. */
import { reportDrift } from '../posts/drift.ts';
import type { ClientOptions, DestinationClient, Outcome, RemotePost } from '../types.ts';
import { createCaller, type GhostCaller } from './call.ts';
import { findPost } from './find.ts';
import type { GhostPayload } from './format.ts';
import { LABEL } from './limits.ts';
import { type GhostPost, POST_FIELDS, readFirstPost, readWritten } from './posts.ts';
import { probeSite } from './probe.ts';
import { rejectGone } from './refusals.ts';

/** Ghost converts the HTML. Plain text is the shortest format that can be requested in return. */
const WRITE_OPTIONS = 'source=html&formats=plaintext';

/** How often a change is tried, because somebody may save the post between our look and our change. */
const ATTEMPTS = 3;

export function createClient(options: ClientOptions): DestinationClient<GhostPayload> {
  const caller = createCaller(options);
  return {
    probe: () => probeSite(caller),

    find: (article) => findPost(caller, article),

    create: (payload) =>
      caller.call(
        { method: 'POST', path: `/posts/?${WRITE_OPTIONS}`, body: { posts: [payload] } },
        'create',
        ({ json }) => readWritten(json),
      ),

    update(remoteId, payload, unchangedSince) {
      // The slug stays as it is: changing it would break the links to the post.
      const { slug: _, ...fields } = payload;
      return changePost(caller, remoteId, fields, 'update', unchangedSince ?? null);
    },

    async withdraw(remoteId) {
      // A draft is visible in the admin area only, and keeps its address for a later update.
      const changed = await changePost(caller, remoteId, { status: 'draft' }, 'withdraw', null);
      return changed.kind === 'done' ? { kind: 'done', value: null } : changed;
    },
  };
}

/** Looks, then changes what it saw. If somebody saves the post in between, it looks again before it overwrites anything. */
async function changePost(
  caller: GhostCaller,
  remoteId: string,
  fields: Partial<Omit<GhostPayload, 'status'>> & { status: string },
  intent: 'update' | 'withdraw',
  unchangedSince: string | null,
): Promise<Outcome<RemotePost>> {
  const path = `/posts/${encodeURIComponent(remoteId)}/`;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const present = await readPresent(caller, path);
    if (present.kind !== 'done') return present;
    const { changedAt, status } = present.value;
    // A draft is what our own withdrawal left, and that was its last change.
    const isWatched = unchangedSince !== null && status !== 'draft';
    if (isWatched && Date.parse(changedAt) > Date.parse(unchangedSince)) return reportDrift(LABEL, changedAt);
    const body = { posts: [{ ...fields, updated_at: changedAt }] };
    const changed = await caller.call({ method: 'PUT', path: `${path}?${WRITE_OPTIONS}`, body }, intent, ({ json }) =>
      readWritten(json),
    );
    if (changed.kind !== 'rejected' || changed.code !== 'collision') return changed;
  }
  return { kind: 'unavailable', reason: 'Somebody is editing the post on Ghost right now.' };
}

async function readPresent(caller: GhostCaller, path: string): Promise<Outcome<GhostPost>> {
  const present = await caller.call({ method: 'GET', path: `${path}?fields=${POST_FIELDS}` }, 'read', ({ json }) =>
    readFirstPost(json),
  );
  return present.kind === 'rejected' && present.code === 'not_found' ? rejectGone() : present;
}
