/** GraphQL fields that follow and unfollow authors. */
import { type Audience as AudienceRow, findAudience, unfollow } from '../../../store/follows/follow.ts';
import { ALLOW_UNCONFIRMED_FIELD, builder } from '../../graphql/builder.ts';
import { requireUser } from '../../graphql/context.ts';
import { followAuthor } from './follow.ts';

const Audience = builder.objectRef<AudienceRow>('Audience').implement({
  description: 'The followers of an author.',
  fields: (t) => ({
    followers: t.exposeInt('followers', { description: 'The number of followers.' }),
    isFollowed: t.exposeBoolean('isFollowed', { description: 'Whether you follow the author.' }),
  }),
});

const authorArg = builder.args((t) => ({
  username: t.string({ required: true, description: 'The user name of the author, as in /authors/<username>.' }),
}));

builder.queryField('audience', (t) =>
  t.field({
    type: Audience,
    nullable: true,
    description: 'The followers of an author; null if there is no author with this user name.',
    args: authorArg,
    resolve: (_root, { username }, context) =>
      findAudience(context.deps.db, { username, viewerId: requireUser(context) }),
  }),
);

builder.mutationField('follow', (t) =>
  t.boolean({
    description:
      'Follows an author. Changes nothing if you already do. Errors: NOT_FOUND, OWN_PROFILE, RATE_LIMITED, SUSPENDED.',
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
    description: 'Unfollows an author. Changes nothing if you do not follow them. Errors: NOT_FOUND.',
    args: authorArg,
    resolve: async (_root, { username }, context) => {
      await unfollow(context.deps.db, { followerId: requireUser(context), username });
      return true;
    },
  }),
);
