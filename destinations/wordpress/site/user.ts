/**
 * Identifies the user of a connection on the site: a number, which survives changes of name, login
 * and profile address.
 */
import { toPlainLine } from '../../format/plain-line.ts';
import { readField } from '../../http/read-field.ts';
import { readAccount } from '../../posts/remote-post.ts';
import type { Connection, Outcome } from '../../types.ts';
import type { WordPressCaller } from '../call.ts';

interface User {
  id: number;
  /** The author's name that readers see. */
  name: string;
  mayPublish: boolean;
}

const ROUTE = '/wp/v2/users/me';

export function readUser(caller: WordPressCaller): Promise<Outcome<User>> {
  const query = { context: 'edit', _fields: 'id,name,slug,capabilities' };
  return caller.call({ method: 'GET', route: ROUTE, query }, 'read', ({ json }) => {
    const id = readField(json, 'id');
    if (typeof id !== 'number') return undefined;
    const nicename = toPlainLine(String(readField(json, 'slug') ?? '')).slice(0, 100);
    const name = readAccount(readField(json, 'name')) ?? (nicename || String(id));
    // Without the second right the site would hide our published posts from us, and we could
    // neither find nor change them.
    const rights = ['publish_posts', 'edit_published_posts'];
    const mayPublish = rights.every((right) => readField(json, 'capabilities', right) === true);
    return { id, name, mayPublish };
  });
}

/** The user's number from the probe. For a connection without one it is requested from the site. */
export async function findUserId(caller: WordPressCaller, { credentials }: Connection): Promise<Outcome<number>> {
  const { userId = '' } = credentials;
  if (/^\d{1,15}$/.test(userId)) return { kind: 'done', value: Number(userId) };
  const user = await readUser(caller);
  return user.kind === 'done' ? { kind: 'done', value: user.value.id } : user;
}
