/** Routes of `/desk/settings/tokens`. */

import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import { isUuid } from '../../../store/db/valid-keys.ts';
import { listOwnTokens } from '../../../store/tokens/own-tokens.ts';
import { ALLOW_UNCONFIRMED } from '../../auth/confirmed-address.ts';
import type { DeskDeps } from '../../deps.ts';
import { toNotFound } from '../../web/desk/not-found.ts';
import { chooseStatus, sendSettings, toFieldProblem } from '../../web/desk/send-settings.ts';
import { buildSettingsPath } from '../../web/desk/settings-page.ts';
import { readField } from '../../web/forms.ts';
import { redirectWithNotice } from '../../web/notice.ts';
import { getViewer } from '../../web/viewer.ts';
import { LIFETIMES, renderTokensPage, type TokensPage } from './page.ts';
import { createNamedToken, revokeToken } from './tokens.ts';

const PATH = buildSettingsPath('tokens');
const DAY_MS = 24 * 3_600_000;
const schema = { hide: true };

interface TokenForm {
  name: string;
  lifetime: string;
}

export async function tokenSettings(app: FastifyInstance, deps: DeskDeps) {
  const { config, db, now } = deps;
  const commandLine = {
    packageUrl: `${config.baseUrl}/cli/courant.tgz`,
    endpoint: `${config.apiUrl}/graphql`,
  };
  const EMPTY: TokenForm = { name: '', lifetime: '' };

  app.get(PATH, { schema }, (request, reply) => show(request, reply, { form: EMPTY }));

  // The response to the form contains the token, so no cookie, URL or cache does. Reloading it
  // sends the form again. The form contains the id of the token, so no second token is created.
  app.post(PATH, { schema }, async (request, reply) => {
    const form = { name: readField(request, 'name'), lifetime: readField(request, 'lifetime') };
    try {
      const created = await createNamedToken(deps, getViewer(request), {
        name: form.name,
        expiresAt: readExpiry(form.lifetime),
        id: readFormId(request),
      });
      return await show(request, reply, { form: EMPTY, createdToken: { name: form.name, token: created.token } });
    } catch (error) {
      if (!(error instanceof RefusedCommandError)) throw error;
      return show(request, reply, { form, problems: [toFieldProblem(error)], status: chooseStatus(error) });
    }
  });

  app.post<{ Params: { id: string } }>(
    `${PATH}/:id/revoke`,
    { schema, config: ALLOW_UNCONFIRMED },
    async (request, reply) => {
      await toNotFound(() => revokeToken(deps, getViewer(request).userId, request.params.id));
      const text = 'Token revoked. Programs that use it are refused from now on.';
      return redirectWithNotice(reply, PATH, { kind: 'done', text });
    },
  );

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    { form: typed, status = 200, createdToken = null, problems = [] }: Shown,
  ): Promise<FastifyReply> {
    const { userId, emailConfirmed } = getViewer(request);
    const tokens = await listOwnTokens(db, userId, now());
    const form = emailConfirmed ? { id: randomUUID(), ...typed } : null;
    const body = renderTokensPage({ tokens, now: now(), createdToken, form, commandLine, problems });
    return sendSettings(request, reply, { subject: 'tokens', status }, body);
  }

  function readExpiry(lifetime: string): Date | null {
    const isKnown = LIFETIMES.some(([days]) => days === lifetime);
    if (!isKnown) throw new RefusedCommandError('BAD_INPUT', 'Choose an expiry from the list.', 'expiresAt');
    return lifetime === '' ? null : new Date(now().getTime() + Number(lifetime) * DAY_MS);
  }
}

interface Shown extends Partial<Pick<TokensPage, 'createdToken' | 'problems'>> {
  form: TokenForm;
  status?: number;
}

function readFormId(request: FastifyRequest): string {
  const id = readField(request, 'form');
  if (isUuid(id)) return id;
  throw new RefusedCommandError('BAD_INPUT', 'The form was incomplete. Use the form below.');
}
