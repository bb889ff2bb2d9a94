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

/** For terms, cover and all: several exchanges, of which none may use up the time of the whole. */
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

    // What is refused here may have been made: terms and fields of plugins come after the post itself.
    create: (payload) => writePost(caller, '/wp/v2/posts', { ...buildFields(payload), slug: payload.slug }, 'create'),

    async update(remoteId, payload, unchangedSince) {
      const present = await readPresent(caller, remoteId, 'update');
      if (present.kind !== 'done') return present;
      // Writing to a post in the trash would bring it back to readers.
      if (present.value === null) return rejectGone();
      const { changedAt, isDraft } = present.value;
      // Withdrawing a post changes it too, and WordPress does not say what changed or who did it. A change by hand between
      // this look and the write is not seen: there is no conditional update.
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
      // A draft, not the trash: there it would be deleted for good after a month, comments and all.
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
