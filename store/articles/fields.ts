/**
 * The columns of an article, one row each: whether a publish that changes only this column is a
 * change, when it is erased, and whether an export contains it. A column without a row is a type
 * error. To add a field, see CONTRIBUTING.md.
 */
import type { Articles } from '../db/generated-types.ts';

interface ArticleField {
  /** Part of the fingerprint. */
  fingerprint?: true;
  /** `text`: when the article is deleted; `account`: only when its account is deleted. */
  erase?: { with: 'text' | 'account'; value: unknown };
  /** The documents of an export are written from it. */
  exported?: true;
}

const NULL_WITH_TEXT = { with: 'text', value: null } as const;
const NULL_WITH_ACCOUNT = { with: 'account', value: null } as const;

/** The order is part of the fingerprint. */
export const ARTICLE_FIELDS = {
  slug: { fingerprint: true, exported: true },
  title: { fingerprint: true, exported: true, erase: { with: 'account', value: '' } },
  titleKey: { fingerprint: true, erase: { with: 'account', value: '' } },
  subtitle: { fingerprint: true, exported: true, erase: NULL_WITH_TEXT },
  excerpt: { fingerprint: true, exported: true, erase: NULL_WITH_TEXT },
  tags: { fingerprint: true, exported: true, erase: { with: 'text', value: [] as string[] } },
  givenCanonicalUrl: { fingerprint: true, exported: true, erase: NULL_WITH_ACCOUNT },
  canonicalKey: { fingerprint: true },
  baseUrl: { fingerprint: true, exported: true, erase: NULL_WITH_ACCOUNT },
  category: { fingerprint: true, exported: true, erase: NULL_WITH_TEXT },
  coverImage: { fingerprint: true, exported: true, erase: NULL_WITH_TEXT },
  generateToc: { fingerprint: true, exported: true },
  commentsEnabled: { fingerprint: true, exported: true },
  crossPost: { fingerprint: true, exported: true },
  seriesId: { fingerprint: true, exported: true, erase: NULL_WITH_ACCOUNT },
  status: { fingerprint: true, exported: true },
  scheduledAt: { fingerprint: true, exported: true, erase: NULL_WITH_ACCOUNT },
  imported: { fingerprint: true },
  body: { fingerprint: true, exported: true, erase: { with: 'text', value: '' } },
  language: { fingerprint: true, exported: true, erase: NULL_WITH_TEXT },
  contentSignal: { fingerprint: true, exported: true, erase: NULL_WITH_TEXT },

  id: { exported: true },
  source: { exported: true, erase: { with: 'text', value: '' } },
  updatedAt: { exported: true },
  derived: { erase: { with: 'text', value: '{}' } },
  derivedVersion: { erase: { with: 'text', value: 0 } },
  contentHash: { erase: { with: 'text', value: '' } },
  // Empty, so that publishing the same document again counts as a change.
  fingerprint: { erase: { with: 'text', value: Buffer.alloc(0) } },
  externalId: { erase: NULL_WITH_ACCOUNT },
  givenSlug: { erase: NULL_WITH_ACCOUNT },
  sourceRepository: { erase: NULL_WITH_ACCOUNT },
  sourcePath: { erase: NULL_WITH_ACCOUNT },
  partOf: { erase: NULL_WITH_ACCOUNT },
  partPosition: { erase: NULL_WITH_ACCOUNT },
  scheduledZone: { erase: NULL_WITH_ACCOUNT },
  scheduledLocal: { erase: NULL_WITH_ACCOUNT },
  scheduledDestinations: { erase: { with: 'account', value: [] as string[] } },

  // Computed by PostgreSQL from the columns above.
  abstract: {},
  hasBody: {},
  isCanonical: {},
  topicSignals: {},

  // State and times, which contain nothing that the author wrote.
  authorId: {},
  commentsLockedAt: {},
  createdAt: {},
  deletedAt: {},
  derivedAt: {},
  dispatch: {},
  dispatchedAt: {},
  firedAt: {},
  publishedAt: {},
  remindedFor: {},
  revision: {},
  scheduledRules: {},
  sitemapPlace: {},
  syndicate: {},
} as const satisfies Record<keyof Articles, ArticleField>;

type Field = keyof typeof ARTICLE_FIELDS;
type FieldsWith<Part> = { [F in Field]: (typeof ARTICLE_FIELDS)[F] extends Part ? F : never }[Field];

export type ComparedField = FieldsWith<{ fingerprint: true }>;
type ExportedField = FieldsWith<{ exported: true }>;
type ErasedField<W> = FieldsWith<{ erase: { with: W } }>;

const FIELDS = Object.entries(ARTICLE_FIELDS) as [Field, ArticleField][];
const listFields = (matches: (field: ArticleField) => boolean) =>
  FIELDS.filter(([, field]) => matches(field)).map(([name]) => name);

export const COMPARED_FIELDS = listFields(({ fingerprint }) => fingerprint === true) as ComparedField[];
export const EXPORTED_FIELDS = listFields(({ exported }) => exported === true) as ExportedField[];

/** Column values that erase the text and everything derived from it. */
export const ERASED_TEXT = buildErasure('text');
/** Column values that also erase the names of an article, because its account is deleted. */
export const ERASED_NAMES = buildErasure('account');

function buildErasure<W extends 'text' | 'account'>(when: W) {
  const values = FIELDS.flatMap(([name, { erase }]) => (erase?.with === when ? [[name, erase.value]] : []));
  return Object.fromEntries(values) as {
    [F in ErasedField<W>]: (typeof ARTICLE_FIELDS)[F] extends { erase: { value: infer Value } } ? Value : never;
  };
}
