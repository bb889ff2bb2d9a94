/** The tags of a site, with unique names, and its media: their bytes are checked, not kept. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Json, Query, SandboxResponse } from '../exchange.ts';
import { hasCapability, type LoggedInAccount } from './accounts.ts';
import { LIST_ARGUMENTS, refuseArguments } from './arguments.ts';
import {
  assignNextId,
  buildSiteUrl,
  type WordPressContext,
  type WordPressMedia,
  type WordPressTag,
} from './context.ts';
import { buildFailure, buildForbidden } from './responses.ts';
import { buildSlug, findFreeSlug, hasSlug } from './slugs.ts';

/** `GET /wp/v2/tags`. */
export function listTags({ tags }: WordPressContext, query: Query): SandboxResponse {
  return listBySlug(tags.list(), query, showTag);
}

/** `GET /wp/v2/media`. */
export function listMedia(wordpress: WordPressContext, query: Query): SandboxResponse {
  return listBySlug(wordpress.media.list(), query, (file) => showMedia(wordpress, file));
}

function listBySlug<T extends { slug: string }>(
  records: T[],
  query: Query,
  show: (record: T) => Json,
): SandboxResponse {
  const found = records.filter((record) => hasSlug(record, query.slug)).slice(0, Number(query.per_page ?? 10));
  return refuseArguments(query, LIST_ARGUMENTS) ?? { status: 200, body: found.map(show) };
}

/** `POST /wp/v2/tags`. */
export function createTag({ tags }: WordPressContext, body: Json): SandboxResponse {
  if (body.name === undefined) {
    return buildFailure(400, 'rest_missing_callback_param', 'Missing parameter(s): name', { params: ['name'] });
  }
  // A term's name is stored as HTML.
  const name = String(body.name).trim().replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  if (name === '') return buildFailure(400, 'empty_term_name', 'A name is required for this term.');
  const same = tags.list().find((tag) => tag.name.toLowerCase() === name.toLowerCase());
  if (same) {
    const message = 'A term with the name provided already exists in this taxonomy.';
    return buildFailure(400, 'term_exists', message, { term_id: Number(same.id) });
  }
  const slug = findFreeSlug(buildSlug(String(body.name)), tags.list());
  const tag = { id: assignNextId(...tags.list()), name, slug };
  tags.save(tag);
  return { status: 201, body: showTag(tag) };
}

/** `POST /wp/v2/media`. Like a real site, answers 500 to all but known image types. */
export function uploadMedia(
  wordpress: WordPressContext,
  account: LoggedInAccount,
  query: Query,
  bytes: Buffer,
  headers: IncomingHttpHeaders,
): SandboxResponse {
  const { media, posts } = wordpress;
  if (!hasCapability(account, 'upload_files')) return buildForbidden('rest_cannot_create', 'upload media on this site');
  if (bytes.length === 0) return buildFailure(400, 'rest_upload_no_data', 'No data supplied.');
  const disposition = headers['content-disposition'] ?? '';
  const fileName = /^attachment;\s*filename="?([\w.-]+)"?$/i.exec(disposition)?.[1];
  if (fileName === undefined) {
    return buildFailure(400, 'rest_upload_invalid_disposition', 'Invalid Content-Disposition supplied.');
  }
  const [mimeType] =
    TYPES.find(([, start, end]) => start.test(bytes.toString('latin1', 0, 12)) && end.test(fileName)) ?? [];
  if (mimeType === undefined) {
    return buildFailure(500, 'rest_upload_sideload_error', 'Sorry, you are not allowed to upload this file type.');
  }
  const slug = findFreeSlug(buildSlug(query.slug ?? fileName.replace(/\.\w+$/, '')), media.list());
  const id = assignNextId(...posts.list(), ...media.list());
  const file = { id, slug, fileName, mimeType, altText: query.alt_text ?? '' };
  media.save(file);
  return { status: 201, body: showMedia(wordpress, file) };
}

const TYPES: readonly [type: string, start: RegExp, end: RegExp][] = [
  ['image/png', /^\x89PNG/, /\.png$/i],
  ['image/jpeg', /^\xff\xd8\xff/, /\.jpe?g$/i],
  ['image/gif', /^GIF8/, /\.gif$/i],
  ['image/webp', /^RIFF.{4}WEBP$/s, /\.webp$/i],
];

function showMedia(wordpress: WordPressContext, { id, slug, altText, mimeType, fileName }: WordPressMedia): Json {
  const source_url = `${buildSiteUrl(wordpress)}/wp-content/uploads/${fileName}`;
  return { id: Number(id), slug, alt_text: altText, mime_type: mimeType, source_url };
}

function showTag({ id, name, slug }: WordPressTag): Json {
  return { id: Number(id), name, slug };
}
