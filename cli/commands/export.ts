/**
 * `courant export`: writes all data of the account as files. Publishing a file again updates its
 * article.
 */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CliContext } from '../context.ts';
import { downloadArchive } from '../export/download.ts';
import { readArchive } from '../export/read-archive.ts';
import { type FileOutcome, openExportFolder } from '../export/write-files.ts';
import { createFailure, EXIT, ReportedFailure, readSystemCode } from '../failure.ts';
import { parseEndpoint, refuseClearText } from '../server/endpoint.ts';
import { isRecord, readText } from '../server/json.ts';
import { openSession } from '../server/session.ts';
import { formatJsonLine } from '../terminal/output.ts';
import { startProgress } from '../terminal/progress.ts';

export interface ExportFlags {
  force?: boolean;
  json?: boolean;
  endpoint?: string;
}

export async function exportEverything(folder: string, flags: ExportFlags, context: CliContext): Promise<void> {
  const runGraphql = await openSession(flags.endpoint, 'An export', context);
  const target = await openExportFolder(folder, { force: flags.force === true });
  const exported = (await runGraphql('mutation { exportEverything { url } }')).exportEverything;
  const url = isRecord(exported) ? readText(exported.url) : undefined;
  if (url === undefined || !URL.canParse(url)) throw createFailure('The server returned no address for the export.');
  refuseClearText(parseEndpoint(url, 'the export'), context.config);

  const temporary = await createTemporaryFolder();
  const clean = () => rmSync(temporary, { recursive: true, force: true });
  // Also on a second Ctrl-C or a failed write of the output, which skip `finally`.
  process.once('exit', clean);
  const counts = new Map<string, number>();
  const report = (path: string, outcome: FileOutcome | 'gone') => {
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    show(path, outcome, flags, context);
  };
  try {
    const archive = join(temporary, 'export.zip');
    const progress = startProgress('Downloading …', context);
    await downloadArchive(url, archive, context.signal)
      .then(() => target.recordExpected(readArchive(archive, context.signal)))
      .finally(() => progress.stop());
    for await (const { path, read } of readArchive(archive, context.signal)) {
      report(path, await target.write(path, await read()));
    }
    for (const path of await target.listRemovedArticles()) report(path, 'gone');
    await target.close();
  } finally {
    process.off('exit', clean);
    clean();
  }
  summarise(counts, folder, flags, context);
}

async function createTemporaryFolder(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), 'courant-export-'));
  } catch (error) {
    throw createFailure(`The export needs a folder below ${tmpdir()} (${readSystemCode(error) ?? 'error'}).`, {
      hints: ['Set TMPDIR to a folder with enough space for the export.'],
      cause: error,
    });
  }
}

function show(path: string, outcome: FileOutcome | 'gone', { json }: ExportFlags, { terminal }: CliContext): void {
  const { plain, dim } = terminal.outPaint;
  if (json) terminal.out(formatJsonLine({ type: 'file', path, outcome }));
  else terminal.out((outcome === 'unchanged' ? dim : plain)(`${outcome.padEnd(11)} ${path}${REASONS[outcome] ?? ''}`));
}

const REASONS: Partial<Record<FileOutcome | 'gone', string>> = {
  kept: ' (changed here since the last export; not overwritten)',
  gone: ' (no longer in the account; not removed)',
  refused: ' (invalid name, or differs from another only by case; not written)',
};

function summarise(counts: Map<string, number>, folder: string, { json }: ExportFlags, { terminal }: CliContext): void {
  const summary = [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ');
  if (json) terminal.out(formatJsonLine({ type: 'export', folder, counts: Object.fromEntries(counts) }));
  else terminal.out(`${summary} in ${terminal.outPaint.plain(folder)}.`);
  const keptCount = counts.get('kept') ?? 0;
  if (keptCount > 0) {
    const files = keptCount === 1 ? '1 file changed here and was' : `${keptCount} files changed here and were`;
    throw new ReportedFailure(EXIT.failed, `${files} not overwritten.`, {
      hints: ['Publish them, or overwrite them with --force.'],
    });
  }
  if ((counts.get('refused') ?? 0) > 0)
    throw new ReportedFailure(EXIT.failed, 'The export contains invalid file names. Those files were not written.');
}
