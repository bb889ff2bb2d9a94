/** Builds the responses of pages that are the same for all readers. */
import type { Answer } from '../http-cache/respond.ts';
import { PAGE_POLICY } from './layout.ts';
import { renderGonePage, renderNotFoundPage } from './not-found-page.ts';

export const PAGE_TYPE = 'text/html; charset=utf-8';

export const PAGE_HEADERS = {
  'content-security-policy': PAGE_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
} as const;

export function answerWithPage(body: string, { lastModified, shows }: Pick<Answer, 'lastModified' | 'shows'>): Answer {
  return { status: 200, type: PAGE_TYPE, body, headers: PAGE_HEADERS, lastModified, shows };
}

export function answerNotFound(): Answer {
  return { ...answerWithPage(renderNotFoundPage(), { lastModified: null, shows: [] }), status: 404 };
}

export function answerGone(): Answer {
  return { ...answerWithPage(renderGonePage(), { lastModified: null, shows: [] }), status: 410 };
}
