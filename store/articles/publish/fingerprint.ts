/**
 * By which a publish that changes nothing is recognised. It is of the article as it stands: of what its document says, in the state that it
 * has. A command that changes the state makes it anew, so that the former document counts as a change, and the document of an export does not.
 */
import { createHash } from 'node:crypto';
import type { Selectable, Transaction } from 'kysely';
import { DESTINATION_KEYS } from '../../../article/types.ts';
import type { DB } from '../../db/types.ts';

/** In this order, which is part of it. */
const COMPARED = [
  'slug',
  'title',
  'titleKey',
  'subtitle',
  'excerpt',
  'tags',
  'givenCanonicalUrl',
  'canonicalKey',
  'baseUrl',
  'category',
  'coverImage',
  'generateToc',
  'commentsEnabled',
  'crossPost',
  'seriesId',
  'status',
  'scheduledAt',
  'imported',
  'body',
] as const;

/** Read later than the others: where they are not given they are left out, so that articles from before are still the same. */
const COMPARED_WHERE_GIVEN = ['language', 'contentSignal'] as const;

/** All that it is made of. */
export const FINGERPRINTED = [...COMPARED, ...COMPARED_WHERE_GIVEN] as const;

type Compared = (typeof FINGERPRINTED)[number];

/** `crossPost` is JSON with the destinations in their order. */
export function buildFingerprint(columns: Record<Compared, unknown>): Buffer {
  const given = COMPARED_WHERE_GIVEN.filter((name) => columns[name] !== null);
  const compared = Object.fromEntries([...COMPARED, ...given].map((name) => [name, columns[name]]));
  return createHash('sha256').update(JSON.stringify(compared)).digest();
}

/** Of an article as its row has it, or will have it. */
export function buildRowFingerprint(row: Pick<Selectable<DB['articles']>, Compared>): Buffer {
  const crossPost = JSON.stringify(Object.fromEntries(DESTINATION_KEYS.map((key) => [key, row.crossPost[key]])));
  // A publish makes an imported article its author's own, and compares it as such.
  return buildFingerprint({ ...row, crossPost, imported: false });
}

/** Locked by the caller, by its author's row. */
export async function renewFingerprint(tx: Transaction<DB>, articleId: string): Promise<void> {
  const row = await tx
    .selectFrom('articles')
    .select(FINGERPRINTED)
    .where('id', '=', articleId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  if (!row) return;
  const fingerprint = buildRowFingerprint(row);
  await tx.updateTable('articles').set({ fingerprint }).where('id', '=', articleId).execute();
}
