/** What a list of articles is asked for: `q`, `tag`, `author`, `first`, `after`, read from the address. */
import { normaliseTags } from '../../../article/frontmatter/field-reader.ts';
import { parseSearch, type SearchTerm } from '../../../article/search/parse-search.ts';
import { cleanLine } from '../../../article/text/clean-text.ts';
import { canBeName } from '../../../store/db/valid-keys.ts';
import { ProblemError } from '../../plugins/errors/problem.ts';

export interface ListQuery {
  /** Null where nothing is searched for; empty where what is searched for has no word, so that nothing is found. */
  terms: readonly SearchTerm[] | null;
  /** As it was asked for; of another text the cursors are of another list. */
  q: string | null;
  /** As articles keep it. */
  tag: string | null;
  /** A user name. */
  author: string | null;
  first: number;
  after: string | null;
}

export const MOST = 50;
export const DEFAULT_FIRST = 20;
export const LONGEST_SEARCH = 200;
const NAMES = ['q', 'tag', 'author', 'first', 'after'] as const;
const LONGEST_CURSOR = 500;

/** Throws a 400 that names every parameter that is wrong. */
export function readListQuery(query: Record<string, unknown>): ListQuery {
  const errors: { path: string; message: string }[] = [];
  const refuse = (path: string, message: string) => {
    errors.push({ path, message });
    return null;
  };
  for (const name of Object.keys(query)) {
    if (!(NAMES as readonly string[]).includes(name)) {
      refuse(name.slice(0, 50), `is not a parameter of this list; it takes ${NAMES.join(', ')}.`);
    } else if (typeof query[name] !== 'string') refuse(name, 'is given more than once.');
  }
  const given = (name: (typeof NAMES)[number]) => (typeof query[name] === 'string' ? query[name] : null);
  const q = given('q') === null ? null : cleanLine(given('q') ?? '');
  if (q !== null && q.length > LONGEST_SEARCH) refuse('q', `has more than ${LONGEST_SEARCH} characters.`);
  const tag = readTag(given('tag'), refuse);
  const author = given('author');
  if (author !== null && !canBeName(author)) refuse('author', 'is not a user name.');
  const after = given('after');
  if (after !== null && after.length > LONGEST_CURSOR)
    refuse('after', 'is not a cursor; take next of the page before.');
  const first = readFirst(given('first'), refuse);
  if (errors.length > 0) {
    throw new ProblemError(400, 'bad_parameter', 'Some parameters of the address are not valid; see errors.', {
      errors,
    });
  }
  return { terms: q === null ? null : parseSearch(q), q, tag, author, first, after };
}

type Refuse = (path: string, message: string) => null;

function readTag(text: string | null, refuse: Refuse): string | null {
  if (text === null) return null;
  const [tag] = canBeName(text) ? normaliseTags([text]) : [];
  return tag ?? refuse('tag', 'is not a tag.');
}

function readFirst(text: string | null, refuse: Refuse): number {
  if (text === null) return DEFAULT_FIRST;
  const first = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (first < 1 || first > MOST) refuse('first', `must be a whole number from 1 to ${MOST}.`);
  return first;
}
