/** `courant import`: orders an import, follows it, and reports what became of each post. The import runs on the server: Ctrl-C ends only the watching. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CliContext } from '../context.ts';
import { createFailure, createInputFailure } from '../failure.ts';
import { isRecord, readText } from '../server/json.ts';
import { type Ask, openSession } from '../server/session.ts';

export interface ImportFlags {
  dryRun?: boolean;
  limit?: string;
  since?: string;
  draft?: boolean;
  endpoint?: string;
}

const SOURCES = ['blogsite_a', 'blogsite_b', 'blogsite_c', 'rss'];
const ASK_EVERY_MS = 1_000;

const ORDER = `mutation ($source: ImportSource!, $identifier: String!, $limit: Int, $since: String, $draft: Boolean, $dryRun: Boolean) {
  importArticles(source: $source, identifier: $identifier, limit: $limit, since: $since, draft: $draft, dryRun: $dryRun) { id }
}`;
const FOLLOW = `query ($id: ID!) { import(id: $id) {
  state reason waitsUntil counts { listed created present refused adopted waiting } notices { message } } }`;
const REPORT = `query ($id: ID!, $after: String) { import(id: $id) { items(first: 100, after: $after) {
  edges { node { title outcome reason adopted article { url } warnings { message } } } pageInfo { hasNextPage endCursor } } } }`;

export async function importArticles(
  source: string,
  identifier: string,
  flags: ImportFlags,
  context: CliContext,
): Promise<void> {
  const { terminal } = context;
  const ask = await openSession(flags.endpoint, 'An import', context);
  const variables = { source: readSource(source), identifier, ...readWishes(flags) };
  const ordered = (await ask(ORDER, variables)).importArticles;
  const id = isRecord(ordered) ? (readText(ordered.id) ?? '') : '';
  terminal.note(
    `Import ${terminal.notePaint.plain(id)} was ordered. It runs on the server, also when this program ends.`,
  );
  const end = await follow(ask, id, context);
  await report(ask, id, context);
  const { counts, notices } = end;
  for (const { message } of notices)
    terminal.note(`${terminal.notePaint.yellow('note:')} ${terminal.notePaint.plain(message)}`);
  const verb = flags.dryRun ? 'would be created' : 'created';
  terminal.out(
    `${counts.created} ${verb}, ${counts.present} here already, ${counts.refused} refused, ${counts.adopted} adopted.`,
  );
  if (end.state !== 'DONE')
    throw createFailure(`The import ended as ${end.state.toLowerCase()}. ${end.reason ?? ''}`.trim());
  if (counts.refused > 0) throw createFailure(`${counts.refused} posts were not imported.`);
}

function readSource(source: string): string {
  if (SOURCES.includes(source.toLowerCase())) return source.toUpperCase();
  throw createInputFailure(`There is no source "${source}".`, { hints: [`Sources: ${SOURCES.join(', ')}.`] });
}

function readWishes({ limit, since, draft = false, dryRun = false }: ImportFlags) {
  if (limit !== undefined && !/^[1-9]\d{0,5}$/.test(limit)) {
    throw createInputFailure(`--limit must be a number of posts; found "${limit}".`);
  }
  return { ...(limit !== undefined && { limit: Number(limit) }), ...(since !== undefined && { since }), draft, dryRun };
}

interface Standing {
  state: string;
  reason: string | null;
  waitsUntil: string | null;
  counts: Record<'listed' | 'created' | 'present' | 'refused' | 'adopted' | 'waiting', number>;
  notices: { message: string }[];
}

/** A line for every change, so that a log has it too. */
async function follow(ask: Ask, id: string, { terminal, signal }: CliContext): Promise<Standing> {
  let shown = '';
  for (;;) {
    const standing = (await ask(FOLLOW, { id })).import as Standing | null;
    if (standing === null) throw createFailure(`The server does not know the import ${id} any more.`);
    const { state, counts, waitsUntil } = standing;
    if (state !== 'RUNNING') return standing;
    const wait = waitsUntil === null ? '' : `; the source is asked again at ${waitsUntil}`;
    const line = `${counts.listed - counts.waiting} of ${counts.listed} posts${wait}`;
    if (line !== shown) terminal.note(terminal.notePaint.dim(line));
    shown = line;
    await sleep(ASK_EVERY_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

interface Item {
  title: string;
  outcome: string | null;
  reason: string | null;
  adopted: boolean;
  article: { url: string } | null;
  warnings: { message: string }[];
}

interface ItemPage {
  items: { edges: { node: Item }[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
}

async function report(ask: Ask, id: string, { terminal }: CliContext): Promise<void> {
  const { bold, dim, plain } = terminal.outPaint;
  for (let after: string | null = null; ; ) {
    const page = (await ask(REPORT, { id, after })).import as ItemPage | null;
    if (page === null) return;
    for (const { node } of page.items.edges) {
      const { title, outcome, reason, adopted, article } = node;
      const why = [reason, adopted ? 'adopted' : null, ...node.warnings.map(({ message }) => message)].filter(
        (text) => text !== null,
      );
      const where = article === null ? '' : ` ${plain(article.url)}`;
      terminal.out(
        `${(outcome ?? 'WAITING').toLowerCase().padEnd(8)} ${bold(title)}${where}${why.length === 0 ? '' : ` ${dim(`(${why.join(' ')})`)}`}`,
      );
    }
    if (!page.items.pageInfo.hasNextPage) return;
    after = page.items.pageInfo.endCursor;
  }
}
