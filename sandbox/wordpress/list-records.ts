/** The records of the WordPress stand-in, by kind. */
import type { SandboxContext } from '../context.ts';
import type { WordPressRecord } from './records.ts';

/** All records of a kind, oldest first. */
export function listRecords<K extends WordPressRecord['kind']>(
  sandbox: SandboxContext,
  kind: K,
): Extract<WordPressRecord, { kind: K }>[] {
  const all = [...sandbox.state.posts('cms_site').values()];
  return all.filter((record): record is Extract<WordPressRecord, { kind: K }> => record.kind === kind);
}
