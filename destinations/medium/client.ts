/**
 * Client for Medium's API v1, which can only create posts: it has no look-up, no change and no
 * withdrawal.
 */
import { reject } from '../http/failures.ts';
import type { ClientOptions, DestinationClient } from '../types.ts';
import { createCaller } from './call.ts';
import type { MediumPayload } from './format.ts';
import { readPost, readUser } from './posts.ts';

export function createClient(options: ClientOptions): DestinationClient<MediumPayload> {
  const caller = createCaller(options);
  const { userId } = options.connection.credentials;
  const requestUser = () => caller.call({ method: 'GET', path: '/me' }, 'read', ({ json }) => readUser(json));
  return {
    async probe() {
      const user = await requestUser();
      if (user.kind !== 'done') return user;
      const { id, username } = user.value;
      return { kind: 'done', value: { account: id, name: `@${username}`, settings: { userId: id } } };
    },

    find: async () => reject('cannot_find', 'Medium does not let programs read posts. Check your stories there.'),

    // Medium requires the author's id in the URL. A probe stores it with the connection. Without
    // one it is requested.
    async prepare(payload) {
      const authorId = payload.authorId ?? userId;
      if (authorId) return { kind: 'done', value: { ...payload, authorId } };
      const user = await requestUser();
      return user.kind === 'done' ? { kind: 'done', value: { ...payload, authorId: user.value.id } } : user;
    },

    async create(payload) {
      const authorId = payload.authorId ?? userId;
      if (!authorId) {
        return reject('account_unknown', 'The owner of this Medium account is unknown. Connect it again.');
      }
      const path = `/users/${encodeURIComponent(authorId)}/posts`;
      return caller.call({ method: 'POST', path, body: payload.post }, 'create', ({ json }) => readPost(json));
    },

    update: async () => reject('cannot_update', 'Only you can change a post on Medium. Edit the story there.'),

    withdraw: async () => reject('cannot_withdraw', 'Only you can delete a post on Medium. Delete the story there.'),
  };
}
