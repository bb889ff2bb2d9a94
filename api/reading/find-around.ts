/** What an article's page shows around the text, and of what it consists. */
import type { Database } from '../../store/db/database.ts';
import { findSeriesAround, listPublicCopies, listRelated } from '../../store/lists/surroundings.ts';
import type { Subject } from '../answers/answer.ts';
import { nameCopies } from './name-copies.ts';

const RELATED = 3;

export async function findAround(db: Database, { articleId, tags }: { articleId: string; tags: readonly string[] }) {
  const [series, copies, related] = await Promise.all([
    findSeriesAround(db, articleId),
    listPublicCopies(db, articleId),
    listRelated(db, { articleId, tags, limit: RELATED }),
  ]);
  const shows: Subject[] = [
    `article:${articleId}`,
    ...(series ? [`series:${series.id}` as const] : []),
    ...related.map(({ id }) => `article:${id}` as const),
  ];
  return { around: { series, copies: nameCopies(copies), related }, shows };
}
