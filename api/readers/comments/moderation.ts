/** GraphQL mutations with which the author of an article moderates its comments. */
import { acceptAnswer, unacceptAnswer } from '../../../store/comments/accept-answer.ts';
import { hideComment, lockComments, unhideComment, unlockComments } from '../../../store/comments/moderate.ts';
import { builder } from '../../graphql/builder.ts';
import { requireUser } from '../../graphql/context.ts';

const ownSlugArg = builder.args((t) => ({
  slug: t.string({ required: true, description: 'The slug of an article of yours.' }),
}));

const moderatedArg = builder.args((t) => ({
  id: t.id({ required: true, description: 'The id of a comment on an article of yours.' }),
}));

builder.mutationField('hideComment', (t) =>
  t.boolean({
    description:
      'Hides the text of a comment on an article of yours from everyone except you and the person who wrote it. Replies stay visible. If it was the accepted answer, it no longer is. Errors: NOT_FOUND.',
    args: moderatedArg,
    resolve: async (_root, { id }, context) => {
      const { db, now } = context.deps;
      await hideComment(db, { authorId: requireUser(context), commentId: id, now: now() });
      return true;
    },
  }),
);

builder.mutationField('unhideComment', (t) =>
  t.boolean({
    description: 'Shows a hidden comment again. Errors: NOT_FOUND.',
    args: moderatedArg,
    resolve: async (_root, { id }, context) => {
      await unhideComment(context.deps.db, { authorId: requireUser(context), commentId: id });
      return true;
    },
  }),
);

builder.mutationField('lockComments', (t) =>
  t.boolean({
    description:
      'Closes the comments of an article of yours. Existing comments stay; none can be added or edited. Errors: NOT_FOUND.',
    args: ownSlugArg,
    resolve: async (_root, { slug }, context) => {
      const { db, now } = context.deps;
      await lockComments(db, { authorId: requireUser(context), slug, now: now() });
      return true;
    },
  }),
);

builder.mutationField('unlockComments', (t) =>
  t.boolean({
    description: 'Opens the comments of an article of yours again. Errors: NOT_FOUND.',
    args: ownSlugArg,
    resolve: async (_root, { slug }, context) => {
      await unlockComments(context.deps.db, { authorId: requireUser(context), slug });
      return true;
    },
  }),
);

const answerArg = builder.args((t) => ({
  commentId: t.id({ required: true, description: 'The id of a comment on an article of yours.' }),
}));

builder.mutationField('acceptAnswer', (t) =>
  t.boolean({
    description:
      'Marks a comment as the accepted answer of your article. Replaces the previous accepted answer. Errors: NOT_FOUND, SUSPENDED.',
    args: answerArg,
    resolve: async (_root, { commentId }, context) => {
      const { db, now } = context.deps;
      await acceptAnswer(db, { authorId: requireUser(context), commentId, now: now() });
      return true;
    },
  }),
);

builder.mutationField('unacceptAnswer', (t) =>
  t.boolean({
    description: 'Removes the accepted-answer mark if the comment has it. Errors: NOT_FOUND.',
    args: answerArg,
    resolve: async (_root, { commentId }, context) => {
      await unacceptAnswer(context.deps.db, { authorId: requireUser(context), commentId });
      return true;
    },
  }),
);
