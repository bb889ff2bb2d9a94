/** Talks to the REST API of a WordPress site. */
import { outcomeOfWeather } from '../http/outcomes.ts';
import { withinMs } from '../http/within.ts';
import type { ClientOptions, DestinationClient, Outcome, RemotePost } from '../types.ts';
import { type Call, callWordPress } from './call.ts';
import { resolveCover } from './cover.ts';
import type { WordPressPayload } from './format.ts';
import { WORDPRESS_LABEL } from './limits.ts';
import { findPost, POST_FIELDS, readPost, readPresent } from './posts.ts';
import { probeWordPress } from './probe.ts';
import { remoteGone } from './refusals.ts';
import { resolveTags } from './terms.ts';

/** For terms, cover and all: several exchanges, of which none may use up the patience of the whole. */
const PREPARE_MS = 20_000;

export function createWordPressClient(options: ClientOptions): DestinationClient<WordPressPayload> {
  return {
    probe: () => probeWordPress(options),
    find: (article) => findPost(options, article),
    prepare: (payload) => prepare(options, payload),

    create(payload) {
      const body = { ...fieldsOf(payload), slug: payload.slug };
      // What is refused here may have been made: terms and fields of plugins come after the post itself.
      return writePost(options, { method: 'POST', route: '/wp/v2/posts', body }, 'create');
    },

    async update(remoteId, payload, unchangedSince) {
      const present = await readPresent(options, remoteId, 'update');
      if (present.kind !== 'done') return present;
      // Writing to a post in the trash would bring it back to readers.
      if (present.value === null) return remoteGone();
      const { changedAt, isDraft } = present.value;
      // Withdrawing a post changes it too, and WordPress does not say what changed or who did it. Between this look and the
      // write lies a moment in which a change by hand is not seen: there is no conditional update.
      if (!isDraft && unchangedSince && changedAt && Date.parse(changedAt) > Date.parse(unchangedSince)) {
        return {
          kind: 'drifted',
          changedAt,
          reason: 'The post was changed on WordPress since it was delivered there.',
        };
      }
      // The slug stays as it is: changing it would break the links to the post.
      const body = fieldsOf(payload);
      return writePost(options, { method: 'POST', route: `/wp/v2/posts/${remoteId}`, body }, 'update');
    },

    async withdraw(remoteId) {
      const present = await readPresent(options, remoteId, 'withdraw');
      if (present.kind !== 'done') return present;
      if (present.value === null) return remoteGone();
      // A draft, not the trash: there it would be deleted for good after a month, comments and all.
      const body = { status: 'draft' };
      const answer = await writePost(options, { method: 'POST', route: `/wp/v2/posts/${remoteId}`, body }, 'withdraw');
      return answer.kind === 'done' ? { kind: 'done', value: null } : answer;
    },
  };
}

async function prepare(options: ClientOptions, payload: WordPressPayload): Promise<Outcome<WordPressPayload>> {
  const bounded = withinMs(options, PREPARE_MS);
  const tags = await resolveTags(bounded, payload.tagNames);
  if (tags.kind !== 'done') return tags;
  const cover: Outcome<number | null> =
    payload.cover === null ? { kind: 'done', value: 0 } : await resolveCover(bounded, payload.cover);
  if (cover.kind !== 'done') return cover;
  return { kind: 'done', value: { ...payload, ids: { tags: tags.value, featuredMedia: cover.value } } };
}

async function writePost(
  options: ClientOptions,
  call: Call,
  intent: 'create' | 'update' | 'withdraw',
): Promise<Outcome<RemotePost>> {
  const answer = await callWordPress(options, { ...call, query: { _fields: POST_FIELDS } }, intent);
  if (answer.kind !== 'done') return answer;
  const post = readPost(answer.value.json);
  return post ? { kind: 'done', value: post } : outcomeOfWeather(answer.value, intent, WORDPRESS_LABEL);
}

function fieldsOf({ post, ids }: WordPressPayload): Record<string, unknown> {
  const media = ids?.featuredMedia ?? null;
  return {
    ...post,
    status: 'publish',
    ...(ids === undefined ? {} : { tags: ids.tags }),
    ...(media === null ? {} : { featured_media: media }),
  };
}
