/** Tags are known to a site by number: each is looked up, and made where it is not there. */
import { field } from '../http/json-fields.ts';
import type { ClientOptions, Outcome } from '../types.ts';
import { callWordPress, judge, sendToWordPress } from './call.ts';
import { unescapeAttribute } from './escape-text.ts';

/** The numbers of these tags, without those that this account may not make. */
export async function resolveTags(options: ClientOptions, names: readonly string[]): Promise<Outcome<number[]>> {
  const present = await lookUpTags(options, names);
  if (present.kind !== 'done') return present;
  const ids: number[] = [];
  for (const name of names) {
    const id = present.value.get(fold(name));
    const tag: Outcome<number | null> = id === undefined ? await makeTag(options, name) : { kind: 'done', value: id };
    if (tag.kind !== 'done') return tag;
    if (tag.value !== null && !ids.includes(tag.value)) ids.push(tag.value);
  }
  return { kind: 'done', value: ids };
}

/**
 * One request for all: by the slugs that WordPress makes of such names. A slug proves nothing ("C#" and "C" have the
 * same), so the name has to agree; what is missed here comes back as `term_exists`.
 */
async function lookUpTags(options: ClientOptions, names: readonly string[]): Promise<Outcome<Map<string, number>>> {
  const ids = new Map<string, number>();
  const slugs = [...new Set(names.map(guessSlug).filter((slug) => slug !== ''))];
  if (slugs.length === 0) return { kind: 'done', value: ids };
  const query = { slug: slugs.join(','), per_page: '100', _fields: 'id,name' };
  const answer = await callWordPress(options, { method: 'GET', route: '/wp/v2/tags', query }, 'read');
  if (answer.kind !== 'done') return answer;
  for (const tag of Array.isArray(answer.value.json) ? answer.value.json : []) {
    const [id, name] = [field(tag, 'id'), field(tag, 'name')];
    if (typeof id === 'number' && typeof name === 'string') ids.set(fold(unescapeAttribute(name)), id);
  }
  return { kind: 'done', value: ids };
}

/** Without a slug, so that a tag of this name is found whatever its slug is. Null where the site would not have it. */
async function makeTag(options: ClientOptions, name: string): Promise<Outcome<number | null>> {
  const call = { method: 'POST' as const, route: '/wp/v2/tags', query: { _fields: 'id' }, body: { name } };
  const ended = await sendToWordPress(options, call);
  if (ended.kind === 'answer' && field(ended.json, 'code') === 'term_exists') {
    const id = field(field(ended.json, 'data'), 'term_id');
    return { kind: 'done', value: typeof id === 'number' ? id : null };
  }
  // A repeat makes no second one, so nothing about a tag is ever unknown.
  const answer = judge(ended, 'read', options);
  if (answer.kind === 'rejected' && answer.code !== 'address_refused' && answer.code !== 'endpoint_moved') {
    return { kind: 'done', value: null };
  }
  if (answer.kind !== 'done') return answer;
  const id = field(answer.value.json, 'id');
  return { kind: 'done', value: typeof id === 'number' ? id : null };
}

function guessSlug(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const dashed = plain.replace(/[./\s_]+/g, '-').replace(/[^a-z0-9-]/g, '');
  return dashed.replace(/-+/g, '-').replace(/^-|-$/g, '');
}

function fold(name: string): string {
  return name.normalize('NFC').toLowerCase().trim();
}
