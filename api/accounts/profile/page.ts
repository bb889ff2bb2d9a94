/** Settings page that edits the profile. */
import { SIGNAL_USES, type SignalUse } from '../../../article/discovery/content-signal.ts';
import { buildSettingsPath, findProblem, renderOtherProblems } from '../../web/desk/settings-page.ts';
import { type FieldProblem, renderInput, renderSelect, renderTextarea } from '../../web/fields.ts';
import { type Html, html } from '../../web/html.ts';
import { MAX_DISPLAY_NAME_CHARACTERS } from './names.ts';

export interface ProfileForm {
  name: string;
  bio: string;
  /** One per line. */
  links: string;
  pictureUrl: string;
  /** `yes`, `no`, or empty for no preference. */
  signal: Record<SignalUse, string>;
}

export interface ProfilePage {
  username: string;
  email: string;
  /** The stored picture, which can differ from the one in the form. */
  pictureUrl: string | null;
  form: ProfileForm;
  /** Hashes of the values that the form was opened with, from `describeSeen`. */
  seenHashes: string;
  problems: readonly FieldProblem[];
}

const SIGNAL_OPTIONS = [
  ['', 'No preference'],
  ['yes', 'Yes'],
  ['no', 'No'],
] as const;

const USES: Record<SignalUse, string> = {
  search: 'Search engines may show them',
  'ai-input': 'AI may use them to answer questions',
  'ai-train': 'AI may be trained on them',
};

export function renderProfilePage({ username, email, pictureUrl, form, seenHashes, problems }: ProfilePage): Html {
  const problemOf = (path: string) => findProblem(problems, path);
  return html`${renderOtherProblems(problems, ['name', 'bio', 'links', 'pictureUrl'])}
<p class="soft">Your page is at <a href="/authors/${username}">/authors/${username}</a>. Mails go to <bdi>${email}</bdi>, which only you can see.</p>
<form method="post" action="${buildSettingsPath('profile')}"><input type="hidden" name="seen" value="${seenHashes}">
${renderInput({ name: 'name', label: 'Name', value: form.name, hint: 'Readers see this name.', problem: problemOf('name') }, html` maxlength="${MAX_DISPLAY_NAME_CHARACTERS}" autocomplete="name" dir="auto"`)}
${renderTextarea({ name: 'bio', label: 'Bio', value: form.bio, hint: 'Plain text of at most 1,000 characters.', problem: problemOf('bio'), isOptional: true }, html` rows="5" dir="auto"`)}
${renderTextarea({ name: 'links', label: 'Profiles elsewhere', value: form.links, hint: 'One address per line, at most 10. Search engines also use them to identify you.', problem: problemOf('links'), isOptional: true }, html` rows="4" spellcheck="false" dir="ltr"`)}
${renderInput({ name: 'pictureUrl', label: 'Address of your picture', value: form.pictureUrl, hint: 'Square, at least 200 pixels wide. Pages load it from this address.', problem: problemOf('pictureUrl'), isOptional: true }, html` inputmode="url" autocomplete="photo" spellcheck="false" dir="ltr"`)}
${pictureUrl !== null && html`<p><img class="settings-picture" src="${pictureUrl}" alt="Your picture" width="80" height="80" referrerpolicy="no-referrer"></p>`}
<fieldset><legend>What agents may do with your articles</legend>
<p class="small soft">Sent as Content-Signal in the headers of each article and in robots.txt. If the site or an article says no, that no applies.</p>
<div class="field-row">${SIGNAL_USES.map((use) => renderSelect({ name: use, label: USES[use], value: form.signal[use] }, SIGNAL_OPTIONS))}</div>
</fieldset>
<button class="button primary">Save profile</button>
</form>`;
}
