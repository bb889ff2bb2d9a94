/** What people may say of themselves. Everything is checked, and all that is wrong is said at once. */
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

const LONGEST_BIO = 1_000;
const MOST_LINKS = 10;
const LONGEST_URL = 500;

/** What is not given, and a name that is null, stays as it is; any other null empties its field. */
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

/** Plain text, of several lines if wanted. */
function readBio(text: string, problems: FieldProblem[]): string | null {
  const bio = cleanDocument(text)
    .text.split('\n')
    .map(cleanLine)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  if ([...bio].length > LONGEST_BIO) problems.push({ path: 'bio', message: `has more than ${LONGEST_BIO} characters` });
  return bio === '' ? null : bio;
}

/** Null where it says nothing. */
function readSignal(text: string, problems: FieldProblem[]): string | null {
  const signal = parseContentSignal(text);
  if (signal === null) problems.push({ path: 'contentSignal', message: `must be ${SIGNAL_FORM}` });
  return formatContentSignal(signal ?? {}) || null;
}

function readLinks(given: readonly string[], problems: FieldProblem[]): string[] {
  if (given.length > MOST_LINKS) {
    problems.push({ path: 'links', message: `has more than ${MOST_LINKS} addresses` });
    return [];
  }
  const links = given.map((link, index) => readUrl(link, `links[${index}]`, problems));
  return [...new Set(links)];
}

/** As browsers would write it: international names in ASCII, what is not plain percent-encoded. */
function readUrl(text: string, path: string, problems: FieldProblem[]): string {
  const isPlain = text.length <= LONGEST_URL && cleanLine(text) === text.trim().normalize('NFC');
  const url = isPlain ? URL.parse(text.trim()) : null;
  const isWeb = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  if (isWeb && url.href.length <= LONGEST_URL) return url.href;
  const message = `must be an address that begins with https:// or http://, without a password, of at most ${LONGEST_URL} characters`;
  problems.push({ path, message });
  return '';
}
