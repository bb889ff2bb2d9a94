/**
 * Reads a document: frontmatter typed, state resolved, links made absolute. The publish endpoint,
 * the dry run and imports agree because they use it.
 */
import { applyAliases, listHints, type UsedAlias } from './frontmatter/aliases.ts';
import { readContentSignal } from './frontmatter/content-signal.ts';
import { readCrossPost } from './frontmatter/cross-post.ts';
import { createFieldReader, type FieldReader, MAX_URL_LENGTH } from './frontmatter/field-reader.ts';
import { READERS, readExternalId } from './frontmatter/fields.ts';
import { nameFields } from './frontmatter/name-fields.ts';
import { listDoubts, listFolderDoubts } from './frontmatter/state/doubtful-state.ts';
import { isStateExplicit, resolvePublishState } from './frontmatter/state/publish-state.ts';
import { type SplitDocument, splitFrontmatter } from './frontmatter/syntax/split-frontmatter.ts';
import { formatUri, parseHttpUrl } from './identity/canonical.ts';
import { readAuthorSlug } from './identity/slug.ts';
import { findNamedLanguage } from './language/language-tag.ts';
import { describeUnreachablePicture } from './markdown/addresses/absolute-links.ts';
import { type AddressBases, resolveAddress } from './markdown/addresses/resolve-address.ts';
import { buildFileTitleWarning, extractTitleHeading, parseFileTitle } from './markdown/find-title.ts';
import { rememberTree } from './markdown/parse-markdown.ts';
import { readBody } from './markdown/read-body.ts';
import { cleanDocument, cleanLine } from './text/clean-text.ts';
import type { ArticleDraft, DocumentInput, Notice, NoticeCode, Problem, ReadResult } from './types.ts';

const NO_TITLE: Problem = {
  path: 'title',
  message: 'The article has no title. Add title to the frontmatter, or begin the article with a heading (# Title).',
  line: 1,
  column: 1,
};

/**
 * Never throws: `problems` has all at once, with path, line and column. `now` decides what is in
 * the future. Linear time, except for hostile documents.
 */
export function readDocument(input: DocumentInput): ReadResult {
  const { text, warnings } = cleanDocument(input.content);
  const split = splitFrontmatter(text);
  if (!split.ok) return { ok: false, problems: split.problems, warnings };
  return readSplit(split.document, input, warnings);
}

function readSplit(document: SplitDocument, input: DocumentInput, warnings: Notice[]): ReadResult {
  const named = nameFields(document.fields);
  warnings.push(...named.warnings);
  const aliases = applyAliases(named.own, named.others);
  const reader = createFieldReader(named.own);
  const language = findNamedLanguage(named.others);
  const fields = readFields(reader, input, warnings);
  const requestedState = { state: fields, isExplicit: isStateExplicit(reader, fields.status) };
  const doubts = listDoubts(named.others, requestedState, input.now);
  warnings.push(...doubts, ...listFolderDoubts(input.fileName, requestedState));
  const bases = { baseUrl: fields.baseUrl, canonicalUrl: fields.canonicalUrl };
  const coverImage = readCover(reader, input, { bases, aliases }, warnings);
  const fieldTitle = READERS.title(reader);
  let title = fieldTitle ?? parseFileTitle(input);
  const isTitleFromFileName = fieldTitle === null && title !== null;
  const refuse = (...more: Problem[]): ReadResult => {
    return { ok: false, problems: sortByPlace([...reader.problems, ...more]), warnings };
  };

  const read = readBody(document.body, { bases, bodyLine: document.bodyLine, fileName: input.fileName });
  if (!read.ok) return refuse(read.problem);
  warnings.push(...listDoubts(read.exported, requestedState, input.now), ...read.warnings);
  if (isTitleFromFileName && title !== null) warnings.push(buildFileTitleWarning(title, read.tree));
  let { body, tree, bodyLine } = read;
  if (title === null) {
    const heading = extractTitleHeading(tree, body);
    if (heading === null) return reader.problems.some(({ path }) => path === 'title') ? refuse() : refuse(NO_TITLE);
    if (bodyLine !== null) bodyLine += heading.linesCut;
    ({ title, body, tree } = heading);
  }
  if (reader.problems.length > 0) return refuse();
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
  return { ok: true, draft, warnings, hints: listHints(unread, aliases, doubts), bodyLine };
}

/** Sorts problems by place in the file. Problems of the request have no line and come last. */
function sortByPlace(problems: Problem[]): Problem[] {
  const at = ({ line = Number.MAX_SAFE_INTEGER }: Problem) => line;
  return problems.sort((a, b) => at(a) - at(b) || (a.column ?? 0) - (b.column ?? 0));
}

type DraftFields = Omit<ArticleDraft, 'title' | 'isTitleFromFileName' | 'body' | 'coverImage' | 'language'>;

function readFields(reader: FieldReader, input: DocumentInput, warnings: Notice[]): DraftFields {
  const requestUrls = {
    canonicalUrl: readUrl('canonicalUrl', input, reader),
    baseUrl: readUrl('baseUrl', input, reader),
  };
  const crossPost = readCrossPost(reader, warnings);
  return {
    subtitle: READERS.subtitle(reader),
    excerpt: READERS.excerpt(reader),
    tags: READERS.tags(reader),
    canonicalUrl: READERS.canonical_url(reader) ?? requestUrls.canonicalUrl,
    baseUrl: READERS.base_url(reader) ?? requestUrls.baseUrl,
    category: READERS.category(reader),
    generateToc: READERS.generate_toc(reader) ?? false,
    commentsEnabled: READERS.comments_enabled(reader) ?? true,
    crossPost: crossPost.flags,
    crossPostNamed: crossPost.named,
    contentSignal: readContentSignal(reader, warnings),
    externalId: readExternalId(reader),
    slug: readSlug(reader, warnings),
    seriesId: READERS.series_id(reader),
    ...resolvePublishState(reader, input.now, warnings),
  };
}

/** A field of the request, which replaces a missing one of the frontmatter. */
function readUrl(path: 'canonicalUrl' | 'baseUrl', input: DocumentInput, reader: FieldReader): string | null {
  const text = cleanLine(input[path] ?? '');
  if (text === '') return null;
  const parsed = parseHttpUrl(text);
  if (parsed !== null && text.length <= MAX_URL_LENGTH) return formatUri(parsed);
  const message = `${path} must be an absolute http:// or https:// address; found "${text.slice(0, 60)}".`;
  reader.problems.push({ path, message });
  return null;
}

function readSlug(reader: FieldReader, warnings: Notice[]): string | null {
  const node = reader.node('slug');
  const text = READERS.slug(reader);
  if (node === undefined || text === null) return null;
  const parts = text.split(/[\\/]/);
  if (parts.some((part) => /^(?:\.|%2e){1,2}$/i.test(part)) || /%2f|%5c/i.test(text)) {
    const message = `slug must be one part of an address, such as my-first-post; found the path "${text}".`;
    reader.report('slug', message, node);
    return null;
  }
  const slug = readAuthorSlug(parts.join('-'));
  const warn = (code: NoticeCode, message: string) => warnings.push({ code, path: 'slug', message, ...node.place });
  if (slug === null)
    warn('slug_ignored', `slug "${text}" has no letters or digits; the slug is derived from the title instead.`);
  else if (slug !== text) warn('slug_normalised', `slug "${text}" is read as "${slug}".`);
  return slug;
}

function readCover(
  reader: FieldReader,
  input: DocumentInput,
  { bases, aliases }: { bases: AddressBases; aliases: UsedAlias[] },
  warnings: Notice[],
): string | null {
  const node = reader.node('cover_image');
  const requested = cleanLine(input.coverImage ?? '');
  if (requested.length > MAX_URL_LENGTH) {
    const message = `coverImage must have at most ${MAX_URL_LENGTH} characters.`;
    reader.problems.push({ path: 'coverImage', message });
  }
  const text = READERS.cover_image(reader) ?? requested;
  if (text === '') return null;
  const alias = aliases.find(({ field }) => field === 'cover_image');
  const path = node === undefined ? 'coverImage' : (alias?.name ?? 'cover_image');
  const resolved = resolveAddress(text, bases);
  if (resolved.kind === 'absolute') return resolved.url;
  if (resolved.kind === 'unresolved') {
    warnings.push({ ...describeUnreachablePicture(text, 'Readers see no cover image.'), path, ...node?.place });
    return null;
  }
  if (/^https?:\/\/[^/]/i.test(text) && URL.canParse(text)) return text;
  const message = `${path} must be an http:// or https:// address, or a path; found "${text.slice(0, 60)}".`;
  // A key of another tool may have any value.
  if (alias === undefined) reader.problems.push({ path, message, ...node?.place });
  else warnings.push({ code: 'relative_link', path, message: `${message} It is left out.`, ...node?.place });
  return null;
}
