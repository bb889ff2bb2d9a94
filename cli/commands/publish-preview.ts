/** The dry run: the exact payload on stdout, what it means on stderr. Offline. */
import { slugFromTitle } from '../../article/slug.ts';
import type { DeliverableArticle } from '../../article/types.ts';
import { type ArticleDraft, DESTINATION_KEYS, type DestinationKey, type Notice } from '../../article/types.ts';
import { formatForForem } from '../../destinations/forem/format.ts';
import { formatForHashnode } from '../../destinations/hashnode/format.ts';
import type { Formatted } from '../../destinations/types.ts';
import type { CliContext } from '../context.ts';
import type { PreparedDocument } from '../prepared-document.ts';
import type { PublishFlags } from '../publish-flags.ts';
import { reportWarnings } from '../report.ts';
import { harmlessJson } from '../terminal.ts';

export function showPreview(file: string, document: PreparedDocument, flags: PublishFlags, context: CliContext): void {
  const { terminal } = context;
  const { payload, draft, warnings } = document;
  const preflights = preflight(draft);
  if (flags.json) {
    const summary = summarise(draft);
    terminal.out(harmlessJson({ success: true, dryRun: true, payload, summary, warnings, destinations: preflights }));
    return;
  }
  terminal.out(harmlessJson(payload));
  const paint = terminal.notePaint;
  terminal.note(`${paint.bold('Dry run:')} nothing was sent.`);
  for (const [name, value] of Object.entries(summarise(draft))) {
    const text = Array.isArray(value) ? value.join(', ') || 'none' : String(value ?? 'none');
    terminal.note(`  ${paint.dim(name.padEnd(13))}${paint.plain(text)}`);
  }
  reportWarnings(warnings, file, terminal);
  for (const { destination, refusal, losses } of preflights) {
    if (refusal !== null)
      terminal.note(`${paint.yellow(`${destination} would refuse this:`)} ${paint.plain(refusal.message)}`);
    for (const loss of losses)
      terminal.note(`${paint.yellow(`${destination}:`)} ${paint.plain(`${loss.message} (${loss.code})`)}`);
  }
  terminal.note(paint.green(`${file} can be published.`));
}

interface Preflight {
  destination: DestinationKey;
  refusal: Notice | null;
  losses: Notice[];
}

/** Destinations whose rules are known here; the others say at delivery. */
const FORMATS: Partial<Record<DestinationKey, (article: DeliverableArticle) => Formatted<unknown>>> = {
  blogsite_a: formatForForem,
  blogsite_b: formatForHashnode,
};

function preflight(draft: ArticleDraft): Preflight[] {
  if (draft.status === 'DRAFT') return [];
  const article = toDeliverable(draft);
  return DESTINATION_KEYS.flatMap((destination) => {
    const format = FORMATS[destination];
    if (format === undefined || !draft.crossPost[destination]) return [];
    const { refusal, losses } = format(article);
    return [{ destination, refusal, losses }];
  });
}

function toDeliverable(draft: ArticleDraft): DeliverableArticle {
  const slug = draft.slug ?? slugFromTitle(draft.title);
  const { title, subtitle, tags, coverImage, generateToc, commentsEnabled, body } = draft;
  return {
    id: draft.externalId ?? slug,
    slug,
    title,
    subtitle,
    excerpt: draft.excerpt ?? subtitle ?? title,
    tags,
    // The site's own address is not known offline, and no destination minds which public one it is.
    canonicalUrl: draft.canonicalUrl ?? `https://example.com/${slug}`,
    coverImage,
    generateToc,
    commentsEnabled,
    body,
  };
}

function summarise(draft: ArticleDraft): Record<string, string | string[] | null> {
  const enabled = DESTINATION_KEYS.filter((key) => draft.crossPost[key]);
  return {
    title: draft.title,
    status: draft.scheduledAt === null ? draft.status : `${draft.status} for ${draft.scheduledAt.toISOString()}`,
    tags: draft.tags,
    canonical: draft.canonicalUrl ?? 'the address of the article',
    cover: draft.coverImage,
    category: draft.category,
    series: draft.seriesId,
    destinations: draft.status === 'DRAFT' ? [] : enabled,
  };
}
