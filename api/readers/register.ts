/**
 * Registers the forms for readers, which work without script. Public pages are cached and identical
 * for all readers, so a page for the sender only shows the result. Scripts receive it as JSON.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RefusedCommandError } from '../../store/commands/refused-command.ts';
import type { ReaderDeps } from '../deps.ts';
import { compressPages } from '../web/assets/compress-pages.ts';
import { acceptForms, acceptsJson } from '../web/forms.ts';
import { allowViewer } from '../web/viewer.ts';
import { ownCommentForms } from './comments/managed-routes.ts';
import { commentForms } from './comments/routes.ts';
import { authorForms } from './engagement/author-routes.ts';
import { reactionForms } from './engagement/reaction-routes.ts';
import { sendRefusal } from './respond-to-reader.ts';

export async function registerReaderForms(app: FastifyInstance, deps: ReaderDeps) {
  compressPages(app);
  await acceptForms(app);
  app.addHook('onRequest', allowViewer(deps));
  app.setErrorHandler(sendUnconfirmedPage);
  await commentForms(app, deps);
  await ownCommentForms(app, deps);
  await reactionForms(app, deps);
  await authorForms(app, deps);
}

/**
 * Rejects unconfirmed accounts before the body is read, so the response cannot contain the text.
 * The browser still has it on the previous page.
 */
function sendUnconfirmedPage(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const isUnconfirmed = error instanceof RefusedCommandError && error.code === 'EMAIL_NOT_CONFIRMED';
  if (!isUnconfirmed || acceptsJson(request)) throw error;
  return sendRefusal(reply, error, { back: { path: '/desk', text: 'Go to your desk' } });
}
