/** The dry run: prints the exact payload on stdout and explains it on stderr. Offline. */
import { buildSlug } from '../../../article/identity/slug.ts';
import type { ArticleDraft, DeliverableArticle, DestinationKey, Notice } from '../../../article/types.ts';
import type { Preflight } from '../../../destinations/format/preflight.ts';
import { listPermanentEffects, preflight } from '../../../destinations/format/preflight.ts';
import { PLATFORMS_BY_KEY } from '../../../destinations/platforms.ts';
import { findDescriptor } from '../../../destinations/registry.ts';
import { listDestinations, type PreparedDocument } from '../../document/prepare-document.ts';
import { formatJsonLine, formatReadableJson, neutraliseText, type Terminal } from '../../terminal/output.ts';
import { describeNotice, reportWarnings } from '../../terminal/report.ts';
import { describeDoubts, listPublishDoubts } from './doubts.ts';
import type { PublishFlags } from './flags.ts';

export async function showPreview(document: PreparedDocument, flags: PublishFlags, terminal: Terminal): Promise<void> {
  const { file, payload, draft, warnings, hints } = document;
  const doubts = listPublishDoubts(document);
  const destinations = preflightDestinations(document);
  const summary = summarise(draft);
  const show = flags.show === undefined ? undefined : listPayloads(flags.show, draft);
  if (flags.json) {
    const preview = { success: true, dryRun: true, file, payload, summary, warnings, doubts, hints, destinations };
    return terminal.out(formatJsonLine({ ...preview, show }));
  }
  if (show === undefined) terminal.out(formatReadableJson(payload));
  else for (const { label, payload: shown } of show) showPayload(`${label} (${flags.show})`, shown, terminal);
  const { note, notePaint: paint } = terminal;
  note(`${paint.bold('Dry run:')} nothing was sent.`);
  for (const [name, value] of Object.entries(summary)) {
    const text = Array.isArray(value) ? value.join(', ') || 'none' : (value ?? 'none');
    note(`  ${paint.dim(name.padEnd(13))}${paint.plain(text)}`);
  }
  reportWarnings(warnings, file, terminal);
  // Ignored keys are on one line, because many files have many of them.
  const ignored = hints.filter(({ code }) => code === 'field_ignored').map(({ path }) => path);
  const otherHints = hints.filter(({ code }) => code !== 'field_ignored').map(({ message }) => message);
  for (const hint of [...otherHints, ...(ignored.length > 0 ? [`not read: ${ignored.join(', ')}`] : [])])
    note(`${paint.dim('hint:')} ${paint.plain(hint)}`);
  for (const { destination, label, refusal, losses, lasting } of destinations) {
    const name = `${label} (${destination})`;
    if (refusal !== null)
      note(`${paint.yellow(`${name} would refuse this:`)} ${paint.plain(describeNotice(refusal, file))}`);
    for (const loss of losses) note(`${paint.yellow(`${name}:`)} ${paint.plain(describeNotice(loss, file))}`);
    for (const { message } of lasting) note(`${paint.dim(`${name}:`)} ${paint.plain(message)}`);
  }
  const advice = '`courant publish` requires confirmation first, unless --yes is given.';
  if (doubts.length === 0 || flags.yes) note(paint.green(`${file} can be published.`));
  else note(paint.yellow(`${file} ${describeDoubts(doubts)}: ${advice}`));
}

interface DestinationPreflight extends Preflight {
  destination: DestinationKey;
  /** Properties of the copy that cannot be changed or withdrawn once it exists. */
  lasting: Notice[];
}

/** Checks every platform of an enabled destination: offline, the connected one is unknown. */
function preflightDestinations({ draft, bodyLine }: PreparedDocument): DestinationPreflight[] {
  if (draft.status === 'DRAFT') return [];
  const article = toDeliverable(draft);
  return listDestinations(draft).flatMap((destination) =>
    preflight(article, PLATFORMS_BY_KEY[destination], { bodyLine }).map((found) => ({
      ...{ destination, ...found },
      lasting: listPermanentEffects(found.platform),
    })),
  );
}

function summarise(draft: ArticleDraft): Record<string, string | string[] | null> {
  return {
    title: draft.title,
    status: draft.scheduledAt === null ? draft.status : `${draft.status} for ${draft.scheduledAt.toISOString()}`,
    tags: draft.tags,
    ...(draft.contentSignal === null ? {} : { agents: draft.contentSignal }),
    canonical: draft.canonicalUrl ?? 'the address of the article',
    cover: draft.coverImage,
    category: draft.category,
    series: draft.seriesId,
    destinations: draft.status === 'DRAFT' ? [] : listDestinations(draft),
  };
}

/** `--show`: what each platform of the destination would receive. */
function listPayloads(destination: DestinationKey, draft: ArticleDraft) {
  const article = toDeliverable(draft);
  return PLATFORMS_BY_KEY[destination].flatMap((platform) => {
    const format = findDescriptor(platform);
    return format === null ? [] : [{ platform, label: format.label, payload: format.format(article).payload }];
  });
}

const MAX_FIELD_CHARACTERS = 300;

/** Prints short fields first, one per line, then each long text unchanged. */
function showPayload(name: string, payload: unknown, { out, outPaint: paint }: Terminal): void {
  const isText = ({ value }: Field) => value.includes('\n') || value.length > MAX_FIELD_CHARACTERS;
  const fields = listFields(payload, '');
  out(paint.bold(name));
  for (const field of fields) if (!isText(field)) out(`  ${paint.dim(`${field.name}:`)} ${paint.plain(field.value)}`);
  for (const field of fields.filter(isText)) out(`  ${paint.dim(`${field.name}:`)}\n${neutraliseText(field.value)}`);
}

interface Field {
  name: string;
  value: string;
}

function listFields(value: unknown, name: string): Field[] {
  if (typeof value !== 'object' || value === null) return [{ name, value: String(value) }];
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return [{ name, value: value.join(', ') }];
  return Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .flatMap(([key, inner]) => listFields(inner, name === '' ? key : `${name}.${key}`));
}

/** The article for destinations, as far as it is known offline. */
function toDeliverable(draft: ArticleDraft): DeliverableArticle {
  const slug = draft.slug ?? buildSlug(draft.title);
  const { title, subtitle, tags, coverImage, generateToc, commentsEnabled, body } = draft;
  return {
    ...{ id: draft.externalId ?? slug, slug, title, subtitle, tags, coverImage, generateToc, commentsEnabled, body },
    excerpt: draft.excerpt ?? subtitle ?? title,
    // The site's address is unknown offline. The destination checks accept any public address.
    canonicalUrl: draft.canonicalUrl ?? `https://example.com/${slug}`,
  };
}
