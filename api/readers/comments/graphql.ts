/** GraphQL fields that list, add, edit, delete and moderate comments. */
import { requirePublicArticle } from '../../../store/articles/find-public.ts';
import { acceptAnswer, unacceptAnswer } from '../../../store/comments/accept-answer.ts';
import { type ListedComment, listComments } from '../../../store/comments/list-comments.ts';
import { hideComment, lockComments, unhideComment, unlockComments } from '../../../store/comments/moderate.ts';
import { deleteComment } from '../../../store/comments/own-comment.ts';
import { ALLOW_UNCONFIRMED_FIELD, builder, exposeFields, returnTrueAfter } from '../../graphql/builder.ts';
import { requireUser } from '../../graphql/context.ts';
import { createConnectionType, pageArgs, pageCost, readPage } from '../../graphql/pages.ts';
import { changeComment, writeComment } from './comment.ts';

const CommentState = builder.enumType('CommentState', {
  description: 'Whether the text of a comment is shown.',
  values: {
    VISIBLE: { value: 'visible', description: 'The text is shown.' },
    HIDDEN: {
      value: 'hidden',
      description: 'The author of the article has hidden the text, or the person who wrote it is suspended.',
    },
    DELETED: {
      value: 'deleted',
      description: 'The person who wrote the comment deleted it. An empty entry remains for the replies.',
    },
  } as const,
});

const Comment = builder.objectRef<ListedComment>('Comment').implement({
  description: 'A comment on an article, or a reply to one.',
  fields: (t) => ({
    ...exposeFields(t, {
      id: ['ID!', 'The id, which never changes. Anchor on the page: #comment-<id>.'],
      parentId: ['ID', 'The id of the parent comment; null for a comment on the article itself.'],
      depth: ['Int!', 'The number of comments above it in its thread: 0 to 7.'],
      authorName: [
        'String',
        'The name of the person who wrote it; null if the account no longer exists or the text is withheld.',
      ],
      authorUsername: ['String', 'The user name of the person who wrote it; null in the same cases as authorName.'],
      body: ['String', 'The body in Markdown; null if it is withheld from you.'],
      html: ['String', 'The body as sanitised HTML, without images; null if it is withheld from you.'],
      isQuestion: ['Boolean!', 'Whether the comment is a question. The digest lists unanswered questions.'],
      acceptedAt: ['DateTime', 'When the comment was accepted as the answer; null if it is not.'],
      createdAt: ['DateTime!', 'When the comment was written.'],
      editedAt: ['DateTime', 'When the comment was last edited; null if never.'],
    }),
    state: t.expose('state', { type: CommentState, description: 'Whether the text is shown.' }),
  }),
});

const CommentConnection = createConnectionType(Comment, {
  name: 'Comment',
  description: 'A page of comments.',
  edge: 'A comment in a list.',
});

const slugArg = builder.args((t) => ({
  slug: t.string({ required: true, description: 'The slug of a public article.' }),
}));
const AddedComment = builder.objectRef<{ id: string }>('AddedComment').implement({
  description: 'A new comment.',
  fields: (t) => ({ id: t.exposeID('id', { description: 'The id of the comment.' }) }),
});

const textArgs = builder.args((t) => ({
  body: t.string({
    required: true,
    description: 'The body: Markdown of at most 10,000 characters. Images are shown as links.',
  }),
  isQuestion: t.boolean({
    description: 'Whether the comment is a question. If omitted, this is detected from the text.',
  }),
}));

const ownCommentArg = builder.args((t) => ({
  id: t.id({ required: true, description: 'The id of a comment that you wrote.' }),
}));

builder.queryFields((t) => ({
  comments: t.field({
    type: CommentConnection,
    complexity: pageCost,
    description:
      'The comments of an article in thread order: each reply follows its parent. Empty while the article has comments turned off. Errors: NOT_FOUND, BAD_CURSOR, BAD_INPUT.',
    args: { ...slugArg, ...pageArgs },
    resolve: async (_root, { slug, ...args }, context) => {
      const { db } = context.deps;
      const article = await requirePublicArticle(db, slug);
      const page = { articleId: article.id, viewerId: requireUser(context) };
      return readPage({
        args,
        list: ['comments', article.id],
        readPosition: ({ path }) =>
          typeof path === 'string' && /^(?:[0-9a-f]{2}){1,400}$/.test(path) ? { path } : null,
        load: async (first, after) =>
          article.commentsEnabled
            ? listComments(db, { ...page, first, after: after && Buffer.from(after.path, 'hex') })
            : [],
        locate: ({ path }) => ({ path: path.toString('hex') }),
      });
    },
  }),
}));

const ownSlugArg = builder.args((t) => ({
  slug: t.string({ required: true, description: 'The slug of an article of yours.' }),
}));

const moderatedArg = builder.args((t) => ({
  id: t.id({ required: true, description: 'The id of a comment on an article of yours.' }),
}));

const answerArg = builder.args((t) => ({
  commentId: t.id({ required: true, description: 'The id of a comment on an article of yours.' }),
}));

builder.mutationFields((t) => ({
  addComment: t.field({
    type: AddedComment,
    description:
      'Adds a comment. The same text at the same position within ten minutes is the same comment, so a request can be repeated. Errors: NOT_FOUND, COMMENTS_CLOSED, THREAD_TOO_DEEP, BAD_INPUT, RATE_LIMITED, BUSY, SUSPENDED.',
    args: {
      ...slugArg,
      ...textArgs,
      parentId: t.arg.id({
        description: 'The id of the comment to reply to. If omitted, the comment is on the article.',
      }),
    },
    resolve: (_root, { slug, body, parentId, isQuestion }, context) =>
      writeComment(context.deps, {
        userId: requireUser(context),
        slug,
        parentId: parentId ?? null,
        body,
        isQuestion: isQuestion ?? undefined,
      }),
  }),
  editComment: t.boolean({
    description:
      'Edits a comment of yours. Nobody is notified. Errors: NOT_FOUND, COMMENTS_CLOSED, BAD_INPUT, RATE_LIMITED, BUSY, SUSPENDED.',
    args: { ...ownCommentArg, ...textArgs },
    resolve: returnTrueAfter(({ id, body, isQuestion }, context) =>
      changeComment(context.deps, {
        ...{ userId: requireUser(context), body, isQuestion: isQuestion ?? undefined },
        commentId: id,
      }),
    ),
  }),
  deleteComment: t.boolean({
    ...ALLOW_UNCONFIRMED_FIELD,
    description:
      'Deletes a comment of yours. If it has replies, an empty entry remains. Changes nothing if it is already deleted. Errors: NOT_FOUND.',
    args: ownCommentArg,
    resolve: returnTrueAfter(({ id }, context) =>
      deleteComment(context.deps.db, { userId: requireUser(context), commentId: id, now: context.deps.now() }),
    ),
  }),
  hideComment: t.boolean({
    description:
      'Hides the text of a comment on an article of yours from everyone except you and the person who wrote it. Replies stay visible. If it was the accepted answer, it no longer is. Errors: NOT_FOUND.',
    args: moderatedArg,
    resolve: returnTrueAfter(({ id }, context) =>
      hideComment(context.deps.db, { authorId: requireUser(context), commentId: id, now: context.deps.now() }),
    ),
  }),
  unhideComment: t.boolean({
    description: 'Shows a hidden comment again. Errors: NOT_FOUND.',
    args: moderatedArg,
    resolve: returnTrueAfter(({ id }, context) =>
      unhideComment(context.deps.db, { authorId: requireUser(context), commentId: id }),
    ),
  }),
  lockComments: t.boolean({
    description:
      'Closes the comments of an article of yours. Existing comments stay; none can be added or edited. Errors: NOT_FOUND.',
    args: ownSlugArg,
    resolve: returnTrueAfter(({ slug }, context) =>
      lockComments(context.deps.db, { authorId: requireUser(context), slug, now: context.deps.now() }),
    ),
  }),
  unlockComments: t.boolean({
    description: 'Opens the comments of an article of yours again. Errors: NOT_FOUND.',
    args: ownSlugArg,
    resolve: returnTrueAfter(({ slug }, context) =>
      unlockComments(context.deps.db, { authorId: requireUser(context), slug }),
    ),
  }),
  acceptAnswer: t.boolean({
    description:
      'Marks a comment as the accepted answer of your article. Replaces the previous accepted answer. Errors: NOT_FOUND, SUSPENDED.',
    args: answerArg,
    resolve: returnTrueAfter(({ commentId }, context) =>
      acceptAnswer(context.deps.db, { authorId: requireUser(context), commentId, now: context.deps.now() }),
    ),
  }),
  unacceptAnswer: t.boolean({
    description: 'Removes the accepted-answer mark if the comment has it. Errors: NOT_FOUND.',
    args: answerArg,
    resolve: returnTrueAfter(({ commentId }, context) =>
      unacceptAnswer(context.deps.db, { authorId: requireUser(context), commentId }),
    ),
  }),
}));
