/**
 * Converts a file and flags to the document to send, with the same reader and checks as the server.
 */
import { dirname, join } from 'node:path';
import { isNamedByFolder } from '../../article/markdown/find-title.ts';
import { applyOverrides, type Overrides } from '../../article/overrides/apply-overrides.ts';
import { readDocument } from '../../article/read-document.ts';
import type { ArticleDraft, Notice, Problem } from '../../article/types.ts';
import { createInputFailure } from '../failure.ts';
import type { PublishPayload } from '../server/publish-article.ts';
import { type LocatedSource, locateSource } from '../source/locate-source.ts';
import { checkSize, getFileName, locateFile, readDocumentFile } from './document-file.ts';
import { MAX_SUBTITLE } from './limits.ts';

export interface PreparedDocument {
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

/** Reads and checks the file with the flags applied. Throws all problems at once. */
export async function prepareDocument(path: string, flags: Overrides, now: Date): Promise<PreparedDocument> {
  const original = await readDocumentFile(path);
  const content = applyOverrides(original, flags);
  checkSize(content, path);
  const source = locateSource(path);
  const options = { fileName: getReadName(path, source), now };
  const read = readDocument({ content, ...options });
  const sentBodyLine = read.ok ? read.bodyLine : null;
  // Flags change only the frontmatter, so all lines after it shift by the same number.
  const shift = countLines(original) - countLines(content);
  const mapToFile = createPositionMapper(original, content, { ...options, bodyLine: sentBodyLine, shift });
  if (!read.ok) {
    const count = read.problems.length;
    throw createInputFailure(`${path} cannot be published: ${count} ${count === 1 ? 'problem' : 'problems'}.`, {
      file: path,
      text: original,
      problems: mapToFile(read.problems),
    });
  }
  // Never public by accident: the server does not see a flag that could not be written into the
  // frontmatter.
  if (flags.draft === true && read.draft.status !== 'DRAFT') {
    throw createInputFailure(`${path}: --draft cannot be added to this frontmatter. Write "draft: true" there.`);
  }
  const warnings = mapToFile(read.warnings);
  if (read.draft.subtitle !== null && [...read.draft.subtitle].length > MAX_SUBTITLE) {
    warnings.push({
      code: 'subtitle_long',
      path: 'subtitle',
      message: `subtitle is longer than ${MAX_SUBTITLE} characters; search engines cut descriptions earlier.`,
    });
  }
  return {
    payload: {
      content,
      fileName: buildSentName(path, source),
      ...(source === null ? {} : { source: buildSentSource(source) }),
    },
    source,
    original,
    draft: read.draft,
    warnings,
    hints: mapToFile(read.hints),
    bodyLine: sentBodyLine === null ? null : sentBodyLine + shift,
    mapToFile,
  };
}

/** The name for the local check. A folder such as `_drafts` marks the file as a draft. */
function getReadName(path: string, source: LocatedSource | null): string {
  const located = locateFile(source?.absolutePath ?? path);
  return isNamedByRoot(source) ? join(dirname(dirname(located)), buildSentName(path, source)) : located;
}

/**
 * The name for the server. Includes the folder of an `index` or `README` at the root, which the
 * source path does not contain.
 */
function buildSentName(path: string, source: LocatedSource | null): string {
  const name = getFileName(path);
  return isNamedByRoot(source) ? `${source.rootName}/${name}` : name;
}

function isNamedByRoot(source: LocatedSource | null): source is LocatedSource {
  return source !== null && !source.path.includes('/') && isNamedByFolder(source.path);
}

function buildSentSource({ repository, path }: LocatedSource): NonNullable<PublishPayload['source']> {
  return repository === null ? { path } : { repository, path };
}

function countLines(text: string): number {
  return text.split(/\r\n?|\n/).length;
}

type Finding = Pick<Problem, 'message' | 'line' | 'column'> & { path?: string };

/** Flags shift lines of the frontmatter. The same finding in the original has the right line. */
function createPositionMapper(
  original: string,
  content: string,
  { fileName, now, bodyLine, shift }: { fileName: string; now: Date; bodyLine: number | null; shift: number },
): <P extends Finding>(findings: P[]) => P[] {
  if (original === content) return (findings) => findings;
  const read = readDocument({ content: original, fileName, now });
  const originalFindings: Finding[] = [...read.warnings, ...(read.ok ? read.hints : read.problems)];
  return (findings) =>
    findings.map((finding) => {
      if (finding.line === undefined) return finding;
      const found = originalFindings.find(({ path, message }) => path === finding.path && message === finding.message);
      const { line, column, ...rest } = finding;
      if (found === undefined && bodyLine !== null && line >= bodyLine) return { ...finding, line: line + shift };
      if (found?.line !== undefined) {
        return { ...finding, line: found.line, ...(found.column === undefined ? {} : { column: found.column }) };
      }
      const position = column === undefined ? `line ${line}` : `line ${line}, column ${column}`;
      return { ...rest, message: `${finding.message} (${position} of the document as sent)` } as typeof finding;
    });
}
