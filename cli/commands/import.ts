/**
 * `courant import`: starts an import, shows its progress, and reports each post. The import runs on
 * the server, so Ctrl-C does not end it.
 */
import type { CliContext } from '../context.ts';
import { createFailure, createInputFailure, EXIT, ReportedFailure } from '../failure.ts';
import { isRecord, readText } from '../server/json.ts';
import { sleep } from '../server/retry.ts';
import { openSession, type RunGraphql } from '../server/session.ts';
import { formatJsonLine, type Terminal } from '../terminal/output.ts';
import { startProgress } from '../terminal/progress.ts';

export interface ImportFlags {
  dryRun?: boolean;
  limit?: string;
  since?: string;
  draft?: boolean;
  images: string;
  json?: boolean;
  endpoint?: string;
}

interface ImportStatus {
  state: string;
  reason: string | null;
  waitsUntil: string | null;
  isListed: boolean;
  counts: Record<'listed' | 'created' | 'present' | 'refused' | 'adopted' | 'waiting', number>;
  notices: { code: string; message: string }[];
}

interface Item {
  number: number;
  title: string;
  url: string | null;
  outcome: string | null;
  code: string | null;
  reason: string | null;
  adopted: boolean;
  warnings: { code: string; message: string }[];
  article: { id: string; slug: string; status: string; url: string } | null;
}

interface ItemPage {
  items: { edges: { node: Item }[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
}

const SOURCES = ['blogsite_a', 'blogsite_b', 'blogsite_c', 'rss'];
const IMAGES = ['keep', 'copy'];
const POLL_INTERVAL_MS = 1_000;

const START_IMPORT = `mutation ($source: ImportSource!, $identifier: String!, $limit: Int, $since: String, $draft: Boolean, $dryRun: Boolean, $images: ImportImages) {
  importArticles(source: $source, identifier: $identifier, limit: $limit, since: $since, draft: $draft, dryRun: $dryRun, images: $images) { id }
}`;
const IMPORT_STATUS = `query ($id: ID!) { import(id: $id) {
  state reason waitsUntil isListed counts { listed created present refused adopted waiting } notices { code message } } }`;
const REPORT = `query ($id: ID!, $after: String) { import(id: $id) { items(first: 100, after: $after) {
  edges { node { number title url outcome code reason adopted warnings { code message } article { id slug status url } } }
  pageInfo { hasNextPage endCursor } } } }`;

export async function importArticles(
  source: string,
  identifier: string,
  flags: ImportFlags,
  context: CliContext,
): Promise<void> {
  const { terminal } = context;
  const options = { identifier, ...readOptions(source, flags) };
  const runGraphql = await openSession(flags.endpoint, 'An import', context);
  const started = (await runGraphql(START_IMPORT, options)).importArticles;
  const id = isRecord(started) ? (readText(started.id) ?? '') : '';
  terminal.note(
    `Import ${terminal.notePaint.plain(id)} started. It runs on the server and continues if this program ends.`,
  );
  const { waitsUntil: _, isListed: __, ...end } = await follow(runGraphql, id, context);
  const { state, reason, counts, notices } = end;
  for await (const item of readItems(runGraphql, id)) {
    if (flags.json) terminal.out(formatJsonLine({ type: 'item', ...item }));
    else showItem(item, terminal);
  }
  if (flags.json) terminal.out(formatJsonLine({ type: 'import', id, ...end }));
  else {
    const { yellow, plain } = terminal.notePaint;
    for (const { message } of notices) terminal.note(`${yellow('note:')} ${plain(message)}`);
    const verb = flags.dryRun ? 'would be created' : 'created';
    terminal.out(
      `${counts.created} ${verb}, ${counts.present} here already, ${counts.refused} refused, ${counts.adopted} adopted.`,
    );
  }
  if (state !== 'DONE') {
    const message = `The import ended with the state ${state.toLowerCase()}. ${reason ?? ''}`;
    throw new ReportedFailure(EXIT.failed, message.trim());
  }
  if (counts.refused > 0) {
    const posts = counts.refused === 1 ? 'post was' : 'posts were';
    throw new ReportedFailure(EXIT.failed, `${counts.refused} ${posts} not imported.`);
  }
}

function readOptions(source: string, { limit, since, draft, dryRun, images }: ImportFlags) {
  if (!SOURCES.includes(source.toLowerCase()))
    throw createInputFailure(`There is no source "${source}".`, { hints: [`Sources: ${SOURCES.join(', ')}.`] });
  if (limit !== undefined && !/^[1-9]\d{0,5}$/.test(limit))
    throw createInputFailure(`--limit must be a number of posts; found "${limit}".`);
  if (!IMAGES.includes(images.toLowerCase()))
    throw createInputFailure(`--images must be ${IMAGES.join(' or ')}; found "${images}".`);
  return {
    ...{ source: source.toUpperCase(), images: images.toUpperCase(), since, draft, dryRun },
    limit: limit === undefined ? undefined : Number(limit),
  };
}

async function follow(runGraphql: RunGraphql, id: string, context: CliContext): Promise<ImportStatus> {
  const progress = startProgress('Listing the posts …', context);
  try {
    for (;;) {
      const status = (await runGraphql(IMPORT_STATUS, { id })).import as ImportStatus | null;
      if (status === null) throw createFailure(`The import ${id} no longer exists on the server.`);
      const { state, counts, isListed, waitsUntil } = status;
      if (state !== 'RUNNING') return status;
      if (counts.listed > 0 || waitsUntil !== null) {
        const total = `${counts.listed}${isListed ? '' : ' or more'}`;
        const wait = waitsUntil === null ? '' : `; next request at ${waitsUntil.replace(/\.\d+Z$/, 'Z')}`;
        progress.update(`${counts.listed - counts.waiting} of ${total} posts${wait}`);
      }
      await sleep(POLL_INTERVAL_MS, context.signal);
    }
  } finally {
    progress.stop();
  }
}

async function* readItems(runGraphql: RunGraphql, id: string): AsyncGenerator<Item> {
  for (let after: string | null = null; ; ) {
    const page = (await runGraphql(REPORT, { id, after })).import as ItemPage | null;
    if (page === null) return;
    yield* page.items.edges.map(({ node }) => node);
    if (!page.items.pageInfo.hasNextPage) return;
    after = page.items.pageInfo.endCursor;
  }
}

function showItem({ title, outcome, reason, adopted, article, warnings }: Item, terminal: Terminal): void {
  const { bold, dim, plain, yellow } = terminal.outPaint;
  const facts = [reason, adopted ? 'Your next publish updates that post.' : null].filter((text) => text !== null);
  const parts = [
    `${(outcome ?? 'waiting').toLowerCase().padEnd(8)} ${bold(title === '' ? 'Untitled' : title)}`,
    ...(article === null ? [] : [plain(article.url)]),
    ...(facts.length === 0 ? [] : [dim(`(${facts.join(' ')})`)]),
  ];
  terminal.out(parts.join(' '));
  for (const { message } of warnings) terminal.out(`         ${yellow('warning:')} ${plain(message)}`);
}
