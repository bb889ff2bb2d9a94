/**
 * `courant publish <files>`: checks all files, requests confirmations, and sends the files in
 * sequence. `--dry-run` only prints the requests.
 */
import { isSiteRoot, normaliseCanonicalUrl } from '../../../article/identity/canonical.ts';
import { buildTitleKey } from '../../../article/identity/match.ts';
import type { ArticleDraft } from '../../../article/types.ts';
import type { CliContext } from '../../context.ts';
import { findFiles } from '../../document/find-files.ts';
import { type PreparedDocument, prepareDocument } from '../../document/prepare-document.ts';
import { createInputFailure, Failure, ReportedFailure } from '../../failure.ts';
import { formatJsonLine } from '../../terminal/output.ts';
import { formatFailureJson, reportFailure } from '../../terminal/report.ts';
import { confirmDoubts } from './doubts.ts';
import { findExpectedPlatform, findSingleFlags, type PublishFlags, toOverrides } from './flags.ts';

export async function publish(names: string[], flags: PublishFlags, context: CliContext): Promise<void> {
  const files = await findFiles(names);
  const singleFileFlags = findSingleFlags(flags);
  if (files.length > 1 && singleFileFlags.length > 0) {
    throw createInputFailure(`${singleFileFlags.join(', ')}: for one file only, but there are ${files.length}.`);
  }
  if (flags.dryRun || flags.show !== undefined) {
    const { showPreview } = await import('./preview.ts');
    await prepareAll(files, flags, context, (document) => showPreview(document, flags, context.terminal));
    return;
  }
  // If one file cannot be published, nothing is sent.
  const documents = await prepareAll(files, flags, context, async (document) => {
    const answer = flags.yes ? 'publish' : await confirmDoubts(document, context);
    return answer === 'publish' ? document : prepare(document.file, { ...flags, draft: true });
  });
  // A dry run does not load the code that sends.
  const { sendAll } = await import('./send.ts');
  await sendAll(documents, flags, context);
}

/**
 * Prepares each file and passes it to `handle`. Throws the failure of a single file. With several
 * files, reports each failure and continues.
 */
async function prepareAll<T>(
  files: string[],
  flags: PublishFlags,
  { terminal }: CliContext,
  handle: (document: PreparedDocument) => Promise<T>,
): Promise<T[]> {
  const rejectDuplicate = createDuplicateCheck();
  const results: T[] = [];
  for (const file of files) {
    try {
      const document = await prepare(file, flags);
      rejectDuplicate(document);
      results.push(await handle(document));
    } catch (error) {
      if (!(error instanceof Failure) || files.length === 1) throw error;
      reportFailure(error, terminal);
      if (flags.json) terminal.out(formatJsonLine({ ...formatFailureJson(error), file }));
    }
  }
  const rejected = files.length - results.length;
  if (rejected === 0) return results;
  throw new ReportedFailure(2, `${rejected} of ${files.length} files cannot be published. Nothing was sent.`);
}

async function prepare(file: string, flags: PublishFlags): Promise<PreparedDocument> {
  const document = await prepareDocument(file, toOverrides(flags), new Date());
  const platform = findExpectedPlatform(flags);
  if (platform !== null) document.payload.platforms = { cms_site: platform };
  return document;
}

/** Rejects the second file of an article, which would silently replace the first. */
function createDuplicateCheck(): (document: PreparedDocument) => void {
  const files = new Map<string, string>();
  return ({ file, draft, source }) => {
    const [name, value] = identify(draft);
    const key = `${name} ${value}`;
    const isFromFileName = name === 'title' && draft.isTitleFromFileName;
    // A folder without an id gets a unique one on publish, so its path is used instead.
    const fileKey = `${key} ${source && JSON.stringify([source.repository ?? source.root, source.path])}`;
    const earlier = files.get(isFromFileName ? fileKey : key);
    if (earlier !== undefined) {
      throw createInputFailure(`${file} is the same article as ${earlier}: both have the ${name} "${value}".`, {
        file,
        hints: ['One would overwrite the other. Add a different "id" to the frontmatter of each.'],
      });
    }
    if (isFromFileName) files.set(fileKey, file);
    if (!files.has(key)) files.set(key, file);
  };
}

/**
 * The first key by which the server matches the file. The server may match further files by stored
 * data; only this match is certain in advance.
 */
function identify({ externalId, slug, canonicalUrl, title }: ArticleDraft): [name: string, value: string] {
  if (externalId !== null) return ['id', externalId];
  if (slug !== null) return ['slug', slug];
  if (canonicalUrl !== null && !isSiteRoot(canonicalUrl)) return ['canonical URL', normaliseCanonicalUrl(canonicalUrl)];
  return ['title', buildTitleKey(title)];
}
