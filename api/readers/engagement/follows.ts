/** GraphQL fields that follow and unfollow authors. */
import { type Audience as AudienceRow, findAudience, unfollow } from '../../../store/follows/follow.ts';
import { ALLOW_UNCONFIRMED_FIELD, builder } from '../../graphql/builder.ts';
import { requireUser } from '../../graphql/context.ts';
import { followAuthor } from './follow.ts';

const Audience = builder.objectRef<AudienceRow>('Audience').implement({
  description: 'Who follows an author.',
  fields: (t) => ({
    followers: t.exposeInt('followers', { description: 'How many people.' }),
    isFollowed: t.exposeBoolean('isFollowed', { description: 'Whether you are one of them.' }),
  }),
});

const authorArg = builder.args((t) => ({
  username: t.string({ required: true, description: 'Of an author, as in /authors/<username>.' }),
}));

builder.queryField('audience', (t) =>
  t.field({
    type: Audience,
    nullable: true,
    description: 'Who follows an author; null where there is none with this user name.',
    args: authorArg,
    resolve: (_root, { username }, context) =>
      findAudience(context.deps.db, { username, viewerId: requireUser(context) }),
  }),
);

builder.mutationField('follow', (t) =>
  t.boolean({
    description:
      'Follows an author. Followed already, it changes nothing. Errors: NOT_FOUND, OWN_PROFILE, RATE_LIMITED, SUSPENDED.',
    args: authorArg,
    resolve: async (_root, { username }, context) => {
      await followAuthor(context.deps, { followerId: requireUser(context), username });
      return true;
    },
  }),
);

builder.mutationField('unfollow', (t) =>
  t.boolean({
    ...ALLOW_UNCONFIRMED_FIELD,
    description: 'Follows an author no more. Where you do not, it changes nothing. Errors: NOT_FOUND.',
    args: authorArg,
    resolve: async (_root, { username }, context) => {
      await unfollow(context.deps.db, { followerId: requireUser(context), username });
      return true;
    },
  }),
);
