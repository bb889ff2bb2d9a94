/** Settings page of the digest. */
import type { DigestSettings } from '../../../store/digests/settings.ts';
import { buildSubjectPath, findProblem, renderOtherProblems } from '../../web/desk/settings-page.ts';
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
  ['monthly', 'Every month, on its first such day'],
  ['off', 'Never'],
] as const;

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
const DAYS = WEEKDAYS.map((day, index) => [String(index + 1), day] as const);
const HOURS = Array.from({ length: 24 }, (_, hour) => [String(hour), formatHour(hour)] as const);
/** Time zones of this runtime. */
const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

export function renderDigestPage({ settings, email, form, problems }: DigestPage): Html {
  const at = (path: string) => findProblem(problems, path);
  return html`${renderOtherProblems(problems, ['frequency', 'weekday', 'hour', 'zone'])}
<p>A mail to <bdi>${email}</bdi> with views, discussions, new followers and what became of your deliveries since the last one.</p>
${renderNext(settings)}
<form method="post" action="${buildSubjectPath('digest')}" class="card"><h2>When it comes</h2>
<div class="field-row">
${renderSelect({ name: 'frequency', label: 'How often', value: form.frequency, problem: at('frequency') }, FREQUENCIES)}
${renderSelect({ name: 'weekday', label: 'Day of the week', value: form.weekday, problem: at('weekday') }, DAYS)}
${renderSelect({ name: 'hour', label: 'At', value: form.hour, problem: at('hour') }, HOURS)}
</div>
<p class="small soft">The day does not matter where it comes every day.</p>
${renderInput({ name: 'zone', label: 'Time zone', value: form.zone, hint: 'On whose clocks the hour is. The desk tells all its times by it; of UTC, by the zone of the browser. Begin to type a city, as in Europe/Lisbon.', problem: at('zone') }, html` list="zones" autocomplete="off" spellcheck="false" maxlength="64" data-zone`)}
<datalist id="zones">${ZONES.map((zone) => html`<option value="${zone}">`)}</datalist>
<p>${renderCheckbox({ name: 'sendEmpty', label: 'Send one even when there is nothing to report', isChecked: form.sendEmpty })}</p>
<button class="button primary">Save</button>
</form>`;
}

function renderNext({ stoppedAt, stoppedReason, nextDueAt, zone }: DigestSettings): Html {
  if (stoppedAt !== null) {
    return html`<div class="notice warning"><p>Nothing is sent since ${renderTime(stoppedAt, zone)}: the mail server of your address refused the digest for good${stoppedReason !== null && html` (<bdi>${stoppedReason}</bdi>)`}. Save the form to start again.</p></div>`;
  }
  if (nextDueAt === null) return html`<p><span class="state">off</span> No digest will be sent.</p>`;
  return html`<p><span class="state good">on</span> The next one is due ${renderTime(nextDueAt, zone)}.</p>`;
}

export function formatHour(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}
