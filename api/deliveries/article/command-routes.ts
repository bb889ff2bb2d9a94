/** Routes of the desk's forms with commands for an article or one of its deliveries. */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DESTINATION_KEYS, type DestinationKey } from '../../../article/types.ts';
import { ALLOW_UNCONFIRMED } from '../../auth/confirmed-address.ts';
import type { DeskDeps } from '../../deps.ts';
import { createNotFoundError, requireOwnArticle } from '../../web/desk/own-article.ts';
import { findKnownZone } from '../../web/desk/time-zone.ts';
import { formatTime } from '../../web/desk/times.ts';
import { readField } from '../../web/forms.ts';
import { handleForm, type Notice } from '../../web/notice.ts';
import { getViewer } from '../../web/viewer.ts';
import { cancelOwnSchedule, publishArticleNow, removeOwnArticle, scheduleOwnArticle } from '../article-commands.ts';
import { replaceCommandsByButtons } from '../grid/button-names.ts';
import { type DeliveryCommand, runDeliveryCommand, settleOwnDelivery, UNCONFIRMED_COMMANDS } from '../run-command.ts';
import { sendCommandResponse } from './command-response.ts';

type OfArticle = { Params: { id: string } };
type OfDelivery = { Params: { id: string; destination: string } };

export async function commandRoutes(app: FastifyInstance, deps: DeskDeps) {
  const nameArticle = async (request: FastifyRequest<OfArticle>) => {
    const { id: articleId } = await requireOwnArticle(deps.db, request, request.params.id);
    return { authorId: getViewer(request).userId, articleId };
  };

  for (const [command, message] of Object.entries(DELIVERY_COMMANDS) as [DeliveryCommand, string][]) {
    const config = UNCONFIRMED_COMMANDS.has(command) ? ALLOW_UNCONFIRMED : {};
    app.post<OfDelivery>(`/desk/articles/:id/:destination/${command}`, { config }, async (request, reply) => {
      const name = { ...(await nameArticle(request)), destination: readDestination(request) };
      return sendCommandResponse(request, reply, async () => {
        await runDeliveryCommand(deps, name, command);
        return message;
      });
    });
  }

  app.post<OfDelivery>('/desk/articles/:id/:destination/settle', async (request, reply) => {
    const name = { ...(await nameArticle(request)), destination: readDestination(request) };
    const copyExists = readField(request, 'found') === 'yes';
    const seenAttempts = Number.parseInt(readField(request, 'attempt'), 10);
    return sendCommandResponse(request, reply, async () => {
      await settleOwnDelivery(deps, name, { url: copyExists ? readField(request, 'url').trim() : null, seenAttempts });
      return copyExists ? 'The copy is now recorded for this article.' : 'Sending again.';
    });
  });

  app.post<OfArticle>('/desk/articles/:id/publish', async (request, reply) => {
    const name = await nameArticle(request);
    return sendCommandResponse(request, reply, async () => {
      const warnings = await publishArticleNow(deps, name, { via: 'desk', request });
      return buildCommandNotice('Article published. It is being delivered to its destinations.', warnings);
    });
  });

  app.post<OfArticle>('/desk/articles/:id/schedule', async (request, reply) => {
    const name = await nameArticle(request);
    return sendCommandResponse(request, reply, async () => {
      const { at, warnings } = await scheduleOwnArticle(deps, name, readTime(request));
      const zone = findKnownZone(request) ?? (readField(request, 'zone').trim() || 'UTC');
      return buildCommandNotice(`Article scheduled. It becomes public on ${formatTime(at, zone)}.`, warnings);
    });
  });

  app.post<OfArticle>('/desk/articles/:id/cancel', { config: ALLOW_UNCONFIRMED }, async (request, reply) => {
    const name = await nameArticle(request);
    return sendCommandResponse(request, reply, async () => {
      await cancelOwnSchedule(deps, name);
      return 'The article is now a draft.';
    });
  });

  app.post<OfArticle>('/desk/articles/:id/unpublish', { config: ALLOW_UNCONFIRMED }, async (request, reply) => {
    const name = await nameArticle(request);
    return sendCommandResponse(request, reply, async () =>
      buildCommandNotice('The article is now a draft.', await removeOwnArticle(deps, name, 'unpublish')),
    );
  });

  app.post<OfArticle>('/desk/articles/:id/delete', { config: ALLOW_UNCONFIRMED }, async (request, reply) => {
    const name = await nameArticle(request);
    return handleForm(reply, '/desk', async () =>
      buildCommandNotice('Article deleted.', await removeOwnArticle(deps, name, 'delete')),
    );
  });
}

const DELIVERY_COMMANDS: Record<DeliveryCommand, string> = {
  retry: 'Retrying.',
  skip: 'Skipped. The next publish is delivered there again.',
  overwrite: 'Overwriting the copy. Changes made at the destination are lost.',
  withdraw: 'Withdrawing the copy, as far as the platform can.',
};

function readDestination({ params }: FastifyRequest<OfDelivery>): DestinationKey {
  const key = DESTINATION_KEYS.find((candidate) => candidate === params.destination);
  if (key === undefined) throw createNotFoundError();
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
