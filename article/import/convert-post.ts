/** Converts an imported post to a document with frontmatter, as its author could have sent it. */
import { isStackOverflow, TooComplexError } from '../errors.ts';
import { splitFrontmatter } from '../frontmatter/syntax/split-frontmatter.ts';
import { readAuthorSlug } from '../identity/slug.ts';
import { cleanDocument, cleanLine } from '../text/clean-text.ts';
import { writeFrontmatter } from '../text/write-frontmatter.ts';
import type { Notice } from '../types.ts';
import { readPlainText } from './html/close-source.ts';
import { convertHtml } from './html/html-to-markdown.ts';
import { type MediumFacts, prepareMedium } from './medium.ts';
import { findImages, replaceImages } from './post-images.ts';
import type { SourceBody, SourcePost } from './source-post.ts';

export interface ConvertedPost {
  document: string;
  canonicalUrl: string | null;
  /** The requested slug; null if the title determines it. */
  slug: string | null;
  warnings: Notice[];
  /** Addresses of its pictures without repetitions, the cover first. Empty without `copies`. */
  images: string[];
}

export interface ConversionOptions {
  isDraft: boolean;
  /** New addresses of copied pictures, by their old ones. Without it pictures are not searched. */
  copies?: ReadonlyMap<string, string> | null;
}

const MAX_TITLE_LENGTH = 300;
const MAX_SUBTITLE_LENGTH = 1_000;
const MAX_EXCERPT_LENGTH = 5_000;
const MAX_FALLBACK_LENGTH = 80;
const MAX_TAGS = 50;
const MAX_TAG_LENGTH = 100;

/** Throws `TooComplexError` for a text that is nested too deeply. */
export function convertPost(post: SourcePost, { isDraft, copies = null }: ConversionOptions): ConvertedPost {
  const warnings: Notice[] = [];
  const { body: converted, found } = convertBody(post.body, warnings);
  const canonicalUrl = found.canonicalUrl ?? post.canonicalUrl ?? post.url;
  const slug = readSlug(post.slug, warnings);
  const cover = readCover(post.coverImage ?? found.cover, warnings);
  const placed = copies === null ? [] : findImages(converted, { baseUrl: null, canonicalUrl });
  const body = copies === null ? converted : replaceImages(converted, placed, copies);
  const images = copies === null ? [] : [...(cover === null ? [] : [cover]), ...placed.map(({ address }) => address)];
  const fields = {
    title: cutLine(post.title, MAX_TITLE_LENGTH) ?? deriveTitle(post, body),
    subtitle: cutLine(post.subtitle ?? found.subtitle, MAX_SUBTITLE_LENGTH),
    excerpt: cutLine(post.excerpt, MAX_EXCERPT_LENGTH),
    tags: readTags(post.tags),
    canonical_url: canonicalUrl,
    cover_image: cover === null ? null : (copies?.get(cover) ?? cover),
    lang: post.language !== null && /^[A-Za-z]{2,3}(?:-[A-Za-z\d]{1,8})*$/.test(post.language) ? post.language : null,
    series_id: cutLine(post.series ?? found.series, 200),
    status: isDraft ? 'DRAFT' : null,
  };
  if (post.body.isExcerpt) {
    const message = 'The source contains only the beginning of this post. Publish the full text.';
    warnings.push({ code: 'excerpt_only', path: 'content', message });
  }
  return {
    document: `${writeFrontmatter(fields)}\n\n${body.trim()}\n`,
    canonicalUrl,
    slug,
    warnings,
    images: [...new Set(images)],
  };
}

interface Found extends MediumFacts {
  series: string | null;
}

const NOTHING: Found = { subtitle: null, cover: null, canonicalUrl: null, series: null };

function convertBody({ format, text, base }: SourceBody, warnings: Notice[]): { body: string; found: Found } {
  if (format === 'markdown') return splitMarkdown(text);
  if (format === 'text') return { body: escapeText(text), found: NOTHING };
  let found = NOTHING;
  try {
    const prepare = (tree: Parameters<typeof prepareMedium>[0]) => {
      found = { ...NOTHING, ...prepareMedium(tree) };
    };
    const body = convertHtml(text, { base, warnings, ...(format === 'medium' && { prepare }) });
    return { body, found };
  } catch (error) {
    throw isStackOverflow(error) ? new TooComplexError('The text is nested too deeply to be converted.') : error;
  }
}

/** Forem has the frontmatter of its basic editor in the body. Only the series is no field. */
function splitMarkdown(source: string): { body: string; found: Found } {
  const { text } = cleanDocument(source);
  const split = splitFrontmatter(text);
  if (!split.ok || split.document.fields.size === 0) return { body: text, found: NOTHING };
  const { body, fields } = split.document;
  const node = fields.get('series');
  const series = node?.kind === 'scalar' && node.text.trim() !== '' && node.text !== 'null' ? node.text : null;
  return { body, found: { ...NOTHING, series } };
}

function escapeText(text: string): string {
  const html = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replace(/\r\n?/g, '\n');
  const paragraphs = html.split(/\n{2,}/).map((paragraph) => `<p>${paragraph.replaceAll('\n', '<br>')}</p>`);
  return convertHtml(paragraphs.join('\n'), { base: null });
}

/** Titles a post without a title with its first words, as services for short posts do. */
function deriveTitle(post: SourcePost, body: string): string {
  const text = readPlainText(post.body.format === 'markdown' ? body : post.body.text);
  if (text === '') return 'Untitled';
  if (text.length <= MAX_FALLBACK_LENGTH) return text;
  const cut = text.slice(0, MAX_FALLBACK_LENGTH).toWellFormed();
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), MAX_FALLBACK_LENGTH / 2))}…`;
}

function readSlug(value: string | null, warnings: Notice[]): string | null {
  if (value === null) return null;
  const isPart = !/[\\/]|%2f|%5c/i.test(value) && !/^\.+$/.test(value.trim());
  const slug = isPart ? readAuthorSlug(value) : null;
  if (slug === null) {
    const message = `The slug "${cutLine(value, 60) ?? ''}" of the source is not valid for an article; the slug is derived from the title instead.`;
    warnings.push({ code: 'slug_ignored', path: 'slug', message });
  }
  return slug;
}

/** Accepts web addresses only. A path could refer to a local file. */
function readCover(value: string | null, warnings: Notice[]): string | null {
  if (value === null || value.trim() === '') return null;
  const url = URL.parse(value.trim());
  if (url !== null && /^https?:$/.test(url.protocol)) return url.href;
  const message = `The cover "${cutLine(value, 60) ?? ''}" of the source is not a web address and is left out.`;
  warnings.push({ code: 'cover_ignored', path: 'cover_image', message });
  return null;
}

function readTags(tags: readonly string[]): string[] {
  const clean = tags.map((tag) => cutLine(tag.replace(/^#/, ''), MAX_TAG_LENGTH)).filter((tag) => tag !== null);
  return [...new Set(clean)].slice(0, MAX_TAGS);
}

function cutLine(text: string | null, length: number): string | null {
  const line = cleanLine(text ?? '');
  const cut = line.length <= length ? line : `${line.slice(0, length - 1).toWellFormed()}…`;
  return cut === '' ? null : cut;
}
