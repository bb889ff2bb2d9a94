/** Who the user of a connection is on the site: a number, which stays when the name, the login or the address of a profile change. */
import { toPlainLine } from '../format/plain-line.ts';
import { readField } from '../http/read-field.ts';
import { readAccount } from '../posts/remote-post.ts';
import type { Connection, Outcome } from '../types.ts';
import type { WordPressCaller } from './call.ts';

interface User {
  id: number;
  /** As its author is shown to readers. */
  name: string;
  /** The last part of the address of its author's page. */
  nicename: string;
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
    // Without the second right the site would hide from us what we published, and we could neither find nor change it.
    const rights = ['publish_posts', 'edit_published_posts'];
    const mayPublish = rights.every((right) => readField(json, 'capabilities', right) === true);
    return { id, name, nicename, mayPublish };
  });
}

/** The user's number, as the probe kept it; asked of the site for a connection that was made before it was kept. */
export async function findUserId(caller: WordPressCaller, { credentials }: Connection): Promise<Outcome<number>> {
  const { userId = '' } = credentials;
  if (/^\d{1,15}$/.test(userId)) return { kind: 'done', value: Number(userId) };
  const user = await readUser(caller);
  return user.kind === 'done' ? { kind: 'done', value: user.value.id } : user;
}
