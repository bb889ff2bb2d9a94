/** GraphQL fields that export and delete the account of the signed-in user. */
import { countOwnArticles } from '../../../store/articles/own-articles.ts';
import {
  countUndeletedCopies,
  listUndeletedCopies,
  type UndeletedCopy as RemainingCopyRow,
} from '../../../store/copies/copies.ts';
import { getSession } from '../../auth/session-hook.ts';
import { ALLOW_UNCONFIRMED_FIELD, builder, Destination, exposeFields, returnTrueAfter } from '../../graphql/builder.ts';
import { requireUser } from '../../graphql/context.ts';
import { createConnectionType, pageArgs, pageCost, readPage } from '../../graphql/pages.ts';
import { openExport } from '../export/routes.ts';
import { deleteAccount } from './settings.ts';

const Export = builder.objectRef<{ url: string; expiresAt: Date }>('Export').implement({
  description: 'A download of all your data.',
  fields: (t) => ({
    ...exposeFields(t, {
      url: ['String!', 'The URL of a zip. Anyone with the URL can download it: do not share it.'],
      expiresAt: ['DateTime!', 'The latest time to start the download.'],
    }),
  }),
});

const RemainingCopy = builder.objectRef<RemainingCopyRow>('RemainingCopy').implement({
  description: 'A copy of an article at a destination. It remains there after the account is deleted.',
  fields: (t) => ({
    ...exposeFields(t, {
      account: ['String', 'The name of the account at the destination; null if it was never read.'],
      isUncertain: [
        'Boolean!',
        'Whether the outcome of the attempt to create the copy is unknown, so that it may not exist.',
      ],
    }),
    articleSlug: t.exposeString('slug', { description: 'The slug of the article.' }),
    articleTitle: t.exposeString('title', { description: 'The title of the article on this site.' }),
    destination: t.expose('destination', { type: Destination, description: 'The destination of the copy.' }),
    url: t.string({ description: 'The URL of the copy; empty if unknown.', resolve: ({ url }) => url ?? '' }),
  }),
});

const RemainingCopyConnection = createConnectionType(RemainingCopy, {
  name: 'RemainingCopy',
  description: 'A page of copies at destinations.',
  edge: 'A copy in a list.',
});

const AccountDeletion = builder.objectRef<{ authorId: string }>('AccountDeletion').implement({
  description:
    'The effects of deleting the account. To withdraw copies where the platform supports it, unpublish or delete the articles first.',
  fields: (t) => ({
    articleCount: t.int({
      description: 'The number of articles that would be deleted. The URLs of public ones respond with 410.',
      resolve: ({ authorId }, _args, { deps }) => countOwnArticles(deps.db, authorId),
    }),
    scheduledCount: t.int({
      description:
        'The number of scheduled articles among them, which would never be published: `articles(filter: { status: SCHEDULED })`.',
      resolve: ({ authorId }, _args, { deps }) => countOwnArticles(deps.db, authorId, 'SCHEDULED'),
    }),
    copyCount: t.int({
      description: 'The number of copies that would remain at destinations.',
      resolve: ({ authorId }, _args, { deps }) => countUndeletedCopies(deps.db, authorId),
    }),
    copies: t.field({
      type: RemainingCopyConnection,
      complexity: pageCost,
      description:
        'The copies that would remain, by article. exportEverything also lists all of them. Errors: BAD_CURSOR, BAD_INPUT.',
      args: pageArgs,
      resolve: ({ authorId }, args, { deps }) =>
        readPage({
          args,
          list: ['remaining copies', authorId],
          readPosition: ({ key }) => (typeof key === 'string' && COPY_KEY.test(key) ? { key } : null),
          load: (limit, after) => listUndeletedCopies(deps.db, authorId, { limit, after: after?.key ?? null }),
          locate: ({ key }) => ({ key }),
        }),
    }),
  }),
});

const COPY_KEY = /^[0-9a-f-]{36}\/\w{1,40}\/[0-9a-f-]{36}$/;

builder.queryField('accountDeletion', (t) =>
  t.field({
    type: AccountDeletion,
    description:
      'The effects of deleting your account, and the copies that would remain at destinations. Changes nothing.',
    resolve: (_root, _args, context) => ({ authorId: requireUser(context) }),
  }),
);

builder.mutationFields((t) => ({
  exportEverything: t.field({
    ...ALLOW_UNCONFIRMED_FIELD,
    type: Export,
    description:
      'Returns a URL for all your data: each article as Markdown that can be published again to the same article, and the rest as JSON.',
    resolve: (_root, _args, { deps, request }) => openExport(deps, getSession(request)),
  }),
  deleteAccount: t.boolean({
    ...ALLOW_UNCONFIRMED_FIELD,
    description:
      'Deletes the account permanently: articles, schedules, connections, tokens, settings and notifications. Copies at destinations remain (see accountDeletion), and so do comments, without your name. Errors: WRONG_PASSWORD, RATE_LIMITED.',
    args: { password: t.arg.string({ required: true, description: 'The password of this account.' }) },
    resolve: returnTrueAfter(({ password }, context) =>
      deleteAccount(context.deps, { userId: requireUser(context), password, address: context.request.ip }),
    ),
  }),
}));
