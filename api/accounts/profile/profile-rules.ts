/**
 * Rules for profiles and the names of accounts. User names are ASCII, which excludes look-alikes of
 * other scripts. The database rejects ASCII look-alikes such as 0 and o, rn and m (`username_look`).
 */
import { formatContentSignal, parseContentSignal, SIGNAL_FORM } from '../../../article/discovery/content-signal.ts';
import { isReservedSlug } from '../../../article/identity/slug.ts';
import { cleanDocument, cleanLine } from '../../../article/text/clean-text.ts';
import { createAccountDeletedError, RefusedCommandError } from '../../../store/commands/refused-command.ts';
import type { Database } from '../../../store/db/database.ts';
import { findOwnProfile, type ProfileChange, updateProfile } from '../../../store/users/profile.ts';
import type { FieldProblem } from '../../web/fields.ts';

export type OwnProfile = NonNullable<Awaited<ReturnType<typeof findOwnProfile>>>;

/**
 * Returns the changed profile. If a field is invalid, changes nothing and returns every problem.
 * Errors: UNAUTHENTICATED.
 */
export async function changeProfile(
  db: Database,
  userId: string,
  input: ProfileInput,
): Promise<{ problems: FieldProblem[] } | { profile: OwnProfile }> {
  const read = readProfile(input);
  if ('problems' in read) return read;
  await updateProfile(db, userId, read.change);
  const profile = await findOwnProfile(db, userId);
  if (!profile) throw createAccountDeletedError();
  return { profile };
}

export interface ProfileInput {
  name?: string | null | undefined;
  bio?: string | null | undefined;
  links?: readonly string[] | null | undefined;
  pictureUrl?: string | null | undefined;
  contentSignal?: string | null | undefined;
}

const MAX_BIO_CHARACTERS = 1_000;
const MAX_LINKS = 10;
const MAX_URL_CHARACTERS = 500;

/** Missing fields and a null name stay unchanged. Null clears any other field. */
function readProfile(input: ProfileInput): { change: ProfileChange } | { problems: FieldProblem[] } {
  const problems: FieldProblem[] = [];
  const change: ProfileChange = {};
  const { name, bio, links, pictureUrl, contentSignal } = input;
  if (name != null) change.name = readName(name, problems);
  if (bio !== undefined) change.bio = readBio(bio ?? '', problems);
  if (links !== undefined) change.links = readLinks(links ?? [], problems);
  if (pictureUrl !== undefined) change.pictureUrl = pictureUrl ? readUrl(pictureUrl, 'pictureUrl', problems) : null;
  if (contentSignal !== undefined) change.contentSignal = readSignal(contentSignal ?? '', problems);
  return problems.length > 0 ? { problems } : { change };
}

function readName(text: string, problems: FieldProblem[]): string {
  const name = cleanLine(text);
  const message = findNameProblem(name);
  if (message !== null) problems.push({ path: 'name', message });
  return name;
}

/** Plain text with line breaks. */
function readBio(text: string, problems: FieldProblem[]): string | null {
  const bio = cleanDocument(text)
    .text.split('\n')
    .map(cleanLine)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  if ([...bio].length > MAX_BIO_CHARACTERS)
    problems.push({ path: 'bio', message: `has more than ${MAX_BIO_CHARACTERS} characters` });
  return bio === '' ? null : bio;
}

/** Returns null for a signal without preferences. */
function readSignal(text: string, problems: FieldProblem[]): string | null {
  const signal = parseContentSignal(text);
  if (signal === null) problems.push({ path: 'contentSignal', message: `must be ${SIGNAL_FORM}` });
  return formatContentSignal(signal ?? {}) || null;
}

function readLinks(inputs: readonly string[], problems: FieldProblem[]): string[] {
  if (inputs.length > MAX_LINKS) {
    problems.push({ path: 'links', message: `has more than ${MAX_LINKS} addresses` });
    return [];
  }
  const links = inputs.map((link, index) => readUrl(link, `links[${index}]`, problems));
  return [...new Set(links)];
}

/** Normalises a URL as browsers do: international host names in ASCII, other characters encoded. */
function readUrl(text: string, path: string, problems: FieldProblem[]): string {
  const isPlain = text.length <= MAX_URL_CHARACTERS && cleanLine(text) === text.trim().normalize('NFC');
  const url = isPlain ? URL.parse(text.trim()) : null;
  const isWeb = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  if (isWeb && url.href.length <= MAX_URL_CHARACTERS) return url.href;
  const message = `must be an address that begins with https:// or http://, without a password, of at most ${MAX_URL_CHARACTERS} characters`;
  problems.push({ path, message });
  return '';
}

/** Reserved, because their owner could pose as the site. Look-alikes are rejected too. */
export const OFFICIAL_NAMES: readonly string[] =
  `abuse admin administrator anonymous billing bot contact courant deleted
  editor everyone help hostmaster info mail moderator news no-reply noreply null official operator owner postmaster press
  root sales security service staff support system team undefined webmaster`.split(/\s+/);

export const MAX_DISPLAY_NAME_CHARACTERS = 80;

/**
 * Returns the user name as it is stored; case and width are folded, as in UsernameCaseMapped of RFC
 * 8265. Throws BAD_INPUT or USERNAME_TAKEN.
 */
export function readUsername(text: string): string {
  const username = text.trim().normalize('NFKC').toLowerCase();
  if (!/^[a-z0-9](?:[a-z0-9]|[-_](?=[a-z0-9])){1,38}$/.test(username)) {
    const message =
      'A user name has 2 to 39 letters a to z and digits, with single hyphens or underscores between them.';
    throw new RefusedCommandError('BAD_INPUT', message, 'username');
  }
  if (isReservedSlug(username)) throw createUsernameTakenError();
  return username;
}

/** Returns the display name: one line in any script. Throws BAD_INPUT. */
export function readDisplayName(text: string): string {
  const name = cleanLine(text);
  const problem = findNameProblem(name);
  if (problem === null) return name;
  throw new RefusedCommandError('BAD_INPUT', `A name ${problem}.`, 'name');
}

/** The problem of a cleaned name as the end of a sentence, or null. */
function findNameProblem(name: string): string | null {
  if (name !== '' && [...name].length <= MAX_DISPLAY_NAME_CHARACTERS && /[\p{L}\p{N}]/u.test(name)) return null;
  return `must be one line of at most ${MAX_DISPLAY_NAME_CHARACTERS} characters, with at least one letter or digit`;
}

export function createUsernameTakenError(): RefusedCommandError {
  return new RefusedCommandError(
    'USERNAME_TAKEN',
    'This user name, or one that looks like it, is taken or reserved. Choose another one.',
    'username',
  );
}
