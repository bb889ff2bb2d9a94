/** GraphQL fields that list, create and revoke developer tokens. */
import { readPublishTime } from '../../../article/frontmatter/publish-time.ts';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import { listOwnTokens, MAX_DEVELOPER_TOKENS } from '../../../store/tokens/own-tokens.ts';
import { getSession } from '../../auth/session-hook.ts';
import { ALLOW_UNCONFIRMED_FIELD, builder, exposeFields, returnTrueAfter } from '../../graphql/builder.ts';
import { requireUser } from '../../graphql/context.ts';
import { createNamedToken, revokeToken } from './tokens.ts';

type TokenRow = Awaited<ReturnType<typeof listOwnTokens>>[number];

const DeveloperToken = builder.objectRef<TokenRow>('DeveloperToken').implement({
  description: 'A token that programs use to publish in your name. Its value is returned only once, at creation.',
  fields: (t) => ({
    ...exposeFields(t, {
      id: ['ID!', 'The id for revokeDeveloperToken.'],
      name: ['String!', 'The name you chose.'],
      lastFour: ['String!', 'The last four characters.'],
      createdAt: ['DateTime!', 'When the token was created.'],
      lastUsedOn: ['String', 'The last day of use in UTC, as 2026-11-23; null if the token was never used.'],
      expiresAt: ['DateTime', 'When the token expires; null if it is valid until revoked.'],
    }),
    isExpired: t.boolean({
      description: 'Whether the token has expired. An expired token is listed for one more month.',
      resolve: ({ expiresAt }, _args, { deps }) => expiresAt !== null && expiresAt <= deps.now(),
    }),
  }),
});

const NewDeveloperToken = builder.objectRef<{ id: string; token: string }>('NewDeveloperToken').implement({
  description: 'A new developer token.',
  fields: (t) => ({
    ...exposeFields(t, {
      id: ['ID!', 'The id for revokeDeveloperToken.'],
      token: ['String!', 'The token. It is not stored and never returned again.'],
    }),
  }),
});

builder.queryFields((t) => ({
  developerTokens: t.field({
    type: [DeveloperToken],
    complexity: { field: 1, multiplier: MAX_DEVELOPER_TOKENS },
    description: 'Your developer tokens, newest first, without revoked ones.',
    resolve: (_root, _args, context) => listOwnTokens(context.deps.db, requireUser(context), context.deps.now()),
  }),
}));

builder.mutationFields((t) => ({
  createDeveloperToken: t.field({
    type: NewDeveloperToken,
    description: `Creates a developer token. At most ${MAX_DEVELOPER_TOKENS} can be active at once. Errors: BAD_INPUT, BAD_TIME, IN_THE_PAST, TOO_MANY.`,
    args: {
      name: t.arg.string({ required: true, description: 'The purpose: one line of at most 60 characters.' }),
      expiresAt: t.arg.string({ description: 'When the token expires, in ISO 8601. If omitted, it never expires.' }),
    },
    resolve: (_root, args, context) => {
      const expiresAt = args.expiresAt == null ? null : readTime(args.expiresAt);
      return createNamedToken(context.deps, getSession(context.request), { name: args.name, expiresAt });
    },
  }),
  revokeDeveloperToken: t.boolean({
    ...ALLOW_UNCONFIRMED_FIELD,
    description:
      'Revokes a developer token, which is refused from now on. Errors: NOT_FOUND, also if it was already revoked.',
    args: { id: t.arg.id({ required: true, description: 'The id of one of your tokens.' }) },
    resolve: returnTrueAfter(({ id: tokenId }, context) => revokeToken(context.deps, requireUser(context), tokenId)),
  }),
}));

function readTime(text: string): Date {
  const time = readPublishTime(text.slice(0, 200));
  if ('problem' in time) throw new RefusedCommandError('BAD_TIME', `expiresAt ${time.problem}.`, 'expiresAt');
  return time.at;
}
