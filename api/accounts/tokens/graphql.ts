/** GraphQL fields that list, create and revoke developer tokens. */
import { readPublishTime } from '../../../article/frontmatter/publish-time.ts';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import { listOwnTokens, MAX_DEVELOPER_TOKENS } from '../../../store/users/own-tokens.ts';
import { getSession } from '../../auth/session-hook.ts';
import { ALLOW_UNCONFIRMED_FIELD, builder } from '../../graphql/builder.ts';
import { requireUser } from '../../graphql/context.ts';
import { createNamedToken, revokeToken } from './tokens.ts';
import '../../graphql/date-time.ts';

type TokenRow = Awaited<ReturnType<typeof listOwnTokens>>[number];

const DeveloperToken = builder.objectRef<TokenRow>('DeveloperToken').implement({
  description: 'A token that publishes in your name. What it says is shown once, when it is made.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'For revokeDeveloperToken.' }),
    name: t.exposeString('name', { description: 'What you called it.' }),
    lastFour: t.exposeString('lastFour', { description: 'Its last four characters.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    lastUsedOn: t.exposeString('lastUsedOn', {
      nullable: true,
      description: 'The last day on which it was used, in UTC, as 2026-11-23; null where it never was.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'From when on it is refused; null where it holds until it is revoked.',
    }),
    isExpired: t.boolean({
      description: 'An expired one is listed for a month more.',
      resolve: ({ expiresAt }, _args, { deps }) => expiresAt !== null && expiresAt <= deps.now(),
    }),
  }),
});

const NewDeveloperToken = builder.objectRef<{ id: string; token: string }>('NewDeveloperToken').implement({
  description: 'A developer token that was just made.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'For revokeDeveloperToken.' }),
    token: t.exposeString('token', { description: 'The token itself. It is kept nowhere and never shown again.' }),
  }),
});

builder.queryField('developerTokens', (t) =>
  t.field({
    type: [DeveloperToken],
    complexity: { field: 1, multiplier: MAX_DEVELOPER_TOKENS },
    description: 'Yours, the newest first, without those that were revoked.',
    resolve: (_root, _args, context) => listOwnTokens(context.deps.db, requireUser(context), context.deps.now()),
  }),
);

builder.mutationField('createDeveloperToken', (t) =>
  t.field({
    type: NewDeveloperToken,
    description: `At most ${MAX_DEVELOPER_TOKENS} work at once. Errors: BAD_INPUT, BAD_TIME, IN_THE_PAST, TOO_MANY.`,
    args: {
      name: t.arg.string({ required: true, description: 'What it is for: one line of at most 60 characters.' }),
      expiresAt: t.arg.string({ description: 'From when on it is refused, in ISO 8601; without it, never.' }),
    },
    resolve: (_root, args, context) => {
      const expiresAt = args.expiresAt == null ? null : readTime(args.expiresAt);
      return createNamedToken(context.deps, getSession(context.request), { name: args.name, expiresAt });
    },
  }),
);

builder.mutationField('revokeDeveloperToken', (t) =>
  t.boolean({
    ...ALLOW_UNCONFIRMED_FIELD,
    description: 'It is refused from now on. Errors: NOT_FOUND, of one that was revoked before too.',
    args: { id: t.arg.id({ required: true, description: 'Of one of your tokens.' }) },
    resolve: async (_root, { id: tokenId }, context) => {
      await revokeToken(context.deps, requireUser(context), tokenId);
      return true;
    },
  }),
);

function readTime(text: string): Date {
  const time = readPublishTime(text.slice(0, 200));
  if ('problem' in time) throw new RefusedCommandError('BAD_TIME', `expiresAt ${time.problem}.`, 'expiresAt');
  return time.at;
}
