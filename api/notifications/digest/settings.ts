/** `/desk/settings/digest`: the schedule of the digest. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createAccountDeletedError } from '../../../store/commands/refused-command.ts';
import { changeDigestSettings, type DigestSettings, findDigestSettings } from '../../../store/digests/settings.ts';
import type { DeskDeps } from '../../deps.ts';
import { addSettingsPage } from '../../web/desk/send-settings.ts';
import { buildSettingsPath, findProblem, renderOtherProblems } from '../../web/desk/settings-page.ts';
import { renderTime } from '../../web/desk/times.ts';
import { type FieldProblem, renderCheckbox, renderInput, renderSelect } from '../../web/fields.ts';
import { readField } from '../../web/forms.ts';
import { type Html, html } from '../../web/html.ts';
import { getViewer } from '../../web/viewer.ts';

interface DigestForm {
  frequency: string;
  weekday: string;
  hour: string;
  zone: string;
  sendEmpty: boolean;
}

const FREQUENCIES = [
  ['daily', 'Every day'],
  ['weekly', 'Every week'],
  ['monthly', 'Every month, on the first such day'],
  ['off', 'Never'],
] as const;

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
const DAYS = WEEKDAYS.map((day, index) => [String(index + 1), day] as const);
const HOURS = Array.from({ length: 24 }, (_, hour) => [String(hour), formatHour(hour)] as const);
/** Time zones of this runtime. */
const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

export async function digestSettings(app: FastifyInstance, { db, now }: DeskDeps) {
  addSettingsPage(app, 'digest', {
    async render(request, problems) {
      const { userId, email } = getViewer(request);
      const settings = await findDigestSettings(db, userId);
      if (!settings) throw createAccountDeletedError();
      const { weekday, hour } = settings;
      const stored = { ...settings, weekday: String(weekday), hour: String(hour) };
      return renderDigestPage({
        settings,
        email,
        form: request.method === 'POST' ? readForm(request) : stored,
        problems,
      });
    },
    async submit(request) {
      const { frequency: chosen, weekday, hour, zone, sendEmpty } = readForm(request);
      const frequency = FREQUENCIES.find(([name]) => name === chosen)?.[0];
      if (!frequency) return { problems: [{ path: 'frequency', message: 'Choose a frequency from the list.' }] };
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
  });
}

function readForm(request: FastifyRequest): DigestForm {
  const read = (name: string) => readField(request, name);
  return {
    ...{ frequency: read('frequency'), weekday: read('weekday'), hour: read('hour'), zone: read('zone') },
    sendEmpty: read('sendEmpty') !== '',
  };
}

/** Returns NaN for invalid input, which the rules of the store reject. */
function readInteger(text: string): number {
  return /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
}

interface DigestPage {
  settings: DigestSettings;
  email: string;
  form: DigestForm;
  problems: readonly FieldProblem[];
}

function renderDigestPage({ settings, email, form, problems }: DigestPage): Html {
  const problemOf = (path: string) => findProblem(problems, path);
  return html`${renderOtherProblems(problems, ['frequency', 'weekday', 'hour', 'zone'])}
<p>A mail to <bdi>${email}</bdi> with the views, discussions, new followers and deliveries since the last digest.</p>
${renderNext(settings)}
<form method="post" action="${buildSettingsPath('digest')}" class="card"><h2>Schedule</h2>
<div class="field-row">
${renderSelect({ name: 'frequency', label: 'Frequency', value: form.frequency, problem: problemOf('frequency') }, FREQUENCIES)}
${renderSelect({ name: 'weekday', label: 'Day of the week', value: form.weekday, problem: problemOf('weekday') }, DAYS)}
${renderSelect({ name: 'hour', label: 'At', value: form.hour, problem: problemOf('hour') }, HOURS)}
</div>
<p class="small soft">The day is ignored for daily digests.</p>
${renderInput({ name: 'zone', label: 'Time zone', value: form.zone, hint: 'Time zone for the digest and the desk. With UTC, the desk uses the time zone of the browser. Type a city, as in Europe/Lisbon.', problem: problemOf('zone') }, html` list="zones" autocomplete="off" spellcheck="false" maxlength="64" data-zone`)}
<datalist id="zones">${ZONES.map((zone) => html`<option value="${zone}">`)}</datalist>
<p>${renderCheckbox({ name: 'sendEmpty', label: 'Send a digest even if there is nothing to report', isChecked: form.sendEmpty })}</p>
<button class="button primary">Save</button>
</form>`;
}

function renderNext({ stoppedAt, stoppedReason, nextDueAt, zone }: DigestSettings): Html {
  if (stoppedAt !== null) {
    return html`<div class="notice warning"><p>Stopped since ${renderTime(stoppedAt, zone)}: the mail server of your address permanently refused the digest${stoppedReason !== null && html` (<bdi>${stoppedReason}</bdi>)`}. Save the form to resume it.</p></div>`;
  }
  if (nextDueAt === null) return html`<p><span class="state">off</span> No digest will be sent.</p>`;
  return html`<p><span class="state good">on</span> The next one is due ${renderTime(nextDueAt, zone)}.</p>`;
}

export function formatHour(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}
