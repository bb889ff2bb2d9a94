/**
 * The forms of an article: as written (`ArticleDraft`), derived (`RenderedArticle`,
 * `DerivedArticle`) and formatted for a destination (`DeliverableArticle`).
 */

import type { CodeEntry, NoticeCode } from './notice-codes.ts';

export type { CodeEntry, NoticeCode };

/** Destination keys of the publish interface, in the order of the specification (2.2). */
export const DESTINATION_KEYS = ['blogsite_a', 'blogsite_b', 'blogsite_c', 'cms_site', 'social_feed'] as const;
export type DestinationKey = (typeof DESTINATION_KEYS)[number];

export type ArticleStatus = 'DRAFT' | 'PUBLISHED' | 'SCHEDULED';

/** A message about an accepted article. `line` and `column` count from 1 in the file as sent. */
export interface Notice<Code extends string = NoticeCode> {
  code: Code;
  message: string;
  path?: string;
  line?: number;
  column?: number;
  destination?: DestinationKey;
}

/** A reason to reject a document. `path` is the field (`tags[2]`), `line` counts from 1. */
export interface Problem {
  path: string;
  message: string;
  /** Set if the reason is not the value of a field. */
  code?: 'too_complex';
  line?: number;
  column?: number;
}

export interface DocumentInput {
  content: string;
  canonicalUrl?: string | undefined;
  /** Base for relative images, after the frontmatter's own `base_url`. */
  baseUrl?: string | undefined;
  coverImage?: string | undefined;
  /** Name of the file, with known folders. Gives the title if the frontmatter has none. */
  fileName?: string | undefined;
  /** The path of its source. Titles an `index` or `README` if `fileName` has no folder. */
  sourcePath?: string | undefined;
  now: Date;
}

/** The file that a document comes from. Documents with equal sources are versions of one file. */
export interface DocumentSource {
  /** The normalised URL of the Git remote, or a random id; null if both are unknown. */
  repository: string | null;
  /** Relative to the root of the repository, with `/` between names, in NFC. */
  path: string;
}

/** The author's document, checked and typed, with links and images made absolute where possible. */
export interface ArticleDraft {
  title: string;
  /** From the file name: it identifies the article only together with its source. */
  isTitleFromFileName: boolean;
  subtitle: string | null;
  excerpt: string | null;
  tags: string[];
  /** From the frontmatter, else the request; null: the article's address on this site. */
  canonicalUrl: string | null;
  baseUrl: string | null;
  category: string | null;
  coverImage: string | null;
  generateToc: boolean;
  commentsEnabled: boolean;
  /** The defaults, overridden by the author's choices. */
  crossPost: Record<DestinationKey, boolean>;
  /** Destinations that the author selected by name. One that is not connected causes a warning. */
  crossPostNamed: DestinationKey[];
  /** What agents may do with the text (`search=yes, ai-train=no`); null if not stated. */
  contentSignal: string | null;
  externalId: string | null;
  slug: string | null;
  seriesId: string | null;
  /** BCP 47, if the author names the language of the text. */
  language: string | null;
  status: ArticleStatus;
  /** Set only if the time is in the future. */
  scheduledAt: Date | null;
  /** The zone or offset that the author wrote; null for UTC. */
  scheduledZone: string | null;
  /** Markdown without frontmatter, with links and images absolute where possible. */
  body: string;
}

export interface Heading {
  level: number;
  text: string;
  id: string;
}

export interface FaqEntry {
  question: string;
  answer: string;
}

/** Values computed from a draft before the publish response. */
export interface RenderedArticle {
  /** Sanitised HTML of the body, safe to put into a page unchanged. */
  html: string;
  plainText: string;
  /** BCP 47; null if unknown. */
  language: string | null;
  /** The author's excerpt, else the teaser, else the first sentences that make sense alone. */
  excerpt: string;
  headings: Heading[];
  /** Absolute http(s) links to other sites, unique, in order. */
  outboundReferences: string[];
  /** `sha256:<hex>` over the plain text. */
  contentHash: string;
}

/** All values computed from a draft, after the publish or on first read. */
export interface DerivedArticle extends RenderedArticle {
  topicSignals: string[];
  keywords: string[];
  entities: string[];
  keyTakeaways: string[];
  types: string[];
  audience: string;
  tone: string;
  primaryTopic: string;
  tldr: string;
  faqs: FaqEntry[] | null;
  wordCount: number;
  readingTimeMinutes: number;
}

export type ReadResult =
  | {
      ok: true;
      draft: ArticleDraft;
      warnings: Notice[];
      /** Keys that were read as another field, and keys that were not read. Only for a dry run. */
      hints: Notice[];
      /** The line on which the draft's body begins; null if its lines differ (MDX). */
      bodyLine: number | null;
    }
  | { ok: false; problems: Problem[]; warnings: Notice[] };

/** The article that a destination formats. All addresses are absolute. */
export interface DeliverableArticle {
  id: string;
  slug: string;
  title: string;
  subtitle: string | null;
  excerpt: string;
  tags: string[];
  /** Absolute; the article's own address if the author gave none. */
  canonicalUrl: string;
  coverImage: string | null;
  generateToc: boolean;
  commentsEnabled: boolean;
  body: string;
}
