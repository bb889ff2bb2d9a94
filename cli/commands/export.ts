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
import { type FileOutcome, openExportFolder } from '../export/export-folder.ts';
import { readArchive } from '../export/read-archive.ts';
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
  const { terminal, signal } = context;
  const runGraphql = await openSession(flags.endpoint, 'An export', context);
  const target = await openExportFolder(folder, { force: flags.force === true });
  const exported = (await runGraphql('mutation { exportEverything { url } }')).exportEverything;
  const url = isRecord(exported) ? readText(exported.url) : undefined;
  if (url === undefined || !URL.canParse(url)) throw createFailure('The server returned no address for the export.');
  refuseClearText(parseEndpoint(url, 'the export'), context.config);

  const temporary = await mkdtemp(join(tmpdir(), 'courant-export-')).catch((error: unknown) => {
    throw createFailure(`The export needs a folder below ${tmpdir()} (${readSystemCode(error) ?? 'error'}).`, {
      hints: ['Set TMPDIR to a folder with enough space for the export.'],
      cause: error,
    });
  });
  // Also on a second Ctrl-C or a failed write of the output, which skip `finally`.
  process.once('exit', () => rmSync(temporary, { recursive: true, force: true }));
  const archive = join(temporary, 'export.zip');
  const progress = startProgress('Downloading …', context);
  await downloadArchive(url, archive, signal).finally(() => progress.stop());

  const counts: Partial<Record<FileOutcome | 'gone', number>> = {};
  const report = (path: string, outcome: FileOutcome | 'gone') => {
    counts[outcome] = (counts[outcome] ?? 0) + 1;
    const paint = outcome === 'unchanged' ? terminal.outPaint.dim : terminal.outPaint.plain;
    const json = { type: 'file', path, outcome };
    terminal.out(flags.json ? formatJsonLine(json) : paint(`${outcome.padEnd(11)} ${path}${REASONS[outcome] ?? ''}`));
  };
  try {
    for await (const { path, read } of readArchive(archive, signal))
      report(path, await target.write(path, await read()));
  } catch (error) {
    // Files written so far are then known at the next export. The first error is the one to report.
    await target.close('incomplete').catch(() => undefined);
    throw error;
  }
  for (const path of await target.listRemovedArticles()) report(path, 'gone');
  await target.close('complete');

  const summary = Object.entries(counts).map(([outcome, count]) => `${count} ${outcome}`);
  if (flags.json) terminal.out(formatJsonLine({ type: 'export', folder, counts }));
  else terminal.out(`${summary.join(', ')} in ${terminal.outPaint.plain(folder)}.`);
  const { kept = 0, refused = 0 } = counts;
  if (kept > 0) {
    const files = kept === 1 ? '1 file changed here and was' : `${kept} files changed here and were`;
    throw new ReportedFailure(EXIT.failed, `${files} not overwritten.`, {
      hints: ['Publish them, or overwrite them with --force.'],
    });
  }
  if (refused > 0)
    throw new ReportedFailure(EXIT.failed, 'The export contains invalid file names. Those files were not written.');
}

const REASONS: Partial<Record<FileOutcome | 'gone', string>> = {
  kept: ' (changed here since the last export; not overwritten)',
  gone: ' (no longer in the account; not removed)',
  refused: ' (invalid name, or differs from another only by case; not written)',
};
