/** Describes the result of a publish, for the notice on the next page. */
import { formatTime } from '../../web/desk/times.ts';
import type { Notice } from '../../web/notice.ts';
import type { PublishResponseBody } from '../schema.ts';

export function describePublished({ action, data, warnings = [] }: PublishResponseBody, zone: string): Notice {
  const result = RESULTS[data.status][action];
  const when = data.scheduledAt ? ` It appears on ${formatTime(new Date(data.scheduledAt), zone)}.` : '';
  // Omits line numbers: writing the author's choices into the frontmatter may have shifted them.
  const [first, ...others] = warnings.map(({ message }) => message);
  if (first === undefined) return { kind: 'done', text: result + when };
  const rest = others.length === 0 ? '' : ` And ${others.length} more.`;
  return { kind: 'warning', text: `${result}${when} To know: ${first}${rest}` };
}

const RESULTS = {
  PUBLISHED: { created: 'Published: a new article.', updated: 'Published: the article is updated.' },
  SCHEDULED: { created: 'Scheduled: a new article.', updated: 'Scheduled: the article is updated.' },
  DRAFT: { created: 'Kept as a new draft: nobody else sees it.', updated: 'Kept as a draft: nobody else sees it.' },
} as const;
