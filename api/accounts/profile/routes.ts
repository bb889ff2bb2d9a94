/** `/desk/settings/profile` */
import type { DeskDeps } from '../../deps.ts';
import type { FieldProblem } from '../../web/fields.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseContentSignal, SIGNAL_USES, type SignalUse } from '../../../article/discovery/content-signal.ts';
import { createAccountGoneError } from '../../../store/commands/refused-command.ts';
import { findOwnProfile } from '../../../store/users/profile.ts';
import { changeProfile, type OwnProfile } from './change-profile.ts';
import type { ProfileInput } from './profile-rules.ts';
import { ALLOW_UNCONFIRMED } from '../../auth/confirmed-address.ts';
import { type ProfileForm, renderProfilePage } from './page.ts';
import { buildSubjectPath } from '../../web/desk/settings-page.ts';
import { readField } from '../../web/forms.ts';
import { getViewer } from '../../web/viewer.ts';
import { describeSeen, listChanged, listCollisions, type ProfileField } from './seen-profile.ts';
import { answerSettingsForm, sendSettings } from '../../web/desk/send-settings.ts';

const PATH = buildSubjectPath('profile');
const schema = { hide: true };

export async function profileSettings(app: FastifyInstance, { db }: DeskDeps) {
  app.get(PATH, { schema }, async (request, reply) => {
    const profile = await find(request);
    const form = describe(profile);
    return show(request, reply, { profile, form, seen: describeSeen(form), problems: [], status: 200 });
  });

  app.post(PATH, { schema, config: ALLOW_UNCONFIRMED }, async (request, reply) => {
    const form = readForm(request);
    let seen = readField(request, 'seen');
    return answerSettingsForm(
      reply,
      PATH,
      async () => {
        const present = describe(await find(request));
        const collisions = listCollisions(form, present, seen);
        if (collisions.length > 0) {
          // Whoever sends the form again has been told.
          seen = describeSeen(present);
          return { problems: collisions };
        }
        const changed = await changeProfile(db, getViewer(request).userId, toInput(form, listChanged(form, seen)));
        return 'problems' in changed ? { problems: changed.problems.map(addressProblem) } : 'Your profile is saved.';
      },
      async (problems, status) => show(request, reply, { profile: await find(request), form, seen, problems, status }),
    );
  });

  async function find(request: FastifyRequest): Promise<OwnProfile> {
    const profile = await findOwnProfile(db, getViewer(request).userId);
    if (!profile) throw createAccountGoneError();
    return profile;
  }
}

interface Shown {
  profile: OwnProfile;
  form: ProfileForm;
  /** What the form began with. */
  seen: string;
  problems: FieldProblem[];
  status: number;
}

function show(request: FastifyRequest, reply: FastifyReply, { profile, status, ...page }: Shown): FastifyReply {
  const { username, email, pictureUrl } = profile;
  const body = renderProfilePage({ username, email, pictureUrl, ...page });
  return sendSettings(request, reply, { subject: 'profile', status }, body);
}

function describe({ name, bio, links, pictureUrl, contentSignal }: OwnProfile): ProfileForm {
  const said = parseContentSignal(contentSignal ?? '') ?? {};
  const answer = (use: SignalUse) => (said[use] === undefined ? '' : said[use] ? 'yes' : 'no');
  return {
    ...{ name, bio: bio ?? '', links: links.join('\n'), pictureUrl: pictureUrl ?? '' },
    signal: mapUses(answer),
  };
}

function readForm(request: FastifyRequest): ProfileForm {
  const read = (name: string) => readField(request, name).replaceAll('\r\n', '\n');
  return {
    ...{ name: read('name'), bio: read('bio'), links: read('links'), pictureUrl: read('pictureUrl').trim() },
    signal: mapUses(read),
  };
}

function toInput(form: ProfileForm, changed: readonly ProfileField[]): ProfileInput {
  const links = form.links.split('\n').filter((line) => line.trim() !== '');
  const fields = { ...form, links, signal: undefined };
  const given = Object.fromEntries(changed.map((field) => [field, fields[field]]));
  return { ...given, ...(changed.includes('signal') ? { contentSignal: formatSignal(form) } : {}) };
}

function mapUses(answer: (use: SignalUse) => string): Record<SignalUse, string> {
  return { search: answer('search'), 'ai-input': answer('ai-input'), 'ai-train': answer('ai-train') };
}

function formatSignal({ signal }: ProfileForm): string {
  return SIGNAL_USES.flatMap((use) => (signal[use] === '' ? [] : [`${use}=${signal[use]}`])).join(', ');
}

const LABELS: Record<string, string> = {
  name: 'The name',
  bio: 'The bio',
  links: 'The list',
  pictureUrl: 'The address',
};

/** At the field that it is about, as a sentence: links are lines of one field. */
function addressProblem({ path, message }: FieldProblem): FieldProblem {
  const line = /^links\[(\d+)\]$/.exec(path)?.[1];
  if (line !== undefined) return { path: 'links', message: `Line ${Number(line) + 1} ${message}.` };
  return { path, message: `${LABELS[path] ?? path} ${message}.` };
}
