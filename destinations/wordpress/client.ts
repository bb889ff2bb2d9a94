/** Client for the REST API of a WordPress site. */
import { limitTime } from '../http/caller.ts';
import { isChangedSince, reportDrift } from '../posts/drift.ts';
import type { ClientOptions, DestinationClient } from '../types.ts';
import { createCaller } from './call.ts';
import { NO_COVER, uploadCover } from './cover.ts';
import { findPost } from './find.ts';
import type { WordPressPayload } from './format.ts';
import { readMarker } from './html/marker.ts';
import { LABEL } from './limits.ts';
import { readOwnPost, withdrawPost, writePost } from './posts.ts';
import { probeSite } from './site/probe.ts';
import { resolveTags } from './terms.ts';

/** For all tags and the cover together. */
const PREPARE_MS = 20_000;

export function createClient(options: ClientOptions): DestinationClient<WordPressPayload> {
  const caller = createCaller(options);
  const userId = Number(options.connection.credentials.userId);
  return {
    probe: () => probeSite(options),

    find: (article) => findPost(caller, userId, article),

    async prepare(payload) {
      const bounded = limitTime(options, PREPARE_MS);
      const boundedCaller = createCaller(bounded);
      const tags = await resolveTags(boundedCaller, payload.tagNames);
      if (tags.kind !== 'done') return tags;
      const cover = payload.cover === null ? NO_COVER : await uploadCover(boundedCaller, bounded, payload.cover);
      if (cover.kind !== 'done') return cover;
      const notices = [...tags.value.notices, ...cover.value.notices];
      const ids = { tags: tags.value.ids, featuredMedia: cover.value.id, notices };
      return { kind: 'done', value: { ...payload, ids } };
    },

    // A refused create may have created the post: terms and plugin fields are written after it.
    create: (payload) => writePost(caller, '/wp/v2/posts', payload, 'create'),

    async update(remoteId, payload, unchangedSince) {
      const article = { canonicalUrl: readMarker(payload.post.content), slug: payload.slug };
      const present = await readOwnPost(caller, { remoteId, userId, article, intent: 'update' });
      if (present.kind !== 'done') return present;
      const { changedAt, isDraft } = present.value;
      // A draft comes from our own withdrawal, and WordPress does not show who changed a post. A
      // change by hand between this read and the write is not noticed: WordPress has no conditional
      // update.
      if (!isDraft && isChangedSince(changedAt, unchangedSince)) return reportDrift(LABEL, changedAt);
      return writePost(caller, `/wp/v2/posts/${remoteId}`, payload, 'update');
    },

    async withdraw(remoteId, article) {
      const present = await readOwnPost(caller, { remoteId, userId, article, intent: 'withdraw' });
      return present.kind === 'done' ? withdrawPost(caller, remoteId) : present;
    },
  };
}
