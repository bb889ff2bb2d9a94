/**
 * Reads a document as authors write it: frontmatter checked and typed, state resolved, links made
 * absolute. The publish endpoint, the dry run of the CLI and imports use it, so that they agree
 * about a file.
 */
import type { Root } from 'mdast';
import { applyAliases, type UsedAlias } from './frontmatter/aliases.ts';
import { readContentSignal } from './frontmatter/content-signal.ts';
import { readCrossPost } from './frontmatter/cross-post.ts';
import { listHints } from './frontmatter/field-hints.ts';
import { createFieldReader, type FieldReader } from './frontmatter/field-reader.ts';
import { nameFields } from './frontmatter/name-fields.ts';
import { type RequestFallbacks, readRequest } from './frontmatter/request-fallbacks.ts';
import { listDoubts } from './frontmatter/state/doubtful-state.ts';
import { listFolderDoubts } from './frontmatter/state/draft-folder.ts';
import { isStateExplicit, resolvePublishState } from './frontmatter/state/publish-state.ts';
import { type SplitDocument, splitFrontmatter } from './frontmatter/syntax/split-frontmatter.ts';
import { readFormerSlug } from './identity/former-slug.ts';
import { normaliseSlug, readAuthorSlug } from './identity/slug.ts';
import { findNamedLanguage } from './language/language-tag.ts';
import { type AddressBases, resolveAddress } from './markdown/addresses/resolve-address.ts';
import { describeUnreachablePicture } from './markdown/addresses/unreachable-picture.ts';
import { buildFileTitleWarning, extractTitleHeading, MAX_TITLE_LENGTH, parseFileTitle } from './markdown/find-title.ts';
import { rememberTree } from './markdown/parsed-trees.ts';
import { readBody } from './markdown/read-body.ts';
import { cleanDocument } from './text/clean-text.ts';
import type { ArticleDraft, DocumentInput, Notice, Problem, ReadResult } from './types.ts';

const MAX_SUBTITLE = 1_000;
const MAX_EXCERPT = 5_000;
const MAX_ID = 200;

/**
 * Never throws: `problems` has all problems at once, with path, line and column. Pure; `input.now`
 * decides what is in the future. Takes linear time, except for hostile documents, whose time the
 * document pool limits.
 */
export function readDocument(input: DocumentInput): ReadResult {
  const { text, warnings } = cleanDocument(input.content);
  const split = splitFrontmatter(text);
  if (!split.ok) return { ok: false, problems: split.problems, warnings };
  return readSplit(split.document, input, warnings);
}

/**
 * Sorts problems by their place in the file. Problems of the request have no line and come last.
 */
function sortByPlace(problems: Problem[]): Problem[] {
  return [...problems].sort(
    (a, b) =>
      (a.line ?? Number.MAX_SAFE_INTEGER) - (b.line ?? Number.MAX_SAFE_INTEGER) || (a.column ?? 0) - (b.column ?? 0),
  );
}

type DraftFields = Omit<ArticleDraft, 'title' | 'isTitleFromFileName' | 'body' | 'coverImage' | 'language'>;

function readSplit(document: SplitDocument, input: DocumentInput, warnings: Notice[]): ReadResult {
  const named = nameFields(document.fields);
  warnings.push(...named.warnings);
  const aliases = applyAliases(named.own, named.others);
  const reader = createFieldReader(named.own);
  const language = findNamedLanguage(named.others);
  const request = readRequest(input, reader);
  const fields = readFields(reader, request, input.now, warnings);
  const requestedState = { state: fields, isExplicit: isStateExplicit(reader, fields.status) };
  const doubts = listDoubts(named.others, requestedState, input.now);
  warnings.push(...doubts, ...listFolderDoubts(input.fileName, requestedState));
  const bases = { baseUrl: fields.baseUrl, canonicalUrl: fields.canonicalUrl };
  const coverImage = readCover(reader, request, { bases, aliases }, warnings);
  const fieldTitle = reader.text('title', MAX_TITLE_LENGTH);
  const initialTitle = fieldTitle ?? parseFileTitle(input);
  const isTitleFromFileName = fieldTitle === null && initialTitle !== null;

  const read = readBody(document.body, { bases, bodyLine: document.bodyLine, fileName: input.fileName });
  if (!read.ok) return { ok: false, problems: sortByPlace([...reader.problems, read.problem]), warnings };
  warnings.push(...listDoubts(read.exported, requestedState, input.now), ...read.warnings);

  if (isTitleFromFileName) warnings.push(buildFileTitleWarning(initialTitle, read.tree));
  let { body, tree, bodyLine }: { body: string; tree: Root; bodyLine: number | null } = read;
  let title = initialTitle;
  if (title === null && !reader.problems.some((problem) => problem.path === 'title')) {
    const heading = extractTitleHeading(tree, body);
    if (heading === null) {
      reader.problems.push({
        path: 'title',
        message:
          'The article has no title. Add title to the frontmatter, or begin the article with a heading (# Title).',
        line: 1,
        column: 1,
      });
    } else {
      if (bodyLine !== null) bodyLine += heading.linesCut;
      ({ title, body, tree } = heading);
    }
  }
  if (title === null || reader.problems.length > 0)
    return { ok: false, problems: sortByPlace(reader.problems), warnings };
  const draft: ArticleDraft = {
    title,
    isTitleFromFileName,
    ...fields,
    coverImage,
    language: language?.tag ?? null,
    body,
  };
  rememberTree(draft, tree);
  const unread = named.others.filter(([key]) => key !== language?.key);
  const hints = listHints(unread, aliases, doubts);
  return { ok: true, draft, warnings, hints, bodyLine };
}

function readFields(reader: FieldReader, request: RequestFallbacks, now: Date, warnings: Notice[]): DraftFields {
  const crossPost = readCrossPost(reader, warnings);
  return {
    subtitle: reader.text('subtitle', MAX_SUBTITLE),
    excerpt: reader.text('excerpt', MAX_EXCERPT),
    tags: reader.tags('tags'),
    canonicalUrl: reader.url('canonical_url') ?? request.canonicalUrl,
    baseUrl: reader.url('base_url') ?? request.baseUrl,
    category: readCategory(reader),
    generateToc: reader.flag('generate_toc') ?? false,
    commentsEnabled: reader.flag('comments_enabled') ?? true,
    crossPost: crossPost.flags,
    crossPostNamed: crossPost.named,
    contentSignal: readContentSignal(reader, warnings),
    externalId: readExternalId(reader),
    ...readSlug(reader, warnings),
    seriesId: reader.text('series_id', MAX_ID),
    ...resolvePublishState(reader, now, warnings),
  };
}

/** Names of this service take precedence, because other tools use `id` for their own purposes. */
function readExternalId(reader: FieldReader): string | null {
  const ids = ['courant_id', 'zyvop_id', 'id'].map((key) => reader.text(key, MAX_ID));
  return ids.find((id) => id !== null) ?? null;
}

function readCategory(reader: FieldReader): string | null {
  const node = reader.node('category');
  const text = reader.text('category', 100);
  if (node === undefined || text === null) return null;
  const slug = normaliseSlug(text);
  if (slug === null) reader.report('category', `category must contain letters or digits; found "${text}".`, node);
  return slug;
}

function readSlug(reader: FieldReader, warnings: Notice[]): Pick<ArticleDraft, 'slug' | 'slugWritten'> {
  const none = { slug: null, slugWritten: null };
  const node = reader.node('slug');
  const text = reader.text('slug', 300);
  if (node === undefined || text === null) return none;
  const parts = text.split(/[\\/]/);
  if (parts.some((part) => /^(?:\.|%2e){1,2}$/i.test(part)) || /%2f|%5c/i.test(text)) {
    reader.report(
      'slug',
      `slug must be one part of an address, such as my-first-post; found the path "${text}".`,
      node,
    );
    return none;
  }
  const slug = readAuthorSlug(parts.join('-'));
  if (slug === null) {
    const message = `slug "${text}" has no letters or digits; the slug is derived from the title instead.`;
    warnings.push({ code: 'slug_ignored', path: 'slug', message, ...node.place });
  } else if (slug !== text) {
    warnings.push({
      code: 'slug_normalised',
      path: 'slug',
      message: `slug "${text}" is read as "${slug}".`,
      ...node.place,
    });
  }
  return { slug, slugWritten: slug !== null && readFormerSlug(text) !== slug ? text : null };
}

function readCover(
  reader: FieldReader,
  request: RequestFallbacks,
  { bases, aliases }: { bases: AddressBases; aliases: UsedAlias[] },
  warnings: Notice[],
): string | null {
  const node = reader.node('cover_image');
  const text = reader.text('cover_image', 2048) ?? request.coverImage;
  if (text === null) return null;
  const alias = aliases.find(({ field }) => field === 'cover_image');
  const path = node === undefined ? 'coverImage' : (alias?.name ?? 'cover_image');
  const resolved = resolveAddress(text, bases);
  if (resolved.kind === 'absolute') return resolved.url;
  if (resolved.kind === 'kept') {
    const isHttp = /^https?:\/\/[^/]/i.test(text) && URL.canParse(text);
    if (isHttp) return text;
    const message = `${path} must be an http:// or https:// address, or a path; found "${text.slice(0, 60)}".`;
    // A key of another tool may have any value.
    if (alias !== undefined) {
      warnings.push({ code: 'relative_link', path, message: `${message} It is left out.`, ...node?.place });
      return null;
    }
    reader.problems.push({ path, message, ...node?.place });
    return null;
  }
  warnings.push({ ...describeUnreachablePicture(text, 'Readers see no cover image.'), path, ...node?.place });
  return null;
}
