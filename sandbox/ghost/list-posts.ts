/** The posts of the Ghost stand-in. */
import type { SandboxContext } from '../context.ts';
import type { GhostRecord } from './records.ts';

/** Newest first, without deleted ones. */
export function listGhostPosts({ state }: SandboxContext): GhostRecord[] {
  const records = [...state.posts('cms_site').values()].filter((record) => record.kind === 'ghostPost');
  return records.filter((post) => !post.isDeleted).reverse();
}
