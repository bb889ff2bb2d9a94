/**
 * Client for Ghost's Admin API. Every change names the version it is based on, and Ghost refuses it
 * for a newer one.
 */
import { reject } from '../http/failures.ts';
import { isChangedSince, reportDrift } from '../posts/drift.ts';
import type { ClientOptions, DestinationClient, Outcome, RemotePost } from '../types.ts';
import { createCaller, type GhostCaller } from './call.ts';
import { findPost } from './find.ts';
import type { GhostPayload } from './format.ts';
import { LABEL, SLUG_LENGTH } from './limits.ts';
import { type GhostPost, hasSlug, POST_FIELDS, readFirstPost, readWritten } from './posts.ts';
import { probeSite } from './probe.ts';
import { rejectDeleted } from './refusals.ts';

/** Ghost converts the HTML. Plain text is the shortest format that can be requested in return. */
const WRITE_OPTIONS = 'source=html&formats=plaintext';

/**
 * Limits the attempts of one change, because somebody may save the post between our read and our
 * change.
 */
const MAX_ATTEMPTS = 3;

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
      // The slug does not change, because that would break the links to the post.
      const { slug, ...fields } = payload;
      return changePost(caller, remoteId, { intent: 'update', fields, slug, unchangedSince: unchangedSince ?? null });
    },

    async withdraw(remoteId, article) {
      // A draft is visible in the admin area only, and preserves its address for a later update.
      const change = {
        intent: 'withdraw',
        fields: { status: 'draft' },
        slug: article?.slug.slice(0, SLUG_LENGTH) ?? null,
      } as const;
      const changed = await changePost(caller, remoteId, { ...change, unchangedSince: null });
      return changed.kind === 'done' ? { kind: 'done', value: null } : changed;
    },
  };
}

interface Change {
  intent: 'update' | 'withdraw';
  fields: Partial<Omit<GhostPayload, 'status'>> & { status: string };
  /** The article's slug. Null if unknown. */
  slug: string | null;
  unchangedSince: string | null;
}

/**
 * Reads the post, then changes it. If somebody saves it in between, reads it again before it
 * overwrites anything.
 */
async function changePost(caller: GhostCaller, remoteId: string, change: Change): Promise<Outcome<RemotePost>> {
  const path = `/posts/${encodeURIComponent(remoteId)}/`;
  let seenAt: string | null = null;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const current = await readCurrentPost(caller, path);
    if (current.kind !== 'done') return current;
    const { changedAt, status } = current.value;
    if (!isOurs(current.value, change.slug)) return rejectForeign(current.value);
    // A draft comes from our own withdrawal, which was its last change. After a collision, any
    // later time is another person's change.
    const isWatched = change.unchangedSince !== null && status !== 'draft';
    const isChanged = seenAt === null ? isChangedSince(changedAt, change.unchangedSince) : changedAt !== seenAt;
    if (isWatched && isChanged) return reportDrift(LABEL, changedAt);
    seenAt = changedAt;
    const body = { posts: [{ ...change.fields, updated_at: changedAt }] };
    const request = { method: 'PUT', path: `${path}?${WRITE_OPTIONS}`, body } as const;
    const changed = await caller.call(request, change.intent, ({ json }) => readWritten(json));
    if (changed.kind !== 'rejected' || changed.code !== 'collision') return changed;
  }
  return { kind: 'unavailable', reason: 'Someone is editing the post on Ghost.' };
}

/**
 * Ghost does not name the owner of a post. Ours always have a canonical URL, and our slug until
 * somebody changes it. A different canonical URL proves nothing, because an article's can change.
 */
function isOurs(post: GhostPost, slug: string | null): boolean {
  return post.canonicalUrl !== null || slug === null || hasSlug(post, slug);
}

function rejectForeign({ url }: GhostPost): Outcome<never> {
  return reject(
    'remote_not_ours',
    `The post at ${url} does not belong to this article: it names no original and has another slug. It was not changed.`,
  );
}

async function readCurrentPost(caller: GhostCaller, path: string): Promise<Outcome<GhostPost>> {
  const current = await caller.call({ method: 'GET', path: `${path}?fields=${POST_FIELDS}` }, 'read', ({ json }) =>
    readFirstPost(json),
  );
  return current.kind === 'rejected' && current.code === 'not_found' ? rejectDeleted() : current;
}
