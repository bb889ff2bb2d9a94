/**
 * Converts a file and flags to the document to send, with the same reader and checks as the server.
 */
import { basename } from 'node:path';
import { isNamedByFolder } from '../../article/markdown/find-title.ts';
import { applyOverrides, type Overrides } from '../../article/overrides/apply-overrides.ts';
import { readDocument } from '../../article/read-document.ts';
import {
  type ArticleDraft,
  DESTINATION_KEYS,
  type DestinationKey,
  type Notice,
  type Problem,
} from '../../article/types.ts';
import { MAX_SUBTITLE } from '../commands/publish/flags.ts';
import { createInputFailure } from '../failure.ts';
import type { PublishPayload } from '../server/publish-article.ts';
import { type LocatedSource, locateSource } from '../source/locate-source.ts';
import { checkSize, readDocumentFile } from './document-file.ts';

export interface PreparedDocument {
  /** As the author named it. */
  file: string;
  payload: PublishPayload;
  /** Null for a pipe or a device. */
  source: LocatedSource | null;
  /** The text of the file, to which `mapToFile` refers. */
  original: string;
  draft: ArticleDraft;
  warnings: Notice[];
  /** Keys that were read as another field, or ignored. */
  hints: Notice[];
  /**
   * The file's line on which the body of the draft begins; null if the lines of the body differ.
   */
  bodyLine: number | null;
  /**
   * Converts positions in the sent document to positions in the file. If that is impossible, the
   * message states it.
   */
  mapToFile: <P extends Finding>(findings: P[]) => P[];
}

export function listDestinations({ crossPost }: ArticleDraft): DestinationKey[] {
  return DESTINATION_KEYS.filter((key) => crossPost[key]);
}

/** Reads and checks the file with the flags applied. Throws all problems at once. */
export async function prepareDocument(file: string, flags: Overrides, now: Date): Promise<PreparedDocument> {
  const original = await readDocumentFile(file);
  const content = applyOverrides(original, flags);
  checkSize(content, file);
  const source = locateSource(file);
  // For the local check: a folder such as `_drafts` marks the file as a draft.
  const options = { fileName: source === null ? file : `${source.rootName}/${source.path}`, now };
  const read = readDocument({ content, ...options });
  const sentBodyLine = read.ok ? read.bodyLine : null;
  // Flags change only the frontmatter, so all lines after it shift by the same number.
  const shift = countLines(original) - countLines(content);
  const mapToFile = createPositionMapper(original, content, { ...options, bodyLine: sentBodyLine, shift });
  if (!read.ok) {
    const count = read.problems.length;
    throw createInputFailure(`${file} cannot be published: ${count} ${count === 1 ? 'problem' : 'problems'}.`, {
      file,
      text: original,
      problems: mapToFile(read.problems),
    });
  }
  const { draft } = read;
  // Never public by accident: the server does not see a flag that could not be written into the
  // frontmatter.
  if (flags.draft === true && draft.status !== 'DRAFT') {
    throw createInputFailure(`${file}: --draft cannot be added to this frontmatter. Write "draft: true" there.`);
  }
  const warnings = mapToFile(read.warnings);
  if (draft.subtitle !== null && [...draft.subtitle].length > MAX_SUBTITLE) {
    const message = `subtitle is longer than ${MAX_SUBTITLE} characters; search engines cut descriptions earlier.`;
    warnings.push({ code: 'subtitle_long', path: 'subtitle', message });
  }
  return {
    ...{ file, source, original, draft, warnings, hints: mapToFile(read.hints), mapToFile },
    payload: { content, ...nameSource(file, source) },
    bodyLine: sentBodyLine === null ? null : sentBodyLine + shift,
  };
}

function nameSource(file: string, source: LocatedSource | null): Pick<PublishPayload, 'fileName' | 'source'> {
  // Without folders, which are private.
  const fileName = basename(file);
  if (source === null) return { fileName };
  const { repository, path, rootName } = source;
  // The source path of an `index` or `README` at the root does not contain the folder that names it.
  const isNamedByRoot = !path.includes('/') && isNamedByFolder(path);
  return {
    fileName: isNamedByRoot ? `${rootName}/${fileName}` : fileName,
    source: repository === null ? { path } : { repository, path },
  };
}

function countLines(text: string): number {
  return text.split(/\r\n?|\n/).length;
}

type Finding = Pick<Problem, 'message' | 'line' | 'column'> & { path?: string };

/** Flags shift lines of the frontmatter. The same finding in the original has the right line. */
function createPositionMapper(
  original: string,
  content: string,
  { bodyLine, shift, ...options }: { fileName: string; now: Date; bodyLine: number | null; shift: number },
): <P extends Finding>(findings: P[]) => P[] {
  if (original === content) return (findings) => findings;
  const read = readDocument({ content: original, ...options });
  const originalFindings: Finding[] = [...read.warnings, ...(read.ok ? read.hints : read.problems)];
  return (findings) =>
    findings.map((finding) => {
      const { line, column, ...rest } = finding;
      if (line === undefined) return finding;
      const found = originalFindings.find(({ path, message }) => path === finding.path && message === finding.message);
      if (found?.line !== undefined) return { ...finding, line: found.line, column: found.column ?? column };
      if (found === undefined && bodyLine !== null && line >= bodyLine) return { ...finding, line: line + shift };
      const position = column === undefined ? `line ${line}` : `line ${line}, column ${column}`;
      return { ...rest, message: `${finding.message} (${position} of the document as sent)` } as typeof finding;
    });
}
