/** The frame of the settings pages: navigation, problems of a form, and confirmations. */
import type { FieldProblem } from '../fields.ts';
import { type Html, html } from '../html.ts';
import { renderNotice } from '../notice.ts';

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
export type SettingsSubject = keyof typeof SUBJECTS;

export const SUBJECT_NAMES = Object.keys(SUBJECTS) as SettingsSubject[];

export function buildSettingsPath(subject: SettingsSubject): string {
  return `${SETTINGS_PATH}/${subject}`;
}

/** `current` is null on the overview; `isBelow` is true on a page below the page of its subject. */
export function renderSettings(current: SettingsSubject | null, body: Html, { isBelow = false } = {}): Html {
  const mark = html` aria-current="${isBelow ? 'true' : 'page'}"`;
  return html`<div class="settings"><nav class="settings-nav" aria-label="Settings"><ul>
<li><a href="${SETTINGS_PATH}"${current === null && mark}>Overview</a></li>
${SUBJECT_NAMES.map((subject) => html`<li><a href="${buildSettingsPath(subject)}"${subject === current && mark}>${SUBJECTS[subject]}</a></li>\n`)}</ul></nav>
<div class="settings-body">${body}</div></div>`;
}

/** Returns the messages about a field; null without any. */
export function findProblem(problems: readonly FieldProblem[], path: string): string | null {
  const found = problems.filter((problem) => problem.path === path);
  return found.length === 0 ? null : found.map(({ message }) => message).join(' ');
}

/** Renders the problems that concern none of these fields. */
export function renderOtherProblems(problems: readonly FieldProblem[], fields: readonly string[]): Html {
  const others = problems.filter(({ path }) => !fields.includes(path));
  return html`${others.map(({ message: text }) => html`${renderNotice({ kind: 'refused', text })}`)}`;
}

/** A button with a confirmation, which works without script: a details element with the form. */
export function renderConfirmed(summary: string, body: Html): Html {
  return html`<details class="confirm"><summary class="button compact">${summary}</summary><div>${body}</div></details>`;
}
