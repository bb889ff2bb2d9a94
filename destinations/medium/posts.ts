/** Reads Medium's responses. */
import { readField } from '../http/read-field.ts';
import { readAccount, readRemoteId, readRemotePost } from '../posts/remote-post.ts';
import type { RemotePost } from '../types.ts';

export function readPost(json: unknown): RemotePost | undefined {
  return readRemotePost(readField(json, 'data', 'id'), readField(json, 'data', 'url'), null) ?? undefined;
}

export function readUser(json: unknown): { id: string; username: string } | undefined {
  const id = readRemoteId(readField(json, 'data', 'id'));
  const username = readAccount(readField(json, 'data', 'username'));
  return id === null || username === null ? undefined : { id, username };
}
