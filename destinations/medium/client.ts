/** Client for Medium's API v1, which can create posts: no look-up, change or withdrawal. */
import { createApiCaller } from '../http/caller.ts';
import { reject } from '../http/failures.ts';
import { readField } from '../http/read-field.ts';
import { readAccount, readRemoteId, readRemotePost } from '../posts/remote-post.ts';
import type { ClientOptions, DestinationClient, ProbedAccount } from '../types.ts';
import { findApiRoot } from './address.ts';
import type { MediumPayload } from './format.ts';
import { LABEL } from './limits.ts';
import { interpretFromAnySender, interpretRefusal, rejectRetired } from './refusals.ts';

export function createClient(options: ClientOptions): DestinationClient<MediumPayload> {
  const { token = '', userId } = options.connection.credentials;
  const caller = createApiCaller(options, {
    label: LABEL,
    root: findApiRoot(options.connection.baseUrl),
    headers: { authorization: `Bearer ${token}`, 'accept-charset': 'utf-8' },
    secrets: { token },
    interpretFromAnySender,
    interpretRefusal,
    interpretMove: rejectRetired,
  });
  return {
    probe: () => caller.call({ method: 'GET', path: '/me' }, 'read', ({ json }) => readUser(readField(json, 'data'))),

    find: async () => reject('cannot_find', 'Medium does not let programs read posts. Check your stories there.'),

    async create(post) {
      if (!userId) {
        return reject('account_unknown', 'The owner of this Medium account is unknown. Connect it again.');
      }
      const path = `/users/${encodeURIComponent(userId)}/posts`;
      return caller.call({ method: 'POST', path, body: post }, 'create', ({ json }) => {
        const data = readField(json, 'data');
        return readRemotePost(readField(data, 'id'), readField(data, 'url'), null) ?? undefined;
      });
    },

    update: async () => reject('cannot_update', 'Only you can change a post on Medium. Edit the story there.'),

    withdraw: async () => reject('cannot_withdraw', 'Only you can delete a post on Medium. Delete the story there.'),
  };
}

/** The author's id is part of the address of a create. */
function readUser(data: unknown): ProbedAccount | undefined {
  const id = readRemoteId(readField(data, 'id'));
  const username = readAccount(readField(data, 'username'));
  return id === null || username === null ? undefined : { account: id, name: `@${username}`, settings: { userId: id } };
}
