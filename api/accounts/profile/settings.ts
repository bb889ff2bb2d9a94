/** `/desk/settings/profile`: edits the profile. */
import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseContentSignal, SIGNAL_USES, type SignalUse } from '../../../article/discovery/content-signal.ts';
import { createAccountDeletedError } from '../../../store/commands/refused-command.ts';
import { findOwnProfile } from '../../../store/users/profile.ts';
import type { DeskDeps } from '../../deps.ts';
import { addSettingsPage } from '../../web/desk/send-settings.ts';
import { buildSettingsPath, findProblem, renderOtherProblems } from '../../web/desk/settings-page.ts';
import { type FieldProblem, renderInput, renderSelect, renderTextarea } from '../../web/fields.ts';
import { readField } from '../../web/forms.ts';
import { type Html, html } from '../../web/html.ts';
import { getViewer } from '../../web/viewer.ts';
import { changeProfile, MAX_DISPLAY_NAME_CHARACTERS, type OwnProfile, type ProfileInput } from './profile-rules.ts';

export async function profileSettings(app: FastifyInstance, { db }: DeskDeps) {
  addSettingsPage(app, 'profile', {
    async render(request, problems) {
      const profile = await find(request);
      const stored = describe(profile);
      const form = request.method === 'POST' ? readForm(request) : stored;
      return renderProfilePage(profile, { form, seen: hashForm(stored) }, problems);
    },
    async submit(request) {
      const form = readForm(request);
      const stored = hashForm(describe(await find(request)));
      // An old page would revert the changes of another one.
      const isOutdated = ![stored, ''].includes(readField(request, 'seen')) && stored !== hashForm(form);
      if (isOutdated) return { problems: [{ path: '', message: OUTDATED }] };
      const changed = await changeProfile(db, getViewer(request).userId, toInput(form));
      return 'problems' in changed ? { problems: changed.problems.map(addressProblem) } : 'Profile saved.';
    },
  });

  async function find(request: FastifyRequest): Promise<OwnProfile> {
    const profile = await findOwnProfile(db, getViewer(request).userId);
    if (!profile) throw createAccountDeletedError();
    return profile;
  }
}

const OUTDATED =
  'The profile was changed in another window. Nothing has been saved yet. Save again to replace it with this one.';

interface ProfileForm {
  name: string;
  bio: string;
  /** One per line. */
  links: string;
  pictureUrl: string;
  /** `yes`, `no`, or empty for no preference. */
  signal: Record<SignalUse, string>;
}

function describe({ name, bio, links, pictureUrl, contentSignal }: OwnProfile): ProfileForm {
  const signal = parseContentSignal(contentSignal ?? '') ?? {};
  const readUse = (use: SignalUse) => (signal[use] === undefined ? '' : signal[use] ? 'yes' : 'no');
  return {
    ...{ name, bio: bio ?? '', links: links.join('\n'), pictureUrl: pictureUrl ?? '' },
    signal: mapUses(readUse),
  };
}

function readForm(request: FastifyRequest): ProfileForm {
  const read = (name: string) => readField(request, name).replaceAll('\r\n', '\n');
  return {
    ...{ name: read('name'), bio: read('bio'), links: read('links'), pictureUrl: read('pictureUrl').trim() },
    signal: mapUses(read),
  };
}

function toInput({ links, signal, ...texts }: ProfileForm): ProfileInput {
  const contentSignal = SIGNAL_USES.flatMap((use) => (signal[use] === '' ? [] : [`${use}=${signal[use]}`])).join(', ');
  return { ...texts, links: links.split('\n').filter((line) => line.trim() !== ''), contentSignal };
}

function hashForm(form: ProfileForm): string {
  return hash('sha256', JSON.stringify(form), 'base64url');
}

function mapUses(readUse: (use: SignalUse) => string): Record<SignalUse, string> {
  return { search: readUse('search'), 'ai-input': readUse('ai-input'), 'ai-train': readUse('ai-train') };
}

const LABELS: Record<string, string> = {
  name: 'The name',
  bio: 'The bio',
  links: 'The list',
  pictureUrl: 'The address',
};

/** Turns a problem into a sentence at its form field. The form has one field for all links. */
function addressProblem({ path, message }: FieldProblem): FieldProblem {
  const line = /^links\[(\d+)\]$/.exec(path)?.[1];
  if (line !== undefined) return { path: 'links', message: `Line ${Number(line) + 1} ${message}.` };
  return { path, message: `${LABELS[path] ?? path} ${message}.` };
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

/** Shows the stored picture, which can differ from the one in the form. `seen`: hash of the stored values. */
function renderProfilePage(
  { username, email, pictureUrl }: Pick<OwnProfile, 'username' | 'email' | 'pictureUrl'>,
  { form, seen }: { form: ProfileForm; seen: string },
  problems: readonly FieldProblem[],
): Html {
  const problemOf = (path: string) => findProblem(problems, path);
  return html`${renderOtherProblems(problems, ['name', 'bio', 'links', 'pictureUrl'])}
<p class="soft">Your page is at <a href="/authors/${username}">/authors/${username}</a>. Mails go to <bdi>${email}</bdi>, which only you can see.</p>
<form method="post" action="${buildSettingsPath('profile')}"><input type="hidden" name="seen" value="${seen}">
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
