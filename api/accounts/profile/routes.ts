/** Routes of `/desk/settings/profile`. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseContentSignal, SIGNAL_USES, type SignalUse } from '../../../article/discovery/content-signal.ts';
import { createAccountDeletedError } from '../../../store/commands/refused-command.ts';
import { findOwnProfile } from '../../../store/users/profile.ts';
import { ALLOW_UNCONFIRMED } from '../../auth/confirmed-address.ts';
import type { DeskDeps } from '../../deps.ts';
import { handleSettingsForm, sendSettings } from '../../web/desk/send-settings.ts';
import { buildSettingsPath } from '../../web/desk/settings-page.ts';
import type { FieldProblem } from '../../web/fields.ts';
import { readField } from '../../web/forms.ts';
import { getViewer } from '../../web/viewer.ts';
import { changeProfile, type OwnProfile } from './change-profile.ts';
import { type ProfileForm, renderProfilePage } from './page.ts';
import type { ProfileInput } from './profile-rules.ts';
import { describeSeen, listChanged, listCollisions, type ProfileField } from './seen-profile.ts';

const PATH = buildSettingsPath('profile');
const schema = { hide: true };

export async function profileSettings(app: FastifyInstance, { db }: DeskDeps) {
  app.get(PATH, { schema }, async (request, reply) => {
    const profile = await find(request);
    const form = describe(profile);
    return show(request, reply, { profile, form, seenHashes: describeSeen(form), problems: [], status: 200 });
  });

  app.post(PATH, { schema, config: ALLOW_UNCONFIRMED }, async (request, reply) => {
    const form = readForm(request);
    let seenHashes = readField(request, 'seen');
    return handleSettingsForm(
      reply,
      PATH,
      async () => {
        const stored = describe(await find(request));
        const collisions = listCollisions(form, stored, seenHashes);
        if (collisions.length > 0) {
          // The page now shows the collisions, so sending its form again overwrites them.
          seenHashes = describeSeen(stored);
          return { problems: collisions };
        }
        const changed = await changeProfile(
          db,
          getViewer(request).userId,
          toInput(form, listChanged(form, seenHashes)),
        );
        return 'problems' in changed ? { problems: changed.problems.map(addressProblem) } : 'Profile saved.';
      },
      async (problems, status) =>
        show(request, reply, { profile: await find(request), form, seenHashes, problems, status }),
    );
  });

  async function find(request: FastifyRequest): Promise<OwnProfile> {
    const profile = await findOwnProfile(db, getViewer(request).userId);
    if (!profile) throw createAccountDeletedError();
    return profile;
  }
}

interface Shown {
  profile: OwnProfile;
  form: ProfileForm;
  /** Hashes of the values that the form was opened with. */
  seenHashes: string;
  problems: FieldProblem[];
  status: number;
}

function show(request: FastifyRequest, reply: FastifyReply, { profile, status, ...page }: Shown): FastifyReply {
  const { username, email, pictureUrl } = profile;
  const body = renderProfilePage({ username, email, pictureUrl, ...page });
  return sendSettings(request, reply, { subject: 'profile', status }, body);
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

function toInput(form: ProfileForm, changed: readonly ProfileField[]): ProfileInput {
  const links = form.links.split('\n').filter((line) => line.trim() !== '');
  const fields = { ...form, links, signal: undefined };
  const input = Object.fromEntries(changed.map((field) => [field, fields[field]]));
  return { ...input, ...(changed.includes('signal') ? { contentSignal: formatSignal(form) } : {}) };
}

function mapUses(readUse: (use: SignalUse) => string): Record<SignalUse, string> {
  return { search: readUse('search'), 'ai-input': readUse('ai-input'), 'ai-train': readUse('ai-train') };
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

/** Turns a problem into a sentence at its form field. The form has one field for all links. */
function addressProblem({ path, message }: FieldProblem): FieldProblem {
  const line = /^links\[(\d+)\]$/.exec(path)?.[1];
  if (line !== undefined) return { path: 'links', message: `Line ${Number(line) + 1} ${message}.` };
  return { path, message: `${LABELS[path] ?? path} ${message}.` };
}
