/** GraphQL fields that list, add, edit and delete comments. */
import { requirePublicArticle } from '../../../store/articles/find-public.ts';
import { type ListedComment, listComments } from '../../../store/comments/list-comments.ts';
import { deleteComment } from '../../../store/comments/own-comment.ts';
import { ALLOW_UNCONFIRMED_FIELD, builder } from '../../graphql/builder.ts';
import { requireUser } from '../../graphql/context.ts';
import { createConnectionType, pageArgs, pageCost, readPage } from '../../graphql/pages.ts';
import { changeComment, writeComment } from './comment.ts';
import '../../graphql/date-time.ts';

const CommentState = builder.enumType('CommentState', {
  description: 'Whether the words of a comment are shown.',
  values: {
    visible: { description: 'They are.' },
    hidden: { description: 'The author of the article hides them, or their writer is suspended.' },
    deleted: { description: 'Their writer has taken them back; the place stays for the replies.' },
  } as const,
});

const Comment = builder.objectRef<ListedComment>('Comment').implement({
  description: 'A comment on an article, or a reply to one.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Stays the same; the page has it as #comment-<id>.' }),
    parentId: t.exposeID('parentId', {
      nullable: true,
      description: 'What it replies to; null on the article itself.',
    }),
    depth: t.exposeInt('depth', { description: 'How many comments stand above it in its thread: 0 to 7.' }),
    state: t.expose('state', { type: CommentState, description: 'Whether its words are shown.' }),
    authorName: t.exposeString('authorName', {
      nullable: true,
      description: 'Who wrote it; null where the account is gone or the words are withheld.',
    }),
    authorUsername: t.exposeString('authorUsername', { nullable: true, description: 'As authorName.' }),
    body: t.exposeString('body', { nullable: true, description: 'Markdown; null where it is withheld from you.' }),
    html: t.exposeString('html', {
      nullable: true,
      description: 'The body rendered and sanitised, without images; null where it is withheld from you.',
    }),
    isQuestion: t.exposeBoolean('isQuestion', {
      description: 'Whether it asks something: the digest names those that wait.',
    }),
    acceptedAt: t.expose('acceptedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when it is the accepted answer; null where it is not.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was written.' }),
    editedAt: t.expose('editedAt', { type: 'DateTime', nullable: true, description: 'When it was changed last.' }),
  }),
});

const CommentConnection = createConnectionType(Comment, {
  name: 'Comment',
  description: 'A page of comments.',
  edge: 'A comment in a list.',
});

const slugArg = builder.args((t) => ({
  slug: t.string({ required: true, description: 'Of a public article.' }),
}));
builder.queryField('comments', (t) =>
  t.field({
    type: CommentConnection,
    complexity: pageCost,
    description:
      'The comments of an article, thread after thread: every reply stands below what it answers. None while the article has comments turned off. Errors: NOT_FOUND, BAD_CURSOR, BAD_INPUT.',
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
);

const AddedComment = builder.objectRef<{ id: string }>('AddedComment').implement({
  description: 'A comment that has been written.',
  fields: (t) => ({ id: t.exposeID('id', { description: 'Its id.' }) }),
});

const textArgs = builder.args((t) => ({
  body: t.string({ required: true, description: 'Markdown, at most 10,000 characters. Images are shown as links.' }),
  isQuestion: t.boolean({ description: 'Whether it asks something; as it reads where it is not given.' }),
}));

builder.mutationField('addComment', (t) =>
  t.field({
    type: AddedComment,
    description:
      'Writes a comment. The same words at the same place within ten minutes are the same comment, so a request may be sent again. Errors: NOT_FOUND, COMMENTS_CLOSED, THREAD_TOO_DEEP, BAD_INPUT, RATE_LIMITED, BUSY, SUSPENDED.',
    args: {
      ...slugArg,
      ...textArgs,
      parentId: t.arg.id({
        description: 'The comment that this replies to; a comment on the article where it is not given.',
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
);

const ownCommentArg = builder.args((t) => ({
  id: t.id({ required: true, description: 'A comment that you wrote.' }),
}));

builder.mutationField('editComment', (t) =>
  t.boolean({
    description:
      'Changes a comment of yours. Nobody is notified. Errors: NOT_FOUND, COMMENTS_CLOSED, BAD_INPUT, RATE_LIMITED, BUSY, SUSPENDED.',
    args: { ...ownCommentArg, ...textArgs },
    resolve: async (_root, { id, body, isQuestion }, context) => {
      const written = { userId: requireUser(context), body, isQuestion: isQuestion ?? undefined };
      await changeComment(context.deps, { ...written, commentId: id });
      return true;
    },
  }),
);

builder.mutationField('deleteComment', (t) =>
  t.boolean({
    ...ALLOW_UNCONFIRMED_FIELD,
    description:
      'Erases a comment of yours. Where it has replies its place stays. Done already, it changes nothing. Errors: NOT_FOUND.',
    args: ownCommentArg,
    resolve: async (_root, { id }, context) => {
      const { db, now } = context.deps;
      await deleteComment(db, { userId: requireUser(context), commentId: id, now: now() });
      return true;
    },
  }),
);
