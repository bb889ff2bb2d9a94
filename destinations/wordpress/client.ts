/** Talks to the REST API of a WordPress site. */
import { limitTime } from '../http/context.ts';
import { reportDrift } from '../posts/drift.ts';
import type { ClientOptions, DestinationClient, Outcome, RemotePost } from '../types.ts';
import { createCaller, type WordPressCaller } from './call.ts';
import { uploadCover } from './cover.ts';
import { findPost } from './find.ts';
import type { WordPressPayload } from './format.ts';
import { LABEL } from './limits.ts';
import { POST_FIELDS, readPost, readPresent } from './posts.ts';
import { probeSite } from './probe.ts';
import { rejectGone } from './refusals.ts';
import { resolveTags } from './terms.ts';

/** For all tags and the cover together. */
const PREPARE_MS = 20_000;

export function createClient(options: ClientOptions): DestinationClient<WordPressPayload> {
  const caller = createCaller(options);
  return {
    probe: () => probeSite(options),

    find: (article) => findPost(caller, article),

    async prepare(payload) {
      const bounded = limitTime(options, PREPARE_MS);
      const boundedCaller = createCaller(bounded);
      const tags = await resolveTags(boundedCaller, payload.tagNames);
      if (tags.kind !== 'done') return tags;
      const cover: Outcome<number | null> =
        payload.cover === null ? { kind: 'done', value: 0 } : await uploadCover(boundedCaller, bounded, payload.cover);
      if (cover.kind !== 'done') return cover;
      return { kind: 'done', value: { ...payload, ids: { tags: tags.value, featuredMedia: cover.value } } };
    },

    // A refused create may have made the post: WordPress writes terms and plugin fields after it.
    create: (payload) => writePost(caller, '/wp/v2/posts', { ...buildFields(payload), slug: payload.slug }, 'create'),

    async update(remoteId, payload, unchangedSince) {
      const present = await readPresent(caller, remoteId, 'update');
      if (present.kind !== 'done') return present;
      // Writing to a post in the trash would bring it back to readers.
      if (present.value === null) return rejectGone();
      const { changedAt, isDraft } = present.value;
      // A draft is what our own withdrawal left, and WordPress does not say who changed a post. A change by hand between
      // this look and the write is not noticed: WordPress has no conditional update.
      if (!isDraft && unchangedSince && changedAt && Date.parse(changedAt) > Date.parse(unchangedSince)) {
        return reportDrift(LABEL, changedAt);
      }
      // The slug stays as it is: changing it would break the links to the post.
      return writePost(caller, `/wp/v2/posts/${remoteId}`, buildFields(payload), 'update');
    },

    async withdraw(remoteId) {
      const present = await readPresent(caller, remoteId, 'withdraw');
      if (present.kind !== 'done') return present;
      if (present.value === null) return rejectGone();
      // A draft, not the trash, which WordPress empties after a month, comments included.
      const changed = await writePost(caller, `/wp/v2/posts/${remoteId}`, { status: 'draft' }, 'withdraw');
      return changed.kind === 'done' ? { kind: 'done', value: null } : changed;
    },
  };
}

function writePost(
  caller: WordPressCaller,
  route: string,
  body: Record<string, unknown>,
  intent: 'create' | 'update' | 'withdraw',
): Promise<Outcome<RemotePost>> {
  return caller.call({ method: 'POST', route, query: { _fields: POST_FIELDS }, body }, intent, ({ json }) =>
    readPost(json),
  );
}

function buildFields({ post, ids }: WordPressPayload): Record<string, unknown> {
  const media = ids?.featuredMedia ?? null;
  return {
    ...post,
    status: 'publish',
    ...(ids === undefined ? {} : { tags: ids.tags }),
    ...(media === null ? {} : { featured_media: media }),
  };
}
