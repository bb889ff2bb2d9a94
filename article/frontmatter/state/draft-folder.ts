/** Warns about files in `_drafts/` (Jekyll) or `drafts/`, which are published like any other. */
import type { Notice } from '../../types.ts';
import type { ResolvedState } from './doubtful-state.ts';

const DRAFTS = /^_?drafts?$/i;

/** `path` is the path of the file, with all known folders. */
export function listFolderDoubts(path: string | undefined, { state, isExplicit }: ResolvedState): Notice[] {
  if (state.status === 'DRAFT' || isExplicit) return [];
  const folder = path
    ?.split(/[\\/]/)
    .slice(0, -1)
    .findLast((name) => DRAFTS.test(name));
  if (folder === undefined) return [];
  const message = `The file is in ${folder}/, but a folder does not prevent publishing. Write draft: true, or status: ${state.status} if the article may be public.`;
  return [{ code: 'state_doubtful', path: 'fileName', message }];
}
