/**
 * The shapes that the rooms hand each other: what an author wrote (`ArticleDraft`), what is derived from it once
 * (`DerivedArticle`), and what a destination gets to format (`DeliverableArticle`).
 */

/** Destination keys of the publish interface, in the order of the specification (2.2). */
export const DESTINATION_KEYS = ['blogsite_a', 'blogsite_b', 'blogsite_c', 'cms_site', 'social_feed'] as const;
export type DestinationKey = (typeof DESTINATION_KEYS)[number];

export type ArticleStatus = 'DRAFT' | 'PUBLISHED' | 'SCHEDULED';

/** Something the author should know although the article was taken. `line` and `column` count from 1 in the file as sent. */
export interface Notice {
  code: string;
  message: string;
  path?: string;
  line?: number;
  column?: number;
  /** Set where it is about one destination. */
  destination?: DestinationKey;
}

/** One reason why a document is refused. `path` is the field (`tags[2]`, `content`), `line`/`column` count from 1. */
export interface Problem {
  path: string;
  message: string;
  /** Set where the reason is not the value of a field: `too_complex`. */
  code?: 'too_complex';
  line?: number;
  column?: number;
}

/** A document as it arrives: over REST, from the CLI, from an import. */
export interface DocumentInput {
  content: string;
  /** Fallback canonical URL when the frontmatter has none. */
  canonicalUrl?: string | undefined;
  /** Base for relative images, after the frontmatter's own `base_url`. */
  baseUrl?: string | undefined;
  /** Fallback cover image when the frontmatter has none. */
  coverImage?: string | undefined;
  /** Name of the file; gives the title where the frontmatter has none. */
  fileName?: string | undefined;
  now: Date;
}

/** The author's word on an article, checked and typed, links and images made absolute where they can be. */
export interface ArticleDraft {
  title: string;
  subtitle: string | null;
  excerpt: string | null;
  tags: string[];
  /** As the author gave it (frontmatter, else request); null means the article's own address. */
  canonicalUrl: string | null;
  baseUrl: string | null;
  category: string | null;
  coverImage: string | null;
  generateToc: boolean;
  commentsEnabled: boolean;
  /** Defaults with the author's word over them. */
  crossPost: Record<DestinationKey, boolean>;
  /** Destinations that the author named with `true`; their absence is worth a warning. */
  crossPostNamed: DestinationKey[];
  /** `id`, `courant_id` or `zyvop_id`. */
  externalId: string | null;
  slug: string | null;
  seriesId: string | null;
  status: ArticleStatus;
  /** Set only where the time is in the future. */
  scheduledAt: Date | null;
  /** The zone or offset in which its author gave the time; null for UTC. */
  scheduledZone: string | null;
  /** Markdown without frontmatter, links and images absolute where they can be. */
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

/** Everything computed from a draft, once, at publish; no read path computes it again. */
export interface DerivedArticle {
  /** Sanitised HTML of the body: safe to put into a page as it is. */
  html: string;
  plainText: string;
  /** The author's excerpt, else the first paragraph cut at a word. */
  excerpt: string;
  headings: Heading[];
  /** Absolute http(s) links that leave the site, unique, in order. */
  outboundReferences: string[];
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
  /** `sha256:<hex>` over the plain text. */
  contentHash: string;
}

export type ReadResult =
  | {
      ok: true;
      draft: ArticleDraft;
      warnings: Notice[];
      /** The line of the document on which the draft's body begins; null where its lines are not those of the document (MDX). */
      bodyLine: number | null;
    }
  | { ok: false; problems: Problem[]; warnings: Notice[] };

/** What a destination is given to format. Bodies and addresses are absolute already. */
export interface DeliverableArticle {
  id: string;
  slug: string;
  title: string;
  subtitle: string | null;
  excerpt: string;
  tags: string[];
  /** Absolute; the article's own address where the author gave none. */
  canonicalUrl: string;
  coverImage: string | null;
  generateToc: boolean;
  commentsEnabled: boolean;
  body: string;
}
