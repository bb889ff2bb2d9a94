/** An article as its row stores it, for an export. */
import type { ArticleDraft } from '../types.ts';

export type StoredDraft = Omit<
  ArticleDraft,
  'isTitleFromFileName' | 'crossPostNamed' | 'slug' | 'externalId' | 'scheduledZone'
> & {
  id: string;
  source: string;
};
