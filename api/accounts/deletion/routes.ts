/** Routes of `/desk/settings/delete`. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { countOwnArticles } from '../../../store/articles/own-articles.ts';
import { countUndeletedCopies, listUndeletedCopies } from '../../../store/copies/copies.ts';
import { ALLOW_UNCONFIRMED } from '../../auth/confirmed-address.ts';
import { clearSessionCookie } from '../../auth/session-cookie.ts';
import type { DeskDeps } from '../../deps.ts';
import { handleSettingsForm, sendSettings } from '../../web/desk/send-settings.ts';
import { buildSettingsPath } from '../../web/desk/settings-page.ts';
import type { FieldProblem } from '../../web/fields.ts';
import { readField } from '../../web/forms.ts';
import { getViewer } from '../../web/viewer.ts';
import { deleteAccount } from './delete-account.ts';
import { renderDeletePage } from './page.ts';

const PATH = buildSettingsPath('delete');
/** Copies on the page. The export lists all of them. */
const MAX_COPIES = 100;
const schema = { hide: true };

export async function deleteSettings(app: FastifyInstance, deps: DeskDeps) {
  const { db } = deps;
  app.get(PATH, { schema }, (request, reply) => show(request, reply, [], 200));

  app.post(PATH, { schema, config: ALLOW_UNCONFIRMED }, async (request, reply) =>
    handleSettingsForm(
      reply,
      '/login',
      async () => {
        const password = readField(request, 'password');
        await deleteAccount(deps, { userId: getViewer(request).userId, password, address: request.ip });
        clearSessionCookie(reply, deps);
        return 'Account deleted. Thank you for writing here.';
      },
      (problems, status) => show(request, reply, problems, status),
    ),
  );

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    problems: readonly FieldProblem[],
    status: number,
  ): Promise<FastifyReply> {
    const { userId, email } = getViewer(request);
    const [articles, scheduled, copyCount, copies] = await Promise.all([
      countOwnArticles(db, userId),
      countOwnArticles(db, userId, 'SCHEDULED'),
      countUndeletedCopies(db, userId),
      listUndeletedCopies(db, userId, { limit: MAX_COPIES, after: null }),
    ]);
    const body = renderDeletePage({ email, articles, scheduled, copyCount, copies, problems });
    return sendSettings(request, reply, { subject: 'delete', status }, body);
  }
}
