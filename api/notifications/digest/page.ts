/** Settings page of the digest. */
import type { DigestSettings } from '../../../store/digests/settings.ts';
import { buildSettingsPath, findProblem, renderOtherProblems } from '../../web/desk/settings-page.ts';
import { renderTime } from '../../web/desk/times.ts';
import { type FieldProblem, renderCheckbox, renderInput, renderSelect } from '../../web/fields.ts';
import { type Html, html } from '../../web/html.ts';

export interface DigestForm {
  frequency: string;
  weekday: string;
  hour: string;
  zone: string;
  sendEmpty: boolean;
}

export interface DigestPage {
  settings: DigestSettings;
  email: string;
  form: DigestForm;
  problems: readonly FieldProblem[];
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

export function renderDigestPage({ settings, email, form, problems }: DigestPage): Html {
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
