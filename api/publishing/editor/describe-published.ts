/** What came of a publish, in a few sentences for the page that follows. */
import { formatTime } from '../../web/desk/times.ts';
import type { PublishAnswer } from '../schema.ts';
import type { Notice } from '../../web/notice.ts';

export function describePublished({ action, data, warnings = [] }: PublishAnswer, zone: string): Notice {
  const did = DID[data.status][action];
  const when = data.scheduledAt ? ` It appears on ${formatTime(new Date(data.scheduledAt), zone)}.` : '';
  // Their lines may be others now: what was chosen stands in the frontmatter.
  const [first, ...more] = warnings.map(({ message }) => message);
  if (first === undefined) return { kind: 'done', text: did + when };
  const rest = more.length === 0 ? '' : ` And ${more.length} more.`;
  return { kind: 'warning', text: `${did}${when} To know: ${first}${rest}` };
}

const DID = {
  PUBLISHED: { created: 'Published: a new article.', updated: 'Published: the article is updated.' },
  SCHEDULED: { created: 'Scheduled: a new article.', updated: 'Scheduled: the article is updated.' },
  DRAFT: { created: 'Kept as a new draft: nobody else sees it.', updated: 'Kept as a draft: nobody else sees it.' },
} as const;
