/** What came of a publish, in a few sentences for the page that follows. */
import type { PublishAnswer } from '../../publish/schema.ts';
import type { Notice } from '../../web/notice.ts';

export function describePublished({ action, data, warnings = [] }: PublishAnswer): Notice {
  const did = DID[data.status][action];
  const when = data.scheduledAt ? ` It appears on ${tellTime(data.scheduledAt)}.` : '';
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

function tellTime(iso: string): string {
  return `${iso.slice(0, 10)} at ${iso.slice(11, 16)} UTC`;
}
