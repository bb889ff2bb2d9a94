/** A file in a folder of drafts (`_drafts/`, as Jekyll has it, or `drafts/`) is published like any other; its author is told. */
import type { Notice } from '../types.ts';
import type { StateGiven } from './doubtful-state.ts';

const DRAFTS = /^_?drafts?$/i;

/** `path` is the file's, with as many folders as are known. */
export function listFolderDoubts(path: string | undefined, { state, isExplicit }: StateGiven): Notice[] {
  if (state.status === 'DRAFT' || isExplicit) return [];
  const folder = path
    ?.split(/[\\/]/)
    .slice(0, -1)
    .findLast((name) => DRAFTS.test(name));
  if (folder === undefined) return [];
  const message = `The file is in ${folder}/, but a folder holds no article back. Write draft: true, or status: ${state.status} if it may go public.`;
  return [{ code: 'state_doubtful', path: 'fileName', message }];
}
