/** Talks to Ghost's Admin API. Every change names the version it was made for, and Ghost refuses what came too late. */

import type { HttpAnswer } from '../http/exchange.ts';
import { field } from '../http/json-fields.ts';
import { type Intent, outcomeOfWeather } from '../http/outcomes.ts';
import { plainLine } from '../http/reason.ts';
import type { ClientOptions, DestinationClient, Outcome, ProbedAccount, RemotePost } from '../types.ts';
import { callGhost } from './call.ts';
import { findPost } from './find.ts';
import type { GhostPayload } from './format.ts';
import { GHOST_LABEL } from './limits.ts';
import { asRemote, type GhostPost, POST_FIELDS, readPosts } from './posts.ts';
import { postGone } from './refusals.ts';

/** HTML is converted on the way in; the plain text is the least that can be asked for in return. */
const WRITE_OPTIONS = 'source=html&formats=plaintext';

/** How often a change is made anew because somebody saved the post between our look and our change. */
const ATTEMPTS = 3;

export function createGhostClient(options: ClientOptions): DestinationClient<GhostPayload> {
  return {
    probe: () => probeSite(options),

    find: (article) => findPost(options, article),

    async create(payload) {
      const body = { posts: [payload] };
      return remotePost(await callGhost(options, { method: 'POST', path: `/posts/?${WRITE_OPTIONS}`, body }, 'create'));
    },

    async update(remoteId, payload, unchangedSince) {
      // The slug stays as it is: changing it would break the links to the post.
      const { slug: _, ...fields } = payload;
      return changePost(options, remoteId, fields, 'update', unchangedSince ?? null);
    },

    async withdraw(remoteId) {
      // As a draft it is seen in the admin area only, and keeps its address for when it comes back.
      const changed = await changePost(options, remoteId, { status: 'draft' }, 'withdraw', null);
      return changed.kind === 'done' ? { kind: 'done', value: null } : changed;
    },
  };
}

async function probeSite(options: ClientOptions): Promise<Outcome<ProbedAccount>> {
  const site = await callGhost(options, { method: 'GET', path: '/site/', isPublic: true }, 'read');
  if (site.kind === 'rejected' && site.code === 'not_found') return notGhost();
  if (site.kind !== 'done') return site;
  const url = field(field(site.value.json, 'site'), 'url');
  if (typeof url !== 'string' || !URL.canParse(url)) return notGhost();
  // The least that only a good key may read; an integration is nobody, so there is no person to ask for.
  const allowed = await callGhost(options, { method: 'GET', path: '/posts/?limit=1&fields=id' }, 'read');
  if (allowed.kind !== 'done') return allowed;
  // A key opens one site, and a site is where it is; that it came to speak https does not make it another.
  const { host, pathname } = new URL(url);
  return { kind: 'done', value: { account: plainLine(`${host}${pathname.replace(/\/+$/, '')}`).slice(0, 300) } };
}

function notGhost(): Outcome<never> {
  const reason = 'No Ghost answers at this address: give the address of the site’s admin area.';
  return { kind: 'rejected', code: 'not_ghost', reason };
}

/** Looks, then changes what it saw. A save of somebody else's in between is looked at before anything is overwritten. */
async function changePost(
  options: ClientOptions,
  remoteId: string,
  fields: Partial<Omit<GhostPayload, 'status'>> & { status: string },
  intent: 'update' | 'withdraw',
  unchangedSince: string | null,
): Promise<Outcome<RemotePost>> {
  const path = `/posts/${encodeURIComponent(remoteId)}/`;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const present = await readPresent(options, path);
    if (present.kind !== 'done') return present;
    const { changedAt, status } = present.value;
    // A draft is what a withdrawal left, which nobody reads; what it was withdrawn for is its last change.
    const isWatched = unchangedSince !== null && status !== 'draft';
    if (isWatched && Date.parse(changedAt) > Date.parse(unchangedSince)) {
      return { kind: 'drifted', changedAt, reason: 'The post was changed on Ghost since it was last sent there.' };
    }
    const body = { posts: [{ ...fields, updated_at: changedAt }] };
    const answer = await callGhost(options, { method: 'PUT', path: `${path}?${WRITE_OPTIONS}`, body }, intent);
    if (answer.kind !== 'rejected' || answer.code !== 'collision') return remotePost(answer, intent);
  }
  return { kind: 'unavailable', reason: 'Somebody is editing the post on Ghost at this very moment.' };
}

async function readPresent(options: ClientOptions, path: string): Promise<Outcome<GhostPost>> {
  const answer = await callGhost(options, { method: 'GET', path: `${path}?fields=${POST_FIELDS}` }, 'read');
  if (answer.kind === 'rejected' && answer.code === 'not_found') return postGone();
  if (answer.kind !== 'done') return answer;
  const post = readPosts(answer.value.json)?.[0];
  return post ? { kind: 'done', value: post } : outcomeOfWeather(answer.value, 'read', GHOST_LABEL);
}

function remotePost(answer: Outcome<HttpAnswer>, intent: Intent = 'create'): Outcome<RemotePost> {
  if (answer.kind !== 'done') return answer;
  const post = readPosts(answer.value.json)?.[0];
  return post ? { kind: 'done', value: asRemote(post) } : outcomeOfWeather(answer.value, intent, GHOST_LABEL);
}
