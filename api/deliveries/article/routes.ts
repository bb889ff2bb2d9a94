/** Serves an article's page at the desk, and the forms with commands for it and its deliveries. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DESTINATION_KEYS, type DestinationKey } from '../../../article/types.ts';
import { findOwnArticle, type OwnArticle } from '../../../store/articles/own-articles.ts';
import type { Database } from '../../../store/db/database.ts';
import { isUuid } from '../../../store/db/valid-keys.ts';
import type { DeliveryTarget } from '../../../store/deliveries/commands.ts';
import { ALLOW_UNCONFIRMED } from '../../auth/confirmed-address.ts';
import type { DeskDeps } from '../../deps.ts';
import { createNotFound } from '../../web/desk/not-found.ts';
import { sendDeskPage } from '../../web/desk/send-desk-page.ts';
import { findKnownZone } from '../../web/desk/time-zone.ts';
import { formatTime } from '../../web/desk/times.ts';
import { readField } from '../../web/forms.ts';
import { readNextPath } from '../../web/next-path.ts';
import { handleForm, type Notice, runToNotice } from '../../web/notice.ts';
import { getViewer } from '../../web/viewer.ts';
import {
  type ArticleName,
  cancelOwnSchedule,
  listLiveOrUncertainCopies,
  publishArticleNow,
  removeOwnArticle,
  scheduleOwnArticle,
} from '../article-commands.ts';
import { replaceCommandsByButtons } from '../grid/describe-cell.ts';
import { type DeliveryCommand, runDeliveryCommand, settleOwnDelivery, UNCONFIRMED_COMMANDS } from '../run-command.ts';
import { loadArticle } from './load-article.ts';
import { renderArticleActions, renderDeletePage, renderDeskArticlePage } from './page.ts';

type OfArticle = { Params: { id: string; destination: string } };

interface DeskCommand<Name> {
  isForUnconfirmed?: boolean;
  run(name: Name, request: FastifyRequest): Promise<string | Notice>;
}

export async function articleRoutes(app: FastifyInstance, deps: DeskDeps) {
  app.get<OfArticle>('/desk/articles/:id', async (request, reply) => {
    const article = await requireOwnArticle(deps.db, request, request.params.id);
    const author = { authorId: getViewer(request).userId, zone: findKnownZone(request) };
    const view = await loadArticle(deps, author, article);
    const page = { title: article.title, current: 'articles', actions: renderArticleActions(article) } as const;
    return sendDeskPage(request, reply, page, renderDeskArticlePage(view));
  });

  app.get<OfArticle>('/desk/articles/:id/delete', async (request, reply) => {
    const article = await requireOwnArticle(deps.db, request, request.params.id);
    if (article.deletedAt !== null) throw createNotFound('You have no such article.');
    const copies = await listLiveOrUncertainCopies(deps, await nameArticle(request));
    const page = { title: 'Delete this article?', current: 'articles' } as const;
    return sendDeskPage(request, reply, page, renderDeletePage(article, copies));
  });

  addCommands('/desk/articles/:id', buildArticleCommands(deps), nameArticle);
  addCommands('/desk/articles/:id/:destination', buildDeliveryCommands(deps), async (request) => ({
    ...(await nameArticle(request)),
    destination: readDestination(request),
  }));

  function addCommands<Name>(
    path: string,
    commands: Record<string, DeskCommand<Name>>,
    readName: (request: FastifyRequest<OfArticle>) => Promise<Name>,
  ): void {
    for (const [command, { isForUnconfirmed, run }] of Object.entries(commands)) {
      const config = isForUnconfirmed ? ALLOW_UNCONFIRMED : {};
      app.post<OfArticle>(`${path}/${command}`, { config }, async (request, reply) => {
        const name = await readName(request);
        return sendCommandResponse(request, reply, () => run(name, request));
      });
    }
  }

  async function nameArticle(request: FastifyRequest<OfArticle>): Promise<ArticleName> {
    const { id: articleId } = await requireOwnArticle(deps.db, request, request.params.id);
    return { authorId: getViewer(request).userId, articleId };
  }
}

function buildArticleCommands(deps: DeskDeps): Record<string, DeskCommand<ArticleName>> {
  return {
    publish: {
      async run(name, request) {
        const warnings = await publishArticleNow(deps, name, { via: 'desk', request });
        return buildCommandNotice('Article published. It is being delivered to its destinations.', warnings);
      },
    },
    schedule: {
      async run(name, request) {
        const { at, warnings } = await scheduleOwnArticle(deps, name, readTime(request));
        const zone = findKnownZone(request) ?? (readField(request, 'zone').trim() || 'UTC');
        return buildCommandNotice(`Article scheduled. It becomes public on ${formatTime(at, zone)}.`, warnings);
      },
    },
    cancel: {
      isForUnconfirmed: true,
      async run(name) {
        await cancelOwnSchedule(deps, name);
        return 'The article is now a draft.';
      },
    },
    unpublish: {
      isForUnconfirmed: true,
      run: async (name) =>
        buildCommandNotice('The article is now a draft.', await removeOwnArticle(deps, name, 'unpublish')),
    },
    delete: {
      isForUnconfirmed: true,
      run: async (name) => buildCommandNotice('Article deleted.', await removeOwnArticle(deps, name, 'delete')),
    },
  };
}

function buildDeliveryCommands(deps: DeskDeps): Record<string, DeskCommand<DeliveryTarget>> {
  const simple = (Object.entries(DELIVERY_COMMANDS) as [DeliveryCommand, string][]).map(([command, message]) => {
    const run = (name: DeliveryTarget) => runDeliveryCommand(deps, name, command).then(() => message);
    return [command, { isForUnconfirmed: UNCONFIRMED_COMMANDS.has(command), run }] as const;
  });
  return {
    ...Object.fromEntries(simple),
    settle: {
      async run(name, request) {
        const copyExists = readField(request, 'found') === 'yes';
        const seenAttempts = Number.parseInt(readField(request, 'attempt'), 10);
        const url = copyExists ? readField(request, 'url').trim() : null;
        await settleOwnDelivery(deps, name, { url, seenAttempts });
        return copyExists ? 'The copy is now recorded for this article.' : 'Sending again.';
      },
    },
  };
}

const DELIVERY_COMMANDS: Record<DeliveryCommand, string> = {
  retry: 'Retrying.',
  skip: 'Skipped. The next publish is delivered there again.',
  overwrite: 'Overwriting the copy. Changes made at the destination are lost.',
  withdraw: 'Withdrawing the copy, as far as the platform can.',
};

function readDestination({ params }: FastifyRequest<OfArticle>): DestinationKey {
  const key = DESTINATION_KEYS.find((candidate) => candidate === params.destination);
  if (key === undefined) throw createNotFound('You have no delivery of this article to this destination.');
  return key;
}

/** Combines the fields `at`, a local time, and `zone`, the name of a zone or an offset. */
function readTime(request: FastifyRequest): string {
  const at = readField(request, 'at').trim();
  const zone = readField(request, 'zone').trim();
  if (zone === '' || /[Zz\]]$/.test(at)) return at;
  return /^[+-]/.test(zone) ? `${at}${zone}` : `${at}[${zone}]`;
}

function buildCommandNotice(text: string, warnings: readonly { message: string }[]): Notice {
  if (warnings.length === 0) return { kind: 'done', text };
  return {
    kind: 'warning',
    text: [text, ...warnings.map(({ message }) => replaceCommandsByButtons(message))].join(' '),
  };
}

/** Responds with the page again, or with the notice alone for a script. */
async function sendCommandResponse(request: FastifyRequest, reply: FastifyReply, run: () => Promise<string | Notice>) {
  if (!request.headers.accept?.startsWith('application/json')) {
    return handleForm(reply, readNextPath(readField(request, 'back')), run);
  }
  return reply.header('cache-control', 'no-store').send(await runToNotice(run));
}

/** Throws a 404 if the article is missing or another author's. A deleted one has `deletedAt`. */
async function requireOwnArticle(db: Database, request: FastifyRequest, articleId: string): Promise<OwnArticle> {
  const { userId: authorId } = getViewer(request);
  const article = isUuid(articleId) ? await findOwnArticle(db, { authorId, articleId }) : undefined;
  if (!article) throw createNotFound('You have no such article.');
  return article;
}
