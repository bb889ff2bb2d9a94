/** Lists the posts of one Ghost site. */
import type { GhostContext } from '../context.ts';
import type { GhostRecord } from './records.ts';

/** Newest first, without deleted ones. */
export function listGhostPosts({ state, site }: Pick<GhostContext, 'state' | 'site'>): GhostRecord[] {
  const records = [...state.posts('cms_site').values()].filter((record) => record.kind === 'ghostPost');
  return records.filter((post) => post.site === site.name && !post.isDeleted).reverse();
}
