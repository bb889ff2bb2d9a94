/** Describes the result of a publish, for the notice on the next page. */
import { formatTime } from '../../web/desk/times.ts';
import type { Notice } from '../../web/notice.ts';
import type { PublishResponseBody } from '../schema.ts';

export function describePublished({ action, data, warnings = [] }: PublishResponseBody, zone: string): Notice {
  const result = RESULTS[data.status][action];
  const schedule = data.scheduledAt ? ` It becomes public on ${formatTime(new Date(data.scheduledAt), zone)}.` : '';
  // Omits line numbers: writing the author's choices into the frontmatter may have shifted them.
  const [first, ...others] = warnings.map(({ message }) => message);
  if (first === undefined) return { kind: 'done', text: result + schedule };
  const othersText =
    others.length === 0 ? '' : ` And ${others.length} more ${others.length === 1 ? 'warning' : 'warnings'}.`;
  return { kind: 'warning', text: `${result}${schedule} Warning: ${first}${othersText}` };
}

const RESULTS = {
  PUBLISHED: { created: 'Article published.', updated: 'Article updated.' },
  SCHEDULED: { created: 'Article scheduled.', updated: 'Scheduled article updated.' },
  DRAFT: { created: 'Draft saved. Only you can see it.', updated: 'Draft updated. Only you can see it.' },
} as const;
