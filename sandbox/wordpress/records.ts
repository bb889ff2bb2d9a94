/** What the stand-in keeps: posts, tags and media, told apart by `kind`. Times are ISO strings. */
import type { SandboxContext } from '../context.ts';

export interface WordPressPost {
  kind: 'wordpressPost';
  id: string;
  /** Name of the account that wrote it. */
  author: string;
  title: string;
  content: string;
  excerpt: string;
  slug: string;
  status: 'publish' | 'future' | 'draft' | 'pending' | 'private' | 'trash';
  tags: number[];
  featuredMedia: number;
  commentStatus: 'open' | 'closed';
  createdAt: string;
  modifiedAt: string;
}

export interface WordPressTag {
  kind: 'wordpressTag';
  id: string;
  name: string;
  slug: string;
}

export interface WordPressMedia {
  kind: 'wordpressMedia';
  id: string;
  slug: string;
  fileName: string;
  mimeType: string;
  altText: string;
}

export type WordPressRecord = WordPressPost | WordPressTag | WordPressMedia;

/** All records of a kind, oldest first. */
export function recordsOf<K extends WordPressRecord['kind']>(
  sandbox: SandboxContext,
  kind: K,
): Extract<WordPressRecord, { kind: K }>[] {
  const all = [...sandbox.state.posts('cms_site').values()];
  return all.filter((record): record is Extract<WordPressRecord, { kind: K }> => record.kind === kind);
}

/** What WordPress makes an address of: lower case, letters and digits of any script, dashes. */
export function slugOf(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain
    .replace(/[.\s/]+/g, '-')
    .replace(/[^\p{L}\p{N}_-]/gu, '')
    .replace(/-+/g, '-')
    .replace(/^-|-$/g, '');
}

/** With -2, -3 … where the slug is taken. */
export function uniqueSlug(wanted: string, taken: ReadonlySet<string>): string {
  let slug = wanted;
  for (let count = 2; taken.has(slug); count += 1) slug = `${wanted}-${count}`;
  return slug;
}
