/**
 * `courant publish <files>`: checks all files, requests confirmations, and sends the files in
 * sequence. `--dry-run` only prints the requests.
 */
import type { CliContext } from '../../context.ts';
import { findFiles } from '../../document/find-files.ts';
import { type PreparedDocument, prepareDocument } from '../../document/prepare-document.ts';
import { createInputFailure, Failure, ReportedFailure } from '../../failure.ts';
import { formatJsonLine } from '../../terminal/output.ts';
import { formatFailureJson, reportFailure } from '../../terminal/report.ts';
import { confirmDoubts } from './doubts.ts';
import { findExpectedPlatform, findSingleFlags, type PublishFlags, toOverrides } from './flags.ts';
import { type Job, toJob } from './job.ts';
import { createDuplicateCheck } from './same-article.ts';

export async function publish(names: string[], flags: PublishFlags, context: CliContext): Promise<void> {
  const files = await findFiles(names);
  const singleFileFlags = findSingleFlags(flags);
  if (files.length > 1 && singleFileFlags.length > 0) {
    throw createInputFailure(`${singleFileFlags.join(', ')}: for one file only, but there are ${files.length}.`);
  }
  if (flags.dryRun || flags.show !== undefined) await previewAll(files, flags, context);
  else {
    const jobs = await prepareAll(files, flags, context);
    // A dry run does not load the code that sends.
    const { sendAll } = await import('./send.ts');
    await sendAll(jobs, flags, context);
  }
}

async function previewAll(files: string[], flags: PublishFlags, context: CliContext): Promise<void> {
  const { showPreview } = await import('./preview.ts');
  const rejectDuplicate = createDuplicateCheck();
  await forEach(files, flags, context, async (file) => {
    const document = await prepare(file, flags);
    rejectDuplicate(file, document);
    await showPreview(file, document, flags, context);
  });
}

/** Prepares all files before the first is sent: if one cannot be published, nothing is sent. */
async function prepareAll(files: string[], flags: PublishFlags, context: CliContext): Promise<Job[]> {
  const rejectDuplicate = createDuplicateCheck();
  return forEach(files, flags, context, async (file) => {
    const document = await prepare(file, flags);
    rejectDuplicate(file, document);
    const answer = flags.yes ? 'publish' : await confirmDoubts(file, document, context);
    if (answer === 'publish') return toJob(file, document);
    return toJob(file, await prepare(file, { ...flags, draft: true }));
  });
}

async function prepare(file: string, flags: PublishFlags): Promise<PreparedDocument> {
  const document = await prepareDocument(file, toOverrides(flags), new Date());
  const platform = findExpectedPlatform(flags);
  return platform === null
    ? document
    : { ...document, payload: { ...document.payload, platforms: { cms_site: platform } } };
}

/** Throws the failure of a single file. With several files, reports each failure and continues. */
async function forEach<T>(
  files: string[],
  flags: PublishFlags,
  { terminal }: CliContext,
  handle: (file: string) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  let rejected = 0;
  for (const file of files) {
    try {
      results.push(await handle(file));
    } catch (error) {
      if (!(error instanceof Failure) || files.length === 1) throw error;
      rejected += 1;
      reportFailure(error, terminal);
      if (flags.json) terminal.out(formatJsonLine({ ...formatFailureJson(error), file }));
    }
  }
  if (rejected === 0) return results;
  throw new ReportedFailure(2, `${rejected} of ${files.length} files cannot be published. Nothing was sent.`);
}
