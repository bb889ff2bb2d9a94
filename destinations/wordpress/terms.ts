/** Resolves tag names to the numbers that a post needs: looks them up, creates missing ones. */
import type { Notice } from '../../article/types.ts';
import { dropTag } from '../format/notices.ts';
import { readField } from '../http/read-field.ts';
import type { Outcome } from '../types.ts';
import type { WordPressCaller } from './call.ts';
import { unescapeAttribute } from './html/escape-text.ts';
import { LABEL } from './limits.ts';

/** The numbers of these tags, and a notice for each tag that the site refuses to create. */
export async function resolveTags(
  caller: WordPressCaller,
  names: readonly string[],
): Promise<Outcome<{ ids: number[]; notices: Notice[] }>> {
  const present = await findTags(caller, names);
  if (present.kind !== 'done') return present;
  const ids: number[] = [];
  const notices: Notice[] = [];
  for (const name of names) {
    const id = present.value.get(fold(name));
    const tag: Outcome<number | null> = id === undefined ? await createTag(caller, name) : { kind: 'done', value: id };
    if (tag.kind !== 'done') return tag;
    if (tag.value === null) notices.push(dropTag(LABEL, name, 'the site refuses to create it'));
    else if (!ids.includes(tag.value)) ids.push(tag.value);
  }
  return { kind: 'done', value: { ids, notices } };
}

/**
 * One request for all, by the slugs that WordPress derives from such names. "C#" and "C" have the
 * same slug, so the name must match. A tag that is missed here is returned as `term_exists`.
 */
async function findTags(caller: WordPressCaller, names: readonly string[]): Promise<Outcome<Map<string, number>>> {
  const slugs = [...new Set(names.map(guessSlug).filter((slug) => slug !== ''))];
  if (slugs.length === 0) return { kind: 'done', value: new Map() };
  const query = { slug: slugs.join(','), per_page: '100', _fields: 'id,name' };
  return caller.call({ method: 'GET', route: '/wp/v2/tags', query }, 'read', ({ json }) => {
    const ids = new Map<string, number>();
    for (const tag of Array.isArray(json) ? json : []) {
      const [id, name] = [readField(tag, 'id'), readField(tag, 'name')];
      if (typeof id === 'number' && typeof name === 'string') ids.set(fold(unescapeAttribute(name)), id);
    }
    return ids;
  });
}

/** Sends no slug: a tag of this name is found whatever its slug. Null if refused. */
async function createTag(caller: WordPressCaller, name: string): Promise<Outcome<number | null>> {
  const ended = await caller.send({ method: 'POST', route: '/wp/v2/tags', query: { _fields: 'id' }, body: { name } });
  if (ended.kind === 'answer' && readField(ended.json, 'code') === 'term_exists') {
    return { kind: 'done', value: readNumber(ended.json, 'data', 'term_id') };
  }
  // A repeat creates no second tag, so the outcome is never unknown.
  const created = caller.interpret(ended, 'read', ({ json }) => readNumber(json, 'id'));
  const isRefused =
    created.kind === 'rejected' && created.code !== 'address_refused' && created.code !== 'endpoint_moved';
  return isRefused ? { kind: 'done', value: null } : created;
}

function readNumber(json: unknown, ...path: string[]): number | null {
  const value = readField(json, ...path);
  return typeof value === 'number' ? value : null;
}

function guessSlug(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const dashed = plain.replace(/[./\s_]+/g, '-').replace(/[^a-z0-9-]/g, '');
  return dashed.replace(/-+/g, '-').replace(/^-|-$/g, '');
}

function fold(name: string): string {
  return name.normalize('NFC').toLowerCase().trim();
}
