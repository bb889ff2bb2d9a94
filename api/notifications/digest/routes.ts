/** Routes of `/desk/settings/digest`. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createAccountDeletedError } from '../../../store/commands/refused-command.ts';
import { changeDigestSettings, type DigestSettings, findDigestSettings } from '../../../store/digests/settings.ts';
import { ALLOW_UNCONFIRMED } from '../../auth/confirmed-address.ts';
import type { DeskDeps } from '../../deps.ts';
import { handleSettingsForm, sendSettings } from '../../web/desk/send-settings.ts';
import { buildSettingsPath } from '../../web/desk/settings-page.ts';
import type { FieldProblem } from '../../web/fields.ts';
import { readField } from '../../web/forms.ts';
import { getViewer } from '../../web/viewer.ts';
import { type DigestForm, renderDigestPage } from './page.ts';

const PATH = buildSettingsPath('digest');
const FREQUENCIES: readonly DigestSettings['frequency'][] = ['daily', 'weekly', 'monthly', 'off'];
const schema = { hide: true };

export async function digestSettings(app: FastifyInstance, { db, now }: DeskDeps) {
  app.get(PATH, { schema }, async (request, reply) => {
    const settings = await find(request);
    const { frequency, weekday, hour, zone, sendEmpty } = settings;
    const form = { frequency, weekday: String(weekday), hour: String(hour), zone, sendEmpty };
    return show(request, reply, { settings, form, problems: [], status: 200 });
  });

  app.post(PATH, { schema, config: ALLOW_UNCONFIRMED }, async (request, reply) => {
    const form = readForm(request);
    return handleSettingsForm(
      reply,
      PATH,
      async () => {
        const frequency = FREQUENCIES.find((candidate) => candidate === form.frequency);
        if (!frequency) return { problems: [{ path: 'frequency', message: 'Choose a frequency from the list.' }] };
        const { weekday, hour, zone, sendEmpty } = form;
        const change = {
          frequency,
          weekday: readInteger(weekday),
          hour: readInteger(hour),
          zone: zone.trim(),
          sendEmpty,
        };
        const changed = await changeDigestSettings(db, { userId: getViewer(request).userId, change, now: now() });
        if (!changed) throw createAccountDeletedError();
        if ('settings' in changed) return 'Digest settings saved.';
        return { problems: changed.problems.map(({ path, message }) => ({ path, message: `It ${message}.` })) };
      },
      async (problems, status) => show(request, reply, { settings: await find(request), form, problems, status }),
    );
  });

  async function find(request: FastifyRequest): Promise<DigestSettings> {
    const settings = await findDigestSettings(db, getViewer(request).userId);
    if (!settings) throw createAccountDeletedError();
    return settings;
  }
}

interface Shown {
  settings: DigestSettings;
  form: DigestForm;
  problems: readonly FieldProblem[];
  status: number;
}

function show(request: FastifyRequest, reply: FastifyReply, { status, ...page }: Shown): FastifyReply {
  const body = renderDigestPage({ ...page, email: getViewer(request).email });
  return sendSettings(request, reply, { subject: 'digest', status }, body);
}

function readForm(request: FastifyRequest): DigestForm {
  const [frequency, weekday, hour, zone] = ['frequency', 'weekday', 'hour', 'zone'].map((name) =>
    readField(request, name),
  );
  return {
    ...{ frequency: frequency ?? '', weekday: weekday ?? '', hour: hour ?? '', zone: zone ?? '' },
    sendEmpty: readField(request, 'sendEmpty') !== '',
  };
}

/** Returns NaN for invalid input, which the rules of the store reject. */
function readInteger(text: string): number {
  return /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
}
