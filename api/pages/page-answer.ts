/** Pages that everybody is shown alike, as answers. */
import type { Answer } from '../answers/answer.ts';
import { renderGonePage, renderNotFoundPage } from './not-found-page.ts';
import { READING_SCRIPT_POLICY } from './reading-script.ts';

/** No script runs on a page, even if the sanitiser missed one. Images may come from anywhere, since articles show them. */
const PAGE_POLICY =
  "default-src 'none'; img-src * data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const PAGE_TYPE = 'text/html; charset=utf-8';

export const PAGE_HEADERS = {
  'content-security-policy': PAGE_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
} as const;

type Shown = Pick<Answer, 'lastModified' | 'shows'>;

export function answerWithPage(body: string, { lastModified, shows }: Shown): Answer {
  return { status: 200, type: PAGE_TYPE, body, headers: PAGE_HEADERS, lastModified, shows };
}

/** An article's page has a script of ours. Those that the sanitiser missed still do not run. */
export function answerWithArticlePage(body: string, shown: Shown): Answer {
  const headers = { ...PAGE_HEADERS, 'content-security-policy': `${PAGE_POLICY}; ${READING_SCRIPT_POLICY}` };
  return { ...answerWithPage(body, shown), headers };
}

export function answerNotFound(): Answer {
  return { ...answerWithPage(renderNotFoundPage(), { lastModified: null, shows: [] }), status: 404 };
}

export function answerGone(): Answer {
  return { ...answerWithPage(renderGonePage(), { lastModified: null, shows: [] }), status: 410 };
}
