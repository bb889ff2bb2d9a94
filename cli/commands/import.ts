/**
 * `courant import`: starts an import, shows its progress, and reports each post. The import runs on
 * the server, so Ctrl-C does not end it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CliContext } from '../context.ts';
import { createFailure, createInputFailure, EXIT, ReportedFailure } from '../failure.ts';
import { isRecord, readText } from '../server/json.ts';
import { openSession, type RunGraphql } from '../server/session.ts';
import { startProgress } from '../terminal/progress.ts';
import {
  formatImportProgress,
  type ImportStatus,
  readItems,
  showEndJson,
  showItem,
  showItemJson,
} from './import-report.ts';

export interface ImportFlags {
  dryRun?: boolean;
  limit?: string;
  since?: string;
  draft?: boolean;
  images?: string;
  json?: boolean;
  endpoint?: string;
}

const SOURCES = ['blogsite_a', 'blogsite_b', 'blogsite_c', 'rss'];
const IMAGES = ['keep', 'copy'];
const POLL_INTERVAL_MS = 1_000;

const START_IMPORT = `mutation ($source: ImportSource!, $identifier: String!, $limit: Int, $since: String, $draft: Boolean, $dryRun: Boolean, $images: ImportImages) {
  importArticles(source: $source, identifier: $identifier, limit: $limit, since: $since, draft: $draft, dryRun: $dryRun, images: $images) { id }
}`;
const IMPORT_STATUS = `query ($id: ID!) { import(id: $id) {
  state reason waitsUntil isListed counts { listed created present refused adopted waiting } notices { code message } } }`;

export async function importArticles(
  source: string,
  identifier: string,
  flags: ImportFlags,
  context: CliContext,
): Promise<void> {
  const { terminal } = context;
  const options = { source: readSource(source), identifier, ...readOptions(flags) };
  const runGraphql = await openSession(flags.endpoint, 'An import', context);
  const started = (await runGraphql(START_IMPORT, options)).importArticles;
  const id = isRecord(started) ? (readText(started.id) ?? '') : '';
  terminal.note(
    `Import ${terminal.notePaint.plain(id)} started. It runs on the server and continues if this program ends.`,
  );
  const end = await follow(runGraphql, id, context);
  const show = flags.json ? showItemJson : showItem;
  for await (const item of readItems(runGraphql, id)) show(item, context);
  if (flags.json) showEndJson(id, end, context);
  else summarise(end, flags, context);
  if (end.state !== 'DONE')
    throw new ReportedFailure(
      EXIT.failed,
      `The import ended with the state ${end.state.toLowerCase()}. ${end.reason ?? ''}`.trim(),
    );
  const { refused } = end.counts;
  if (refused > 0) {
    throw new ReportedFailure(EXIT.failed, `${refused} ${refused === 1 ? 'post was' : 'posts were'} not imported.`);
  }
}

function readSource(source: string): string {
  if (SOURCES.includes(source.toLowerCase())) return source.toUpperCase();
  throw createInputFailure(`There is no source "${source}".`, { hints: [`Sources: ${SOURCES.join(', ')}.`] });
}

function readOptions({ limit, since, draft = false, dryRun = false, images = 'keep' }: ImportFlags) {
  if (limit !== undefined && !/^[1-9]\d{0,5}$/.test(limit)) {
    throw createInputFailure(`--limit must be a number of posts; found "${limit}".`);
  }
  if (!IMAGES.includes(images.toLowerCase())) {
    throw createInputFailure(`--images must be ${IMAGES.join(' or ')}; found "${images}".`);
  }
  return {
    ...(limit !== undefined && { limit: Number(limit) }),
    ...(since !== undefined && { since }),
    ...{ draft, dryRun, images: images.toUpperCase() },
  };
}

async function follow(runGraphql: RunGraphql, id: string, context: CliContext): Promise<ImportStatus> {
  const { signal, streams } = context;
  const progress = startProgress('Listing the posts …', context);
  try {
    for (;;) {
      const status = (await runGraphql(IMPORT_STATUS, { id })).import as ImportStatus | null;
      if (status === null) throw createFailure(`The import ${id} no longer exists on the server.`);
      if (status.state !== 'RUNNING') return status;
      if (status.counts.listed > 0 || status.waitsUntil !== null) {
        progress.update(formatImportProgress(status, streams.stderr.columns));
      }
      await sleep(POLL_INTERVAL_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  } finally {
    progress.stop();
  }
}

function summarise({ counts, notices }: ImportStatus, { dryRun }: ImportFlags, { terminal }: CliContext): void {
  const { yellow, plain } = terminal.notePaint;
  for (const { message } of notices) terminal.note(`${yellow('note:')} ${plain(message)}`);
  const verb = dryRun ? 'would be created' : 'created';
  terminal.out(
    `${counts.created} ${verb}, ${counts.present} here already, ${counts.refused} refused, ${counts.adopted} adopted.`,
  );
}
