/**
 * Simulates the media library: raw bytes with a name in Content-Disposition. The bytes are checked
 * and then discarded.
 */
import type { WordPressContext } from '../context.ts';
import type { SandboxResponse } from '../faults.ts';
import { hasCapability, type LoggedInAccount } from './accounts.ts';
import { LIST_ARGUMENTS, refuseArguments } from './arguments.ts';
import { assignNextId, listRecords } from './list-records.ts';
import type { WordPressMedia } from './records.ts';
import { buildFailure, buildForbidden, type Json } from './responses.ts';
import { buildSlug, findFreeSlug } from './slugs.ts';

export interface Upload {
  bytes: Buffer | null;
  contentType: string | undefined;
  disposition: string | undefined;
}

/** `GET /wp/v2/media`. */
export function listMedia(sandbox: WordPressContext, query: Record<string, string | undefined>): SandboxResponse {
  const refused = refuseArguments(query, LIST_ARGUMENTS);
  if (refused) return refused;
  const slugs = query.slug?.split(',').map((slug) => buildSlug(slug));
  const found = listRecords(sandbox, 'wordpressMedia').filter(
    (media) => slugs === undefined || slugs.includes(media.slug),
  );
  return { status: 200, body: found.slice(0, Number(query.per_page ?? 10)).map((media) => showMedia(sandbox, media)) };
}

/**
 * `POST /wp/v2/media`. Like a real site, refuses anything but an image of a known type with a 500.
 */
export function uploadMedia(
  sandbox: WordPressContext,
  account: LoggedInAccount | null,
  query: Record<string, string | undefined>,
  upload: Upload,
): SandboxResponse {
  if (!hasCapability(account, 'upload_files')) {
    const message = 'Sorry, you are not allowed to upload media on this site.';
    return buildForbidden(account !== null, 'rest_cannot_create', message);
  }
  if (!upload.bytes?.length) return buildFailure(400, 'rest_upload_no_data', 'No data supplied.');
  if (upload.disposition === undefined) {
    return buildFailure(400, 'rest_upload_no_content_disposition', 'No Content-Disposition supplied.');
  }
  const fileName = /^attachment;\s*filename="?([\w.-]+)"?$/i.exec(upload.disposition)?.[1];
  if (fileName === undefined) {
    return buildFailure(400, 'rest_upload_invalid_disposition', 'Invalid Content-Disposition supplied.');
  }
  const mimeType = detectType(upload.bytes);
  if (mimeType === null || !ENDINGS[mimeType]?.test(fileName)) {
    return buildFailure(500, 'rest_upload_sideload_error', 'Sorry, you are not allowed to upload this file type.');
  }
  const taken = new Set(listRecords(sandbox, 'wordpressMedia').map((media) => media.slug));
  const media: WordPressMedia = {
    kind: 'wordpressMedia',
    site: sandbox.site.name,
    id: assignNextId(sandbox, 'wordpressMedia'),
    slug: findFreeSlug(buildSlug(query.slug ?? fileName.replace(/\.\w+$/, '')), taken),
    fileName,
    mimeType,
    altText: query.alt_text ?? '',
  };
  sandbox.state.save('cms_site', media);
  return { status: 201, body: showMedia(sandbox, media) };
}

const ENDINGS: Record<string, RegExp> = {
  'image/png': /\.png$/i,
  'image/jpeg': /\.jpe?g$/i,
  'image/gif': /\.gif$/i,
  'image/webp': /\.webp$/i,
};

function detectType(bytes: Buffer): string | null {
  const head = bytes.toString('latin1', 0, 12);
  if (head.startsWith('\x89PNG')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (head.startsWith('GIF8')) return 'image/gif';
  return /^RIFF.{4}WEBP$/s.test(head) ? 'image/webp' : null;
}

function showMedia(sandbox: WordPressContext, media: WordPressMedia): Json {
  return {
    id: Number(media.id),
    slug: media.slug,
    status: 'inherit',
    type: 'attachment',
    alt_text: media.altText,
    media_type: 'image',
    mime_type: media.mimeType,
    source_url: `${sandbox.site.url()}/wp-content/uploads/${media.fileName}`,
  };
}
