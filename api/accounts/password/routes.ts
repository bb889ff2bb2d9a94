/** Routes of `/desk/settings/password`. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ALLOW_UNCONFIRMED } from '../../auth/confirmed-address.ts';
import { describeClient } from '../../auth/open-session.ts';
import type { DeskDeps } from '../../deps.ts';
import { formatQuantity } from '../../web/desk/format-count.ts';
import { handleSettingsForm, sendSettings } from '../../web/desk/send-settings.ts';
import { buildSettingsPath } from '../../web/desk/settings-page.ts';
import type { FieldProblem } from '../../web/fields.ts';
import { readField } from '../../web/forms.ts';
import { getViewer } from '../../web/viewer.ts';
import { changePassword } from './change.ts';
import { renderPasswordPage } from './page.ts';

const PATH = buildSettingsPath('password');
const schema = { hide: true };

export async function passwordSettings(app: FastifyInstance, deps: DeskDeps) {
  app.get(PATH, { schema }, (request, reply) => show(request, reply, [], 200));

  app.post(PATH, { schema, config: ALLOW_UNCONFIRMED }, async (request, reply) =>
    handleSettingsForm(
      reply,
      PATH,
      async () => {
        const passwords = {
          currentPassword: readField(request, 'currentPassword'),
          newPassword: readField(request, 'newPassword'),
        };
        const ended = await changePassword(deps, describeClient(request), getViewer(request), passwords);
        const others =
          ended === 0 ? '' : ` ${formatQuantity(ended, 'other session was', 'other sessions were')} ended.`;
        return `Password changed.${others}`;
      },
      (problems, status) => show(request, reply, problems, status),
    ),
  );
}

function show(request: FastifyRequest, reply: FastifyReply, problems: readonly FieldProblem[], status: number) {
  const body = renderPasswordPage({ email: getViewer(request).email, problems });
  return sendSettings(request, reply, { subject: 'password', status }, body);
}
