/** Builds the responses of pages that are the same for all readers. */
import type { PublicResponse } from '../http-cache/public-response.ts';
import { PAGE_POLICY } from './layout.ts';
import { renderNotFoundPage, renderWithdrawnPage } from './not-found-page.ts';

export const PAGE_TYPE = 'text/html; charset=utf-8';

export const PAGE_HEADERS = {
  'content-security-policy': PAGE_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
} as const;

export function buildPageResponse(
  body: string,
  { lastModified, cacheTags }: Pick<PublicResponse, 'lastModified' | 'cacheTags'>,
): PublicResponse {
  return { status: 200, type: PAGE_TYPE, body, headers: PAGE_HEADERS, lastModified, cacheTags };
}

export function buildNotFoundResponse(): PublicResponse {
  return { ...buildPageResponse(renderNotFoundPage(), { lastModified: null, cacheTags: [] }), status: 404 };
}

export function buildGoneResponse(): PublicResponse {
  return { ...buildPageResponse(renderWithdrawnPage(), { lastModified: null, cacheTags: [] }), status: 410 };
}
