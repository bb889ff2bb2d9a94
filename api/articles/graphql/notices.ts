/** GraphQL types of an article's notices and of a command's warnings. */
import type { listArticleNotices } from '../../../store/articles/article-notices.ts';
import { builder } from '../../graphql/builder.ts';
import '../../graphql/date-time.ts';

type NoticeRow = Awaited<ReturnType<typeof listArticleNotices>>[number];

export const Notice = builder.objectRef<NoticeRow>('Notice').implement({
  description: 'Something the author should know.',
  fields: (t) => ({
    code: t.exposeString('code', { description: 'Stable, for programs.' }),
    message: t.exposeString('message', { description: 'For people: what happened and what to do next.' }),
    at: t.expose('createdAt', { type: 'DateTime', description: 'When it was noticed.' }),
  }),
});

export const Warning = builder.objectRef<{ code: string; message: string; path?: string | null }>('Warning').implement({
  description: 'What a command was read as, or leaves as it is, in case something else was meant.',
  fields: (t) => ({
    code: t.exposeString('code', { description: 'Stable, for programs.' }),
    message: t.exposeString('message', { description: 'For people.' }),
    path: t.exposeString('path', {
      nullable: true,
      description: 'The argument, or the destination as cross_post.<key>.',
    }),
  }),
});
