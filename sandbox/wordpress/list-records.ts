/** Lists the records of one WordPress site by kind, and assigns its ids. */
import type { WordPressContext } from '../context.ts';
import type { WordPressRecord } from './records.ts';

/** All records of a kind, oldest first. */
export function listRecords<K extends WordPressRecord['kind']>(
  { state, site }: Pick<WordPressContext, 'state' | 'site'>,
  kind: K,
): Extract<WordPressRecord, { kind: K }>[] {
  const all = [...state.posts('cms_site').values()];
  return all.filter(
    (record): record is Extract<WordPressRecord, { kind: K }> => record.kind === kind && record.site === site.name,
  );
}

/**
 * Each site counts separately, so two sites use the same ids. Posts and media share one count; tags
 * have another.
 */
export function assignNextId(sandbox: WordPressContext, kind: WordPressRecord['kind']): string {
  const kinds = kind === 'wordpressTag' ? [kind] : (['wordpressPost', 'wordpressMedia'] as const);
  const used = kinds.flatMap((counted) => listRecords(sandbox, counted).map(({ id }) => Number(id)));
  return String(Math.max(100, ...used) + 1);
}
