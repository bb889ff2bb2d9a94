/** GraphQL fields that export and delete the account of the signed-in user. */
import { countOwnArticles } from '../../../store/articles/own-articles.ts';
import {
  countRemainingCopies,
  listRemainingCopies,
  type RemainingCopy as RemainingCopyRow,
} from '../../../store/deliveries/copies.ts';
import { getSession } from '../../auth/session-hook.ts';
import { ALLOW_UNCONFIRMED_FIELD, builder } from '../../graphql/builder.ts';
import { requireUser } from '../../graphql/context.ts';
import { Destination } from '../../graphql/destination.ts';
import { createConnectionType, pageArgs, pageCost, readPage } from '../../graphql/pages.ts';
import { openExport } from '../export/open-export.ts';
import { deleteAccount } from './delete-account.ts';
import '../../graphql/date-time.ts';

const Export = builder.objectRef<{ url: string; expiresAt: Date }>('Export').implement({
  description: 'Where everything of yours can be downloaded.',
  fields: (t) => ({
    url: t.exposeString('url', {
      description: 'Of a zip. Whoever has the address can download it: keep it to yourself.',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Until when a download may begin.' }),
  }),
});

const RemainingCopy = builder.objectRef<RemainingCopyRow>('RemainingCopy').implement({
  description: 'A copy of an article at a destination. It stays there when the account is deleted.',
  fields: (t) => ({
    articleSlug: t.exposeString('slug', { description: 'Of which article.' }),
    articleTitle: t.exposeString('title', { description: 'What the article is called here.' }),
    destination: t.expose('destination', { type: Destination, description: 'Where it stands.' }),
    url: t.string({ description: 'Empty where it is not known.', resolve: ({ url }) => url ?? '' }),
    account: t.exposeString('account', {
      nullable: true,
      description: 'What the account is called at which it stands; null where it was never asked.',
    }),
    isUncertain: t.exposeBoolean('isUncertain', {
      description: 'True where the outcome of the attempt to make it is not known: it may be there, or not.',
    }),
  }),
});

const RemainingCopyConnection = createConnectionType(RemainingCopy, {
  name: 'RemainingCopy',
  description: 'A page of copies at destinations.',
  edge: 'A copy in a list.',
});

const AccountDeletion = builder.objectRef<{ authorId: string }>('AccountDeletion').implement({
  description:
    'What deleting the account would do. To have copies withdrawn as far as the platforms can, unpublish or delete the articles first.',
  fields: (t) => ({
    articleCount: t.int({
      description: 'Articles whose text would be erased; the addresses of those that were public answer 410.',
      resolve: ({ authorId }, _args, { deps }) => countOwnArticles(deps.db, authorId),
    }),
    scheduledCount: t.int({
      description: 'Of these, scheduled ones, which would never appear: `articles(filter: { status: SCHEDULED })`.',
      resolve: ({ authorId }, _args, { deps }) => countOwnArticles(deps.db, authorId, 'SCHEDULED'),
    }),
    copyCount: t.int({
      description: 'Copies that would stay at destinations.',
      resolve: ({ authorId }, _args, { deps }) => countRemainingCopies(deps.db, authorId),
    }),
    copies: t.field({
      type: RemainingCopyConnection,
      complexity: pageCost,
      description: 'These copies, by article; exportEverything lists all of them too. Errors: BAD_CURSOR, BAD_INPUT.',
      args: pageArgs,
      resolve: ({ authorId }, args, { deps }) =>
        readPage({
          args,
          list: ['remaining copies', authorId],
          readPosition: ({ key }) => (typeof key === 'string' && COPY_KEY.test(key) ? { key } : null),
          load: (limit, after) => listRemainingCopies(deps.db, authorId, { limit, after: after?.key ?? null }),
          locate: ({ key }) => ({ key }),
        }),
    }),
  }),
});

const COPY_KEY = /^[0-9a-f-]{36}\/\w{1,40}\/[0-9a-f-]{36}$/;

builder.queryField('accountDeletion', (t) =>
  t.field({
    type: AccountDeletion,
    description: 'What deleting your account would do, and what would stay at destinations. Changes nothing.',
    resolve: (_root, _args, context) => ({ authorId: requireUser(context) }),
  }),
);

builder.mutationFields((t) => ({
  exportEverything: t.field({
    ...ALLOW_UNCONFIRMED_FIELD,
    type: Export,
    description:
      'An address for everything of yours: each article as Markdown that publishes again to the same article, and the rest as JSON.',
    resolve: (_root, _args, context) => {
      const { sessions, config } = context.deps;
      return openExport({ sessions, baseUrl: config.baseUrl }, getSession(context.request));
    },
  }),
  deleteAccount: t.boolean({
    ...ALLOW_UNCONFIRMED_FIELD,
    description:
      'For good: articles are erased, schedules end, connections, tokens, settings and notifications are deleted; copies at destinations stay (see accountDeletion), and so do comments, without your name. Errors: WRONG_PASSWORD, RATE_LIMITED.',
    args: { password: t.arg.string({ required: true, description: 'Of this account.' }) },
    resolve: async (_root, { password }, context) => {
      const person = { userId: requireUser(context), password, address: context.request.ip };
      await deleteAccount(context.deps, person);
      return true;
    },
  }),
}));
