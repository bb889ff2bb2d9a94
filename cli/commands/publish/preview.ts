/** The dry run: prints the exact payload on stdout and explains it on stderr. Offline. */
import { type ArticleDraft, DESTINATION_KEYS, type DestinationKey, type Notice } from '../../../article/types.ts';
import type { Preflight } from '../../../destinations/format/preflight.ts';
import type { CliContext } from '../../context.ts';
import { toDeliverable } from '../../document/deliverable.ts';
import type { PreparedDocument } from '../../document/prepare-document.ts';
import { formatJsonLine, formatReadableJson, type Terminal } from '../../terminal/output.ts';
import { describeNotice, reportWarnings } from '../../terminal/report.ts';
import { describeDoubts, listPublishDoubts } from './doubts.ts';
import type { PublishFlags } from './flags.ts';

export async function showPreview(
  file: string,
  document: PreparedDocument,
  flags: PublishFlags,
  context: CliContext,
): Promise<void> {
  const { terminal } = context;
  const { payload, draft, warnings, hints } = document;
  const doubts = listPublishDoubts(document);
  const preflights = await preflightDestinations(document);
  const selected = flags.show === undefined ? null : await showDestination(flags.show, document);
  if (flags.json) {
    const preview = { success: true, dryRun: true, file, payload, summary: summarise(draft), warnings, doubts, hints };
    const show = selected === null ? {} : { show: selected.payloads };
    terminal.out(formatJsonLine({ ...preview, destinations: preflights, ...show }));
    return;
  }
  if (selected !== null) selected.write(terminal);
  else terminal.out(formatReadableJson(payload));
  const paint = terminal.notePaint;
  terminal.note(`${paint.bold('Dry run:')} nothing was sent.`);
  for (const [name, value] of Object.entries(summarise(draft))) {
    const text = Array.isArray(value) ? value.join(', ') || 'none' : String(value ?? 'none');
    terminal.note(`  ${paint.dim(name.padEnd(13))}${paint.plain(text)}`);
  }
  reportWarnings(warnings, file, terminal);
  reportHints(hints, terminal);
  reportDestinations(preflights, file, terminal);
  if (doubts.length === 0 || flags.yes) terminal.note(paint.green(`${file} can be published.`));
  else {
    const advice = '`courant publish` requires confirmation first, unless --yes is given.';
    terminal.note(paint.yellow(`${file} ${describeDoubts(doubts)}: ${advice}`));
  }
}

async function showDestination(key: DestinationKey, document: PreparedDocument) {
  const { listPayloads, showPayloads } = await import('./show.ts');
  const payloads = listPayloads(key, document);
  return { payloads, write: (terminal: Terminal) => showPayloads(key, payloads, terminal) };
}

/** Prints ignored keys on one line, because many files have many of them. */
function reportHints(hints: Notice[], terminal: Terminal): void {
  const paint = terminal.notePaint;
  const ignored = hints.filter(({ code }) => code === 'field_ignored').map(({ path }) => path);
  for (const { code, message } of hints) {
    if (code !== 'field_ignored') terminal.note(`${paint.dim('hint:')} ${paint.plain(message)}`);
  }
  if (ignored.length > 0) terminal.note(`${paint.dim('hint:')} ${paint.plain(`not read: ${ignored.join(', ')}`)}`);
}

interface DestinationPreflight extends Preflight {
  destination: DestinationKey;
  /** Properties of the copy that cannot be changed or withdrawn once it exists. */
  lasting: Notice[];
}

/** Checks every platform of an enabled destination: offline, the connected one is unknown. */
async function preflightDestinations({ draft, bodyLine }: PreparedDocument): Promise<DestinationPreflight[]> {
  if (draft.status === 'DRAFT') return [];
  // Formats are loaded only for a dry run.
  const [{ preflight, listPermanentEffects }, { PLATFORMS_BY_KEY }] = await Promise.all([
    import('../../../destinations/format/preflight.ts'),
    import('../../../destinations/platforms.ts'),
  ]);
  const article = toDeliverable(draft);
  return DESTINATION_KEYS.filter((key) => draft.crossPost[key]).flatMap((destination) =>
    preflight(article, PLATFORMS_BY_KEY[destination], { bodyLine }).map((found) => ({
      destination,
      ...found,
      lasting: listPermanentEffects(found.platform),
    })),
  );
}

function reportDestinations(preflights: DestinationPreflight[], file: string, terminal: Terminal): void {
  const paint = terminal.notePaint;
  for (const { destination, label, refusal, losses, lasting } of preflights) {
    const name = `${label} (${destination})`;
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
    ...(draft.contentSignal === null ? {} : { agents: draft.contentSignal }),
    canonical: draft.canonicalUrl ?? 'the address of the article',
    cover: draft.coverImage,
    category: draft.category,
    series: draft.seriesId,
    destinations: draft.status === 'DRAFT' ? [] : enabled,
  };
}
