/** What all pages of the settings share: the way from one subject to another, and what was wrong with a form. */
import type { FieldProblem } from '../fields.ts';
import { renderNotice } from '../notice.ts';
import { type Html, html } from '../html.ts';

export const SETTINGS_PATH = '/desk/settings';

export const SUBJECTS = {
  profile: 'Profile',
  connections: 'Connections',
  tokens: 'Developer tokens',
  digest: 'Digest',
  notifications: 'Notifications',
  password: 'Password',
  sessions: 'Sessions',
  export: 'Export',
  delete: 'Delete account',
} as const;
export type Subject = keyof typeof SUBJECTS;

export const SUBJECT_NAMES = Object.keys(SUBJECTS) as Subject[];

export function buildSubjectPath(subject: Subject): string {
  return `${SETTINGS_PATH}/${subject}`;
}

/** `current` is null on the overview; `isBelow` on a page below that of the subject. */
export function renderSettings(current: Subject | null, body: Html, { isBelow = false } = {}): Html {
  const mark = html` aria-current="${isBelow ? 'true' : 'page'}"`;
  return html`<div class="settings"><nav class="settings-nav" aria-label="Settings"><ul>
<li><a href="${SETTINGS_PATH}"${current === null && mark}>Overview</a></li>
${SUBJECT_NAMES.map((subject) => html`<li><a href="${buildSubjectPath(subject)}"${subject === current && mark}>${SUBJECTS[subject]}</a></li>\n`)}</ul></nav>
<div class="settings-body">${body}</div></div>`;
}

/** What was wrong with a field; null where nothing was. */
export function findProblem(problems: readonly FieldProblem[], path: string): string | null {
  const found = problems.filter((problem) => problem.path === path);
  return found.length === 0 ? null : found.map(({ message }) => message).join(' ');
}

/** What was wrong, but with none of these fields. */
export function renderOtherProblems(problems: readonly FieldProblem[], fields: readonly string[]): Html {
  const others = problems.filter(({ path }) => !fields.includes(path));
  return html`${others.map(({ message: text }) => html`${renderNotice({ kind: 'refused', text })}`)}`;
}

/** A button that asks first, without script: what happens stands beside the one that does it. */
export function renderConfirmed(summary: string, body: Html): Html {
  return html`<details class="confirm"><summary class="button compact">${summary}</summary><div>${body}</div></details>`;
}
