/** The dry run: the exact payload on stdout, what it means on stderr. Offline. */
import { type ArticleDraft, DESTINATION_KEYS, type DestinationKey, type Notice } from '../../article/types.ts';
import type { Preflight } from '../../destinations/format/preflight.ts';
import type { CliContext } from '../context.ts';
import { toDeliverable } from '../deliverable.ts';
import type { PreparedDocument } from '../prepared-document.ts';
import type { PublishFlags } from '../publish-flags.ts';
import { describeNotice, reportWarnings } from '../report.ts';
import { harmlessJson, type Terminal } from '../terminal.ts';

export async function showPreview(
  file: string,
  document: PreparedDocument,
  flags: PublishFlags,
  context: CliContext,
): Promise<void> {
  const { terminal } = context;
  const { payload, draft, warnings } = document;
  const preflights = await preflightDestinations(document);
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
  reportDestinations(preflights, file, terminal);
  terminal.note(paint.green(`${file} can be published.`));
}

interface DestinationPreflight extends Preflight {
  destination: DestinationKey;
  /** What cannot be changed or taken back once it is there. */
  lasting: Notice[];
}

/** For every platform that may stand behind an enabled destination: which one is connected is not known offline. */
async function preflightDestinations({ draft, bodyLine }: PreparedDocument): Promise<DestinationPreflight[]> {
  if (draft.status === 'DRAFT') return [];
  // Formats are read for a dry run alone.
  const [{ preflight, listLasting }, { PLATFORMS_BY_KEY }] = await Promise.all([
    import('../../destinations/format/preflight.ts'),
    import('../../destinations/platforms.ts'),
  ]);
  const article = toDeliverable(draft);
  return DESTINATION_KEYS.filter((key) => draft.crossPost[key]).flatMap((destination) =>
    preflight(article, PLATFORMS_BY_KEY[destination], { bodyLine }).map((found) => ({
      destination,
      ...found,
      lasting: listLasting(found.platform),
    })),
  );
}

function reportDestinations(preflights: DestinationPreflight[], file: string, terminal: Terminal): void {
  const paint = terminal.notePaint;
  for (const { destination, label, refusal, losses, lasting } of preflights) {
    const name = `${destination} (${label})`;
    if (refusal !== null)
      terminal.note(`${paint.yellow(`${name} would refuse this:`)} ${paint.plain(describeNotice(refusal, file))}`);
    for (const loss of losses) terminal.note(`${paint.yellow(`${name}:`)} ${paint.plain(describeNotice(loss, file))}`);
    for (const notice of lasting) terminal.note(`${paint.dim(`${name}:`)} ${paint.plain(notice.message)}`);
  }
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
