/** Turns a file and flags into the document to send, read and checked by the same code as on the server. */
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
  /** The file's own text, in which `placeInFile` places things. */
  original: string;
  draft: ArticleDraft;
  warnings: Notice[];
  /** Which keys were read as another field, and which were not read. */
  hints: Notice[];
  /** The line of the file on which the draft's body begins; null if the lines of the body differ from the file's. */
  bodyLine: number | null;
  /** Converts lines and columns of the document as sent to those of the file. If that is impossible, the message says so. */
  placeInFile: <P extends Place>(places: P[]) => P[];
}

/** Reads and checks the file with the flags applied. If it cannot be published, throws with all problems at once. */
export async function prepareDocument(path: string, flags: Overrides, now: Date): Promise<PreparedDocument> {
  const original = await readDocumentFile(path);
  const content = applyOverrides(original, flags);
  checkSize(content, path);
  const source = locateSource(path);
  const named = { fileName: getReadName(path, source), now };
  const read = readDocument({ content, ...named });
  const sent = read.ok ? read.bodyLine : null;
  // Flags only change the frontmatter, so all lines after it move by the same number.
  const shift = countLines(original) - countLines(content);
  const placeInFile = createPlacing(original, content, { ...named, bodyLine: sent, shift });
  if (!read.ok) {
    const count = read.problems.length;
    throw createInputFailure(`${path} cannot be published: ${count} ${count === 1 ? 'problem' : 'problems'}.`, {
      file: path,
      text: original,
      problems: placeInFile(read.problems),
    });
  }
  // Never public by accident: a flag that could not be written into the frontmatter does not count on the server.
  if (flags.draft === true && read.draft.status !== 'DRAFT') {
    throw createInputFailure(`${path}: --draft cannot be written into this frontmatter; write draft: true there.`);
  }
  const warnings = placeInFile(read.warnings);
  if (read.draft.subtitle !== null && [...read.draft.subtitle].length > MAX_SUBTITLE) {
    warnings.push({
      code: 'subtitle_long',
      path: 'subtitle',
      message: `subtitle is longer than ${MAX_SUBTITLE} characters; search engines cut descriptions before that.`,
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
    hints: placeInFile(read.hints),
    bodyLine: sent === null ? null : sent + shift,
    placeInFile,
  };
}

/** The name for the local check. A folder such as `_drafts` marks the file as a draft. */
function getReadName(path: string, source: LocatedSource | null): string {
  const located = locateFile(source?.absolutePath ?? path);
  return isNamedByRoot(source) ? join(dirname(dirname(located)), buildSentName(path, source)) : located;
}

/**
 * The name for the server. It includes the folder of an `index` or `README` at the root, because
 * the source path does not.
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

type Place = Pick<Problem, 'message' | 'line' | 'column'> & { path?: string };

/** Flags change the frontmatter and its line numbers. The same finding in the original file has the right ones. */
function createPlacing(
  original: string,
  content: string,
  { fileName, now, bodyLine, shift }: { fileName: string; now: Date; bodyLine: number | null; shift: number },
): <P extends Place>(places: P[]) => P[] {
  if (original === content) return (places) => places;
  const read = readDocument({ content: original, fileName, now });
  const inFile: Place[] = [...read.warnings, ...(read.ok ? read.hints : read.problems)];
  return (places) =>
    places.map((place) => {
      if (place.line === undefined) return place;
      const found = inFile.find(({ path, message }) => path === place.path && message === place.message);
      const { line, column, ...rest } = place;
      if (found === undefined && bodyLine !== null && line >= bodyLine) return { ...place, line: line + shift };
      if (found?.line !== undefined) {
        return { ...place, line: found.line, ...(found.column === undefined ? {} : { column: found.column }) };
      }
      const where = column === undefined ? `line ${line}` : `line ${line}, column ${column}`;
      return { ...rest, message: `${place.message} (${where} of the document as sent)` } as typeof place;
    });
}
