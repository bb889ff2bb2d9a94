/** GraphQL types of an article's notices and of a mutation's warnings. */
import type { listArticleNotices } from '../../../store/articles/article-notices.ts';
import { builder } from '../../graphql/builder.ts';

type NoticeRow = Awaited<ReturnType<typeof listArticleNotices>>[number];

export const Notice = builder.objectRef<NoticeRow>('Notice').implement({
  description: 'A notice for the author of an article.',
  fields: (t) => ({
    code: t.exposeString('code', { description: 'A stable code for programs.' }),
    message: t.exposeString('message', { description: 'The text for people: what happened and what to do next.' }),
    at: t.expose('createdAt', { type: 'DateTime', description: 'The time at which the notice was created.' }),
  }),
});

export const Warning = builder.objectRef<{ code: string; message: string; path?: string | null }>('Warning').implement({
  description: 'How a command was interpreted, or what it leaves unchanged, in case the author meant something else.',
  fields: (t) => ({
    code: t.exposeString('code', { description: 'A stable code for programs.' }),
    message: t.exposeString('message', { description: 'The text for people.' }),
    path: t.exposeString('path', {
      nullable: true,
      description: 'The argument that the warning is about, or the destination as cross_post.<key>.',
    }),
  }),
});
