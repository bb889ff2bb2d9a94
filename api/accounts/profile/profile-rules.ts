/** Rules for profiles. Reports every invalid field at once. */
import { formatContentSignal, parseContentSignal, SIGNAL_FORM } from '../../../article/discovery/content-signal.ts';
import { cleanDocument, cleanLine } from '../../../article/text/clean-text.ts';
import type { ProfileChange } from '../../../store/users/profile.ts';
import type { FieldProblem } from '../../web/fields.ts';
import { findNameProblem } from './names.ts';

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
export function readProfile(input: ProfileInput): { change: ProfileChange } | { problems: FieldProblem[] } {
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
