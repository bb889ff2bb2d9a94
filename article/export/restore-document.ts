/**
 * Restores the document of a stored article as sent, with its id, the fields of the request and
 * later changes, so that reading it gives exactly what is stored.
 */
import { applyOverrides, type Overrides } from '../overrides/apply-overrides.ts';
import { readDocument } from '../read-document.ts';
import { type ArticleDraft, DESTINATION_KEYS } from '../types.ts';
import type { StoredDraft } from './stored-draft.ts';
import { writeDocument } from './write-document.ts';

/** If the source cannot be changed safely, the document is written from the row. */
export function restoreDocument(article: StoredDraft, now: Date): string {
  const sent = read(article.source, now);
  const document = sent && applyOverrides(article.source, listOverrides(sent, article));
  if (document) {
    const reread = read(document, now);
    if (reread && reread.externalId === article.id && isSameArticle(reread, article)) return document;
  }
  return writeDocument(article);
}

const OVERRIDE_FIELDS = ['title', 'subtitle', 'category', 'canonicalUrl', 'baseUrl', 'coverImage', 'seriesId'] as const;
const COMPARED_FIELDS = [
  ...OVERRIDE_FIELDS,
  'excerpt',
  'language',
  'contentSignal',
  'generateToc',
  'commentsEnabled',
  'body',
] as const;

function listOverrides(sent: ArticleDraft, article: StoredDraft): Overrides {
  const overrides: Overrides = { courantId: article.id };
  for (const name of OVERRIDE_FIELDS) {
    const value = article[name];
    if (value !== null && value !== sent[name]) overrides[name] = value;
  }
  if (!isSameState(sent, article)) {
    overrides.status = article.status;
    if (article.scheduledAt) overrides.scheduledAt = article.scheduledAt.toISOString();
  }
  return overrides;
}

function isSameArticle(draft: ArticleDraft, article: StoredDraft): boolean {
  return (
    isSameState(draft, article) &&
    COMPARED_FIELDS.every((name) => draft[name] === article[name]) &&
    DESTINATION_KEYS.every((key) => draft.crossPost[key] === article.crossPost[key]) &&
    JSON.stringify(draft.tags) === JSON.stringify(article.tags)
  );
}

function isSameState(draft: ArticleDraft, { status, scheduledAt }: StoredDraft): boolean {
  return draft.status === status && draft.scheduledAt?.getTime() === scheduledAt?.getTime();
}

function read(content: string, now: Date): ArticleDraft | null {
  const result = readDocument({ content, now });
  return result.ok ? result.draft : null;
}
