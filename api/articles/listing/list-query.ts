/** Validates the query of an article list: `q`, `tag`, `author`, `first`, `after`. */
import { Type } from 'typebox';
import { normaliseTags } from '../../../article/frontmatter/field-reader.ts';
import { parseSearch, type SearchTerm } from '../../../article/search/parse-search.ts';
import { cleanLine } from '../../../article/text/clean-text.ts';
import { isStorableName } from '../../../store/db/valid-keys.ts';
import { ProblemError } from '../../plugins/errors/problem.ts';

export interface ListQuery {
  /** Null without a search. Empty if `q` contains no word; such a search finds nothing. */
  terms: readonly SearchTerm[] | null;
  /** The cleaned search text. A cursor is valid only with the same text. */
  q: string | null;
  /** Normalised in the same way as the tags of articles. */
  tag: string | null;
  /** A user name. */
  author: string | null;
  first: number;
  after: string | null;
}

const MAX_PAGE_LENGTH = 50;
const DEFAULT_FIRST = 20;
export const MAX_SEARCH_CHARACTERS = 200;

/** Documents the parameters. `readListQuery` validates them, with more precise errors. */
export const LIST_PARAMETERS = {
  q: Type.Optional(
    Type.String({
      maxLength: MAX_SEARCH_CHARACTERS,
      description:
        'Words that must all occur, the last one also as a prefix; "a phrase"; -excluded. Word forms match in each article’s language.',
    }),
  ),
  tag: Type.Optional(Type.String({ description: 'Articles with this tag.' })),
  author: Type.Optional(Type.String({ description: 'Articles of this author, by user name.' })),
  first: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE_LENGTH, default: DEFAULT_FIRST })),
  after: Type.Optional(Type.String({ description: '`next` of the previous page, with the same q, tag and author.' })),
};
type Name = keyof typeof LIST_PARAMETERS;
const NAMES = Object.keys(LIST_PARAMETERS) as Name[];
const MAX_CURSOR_CHARACTERS = 500;

/** Throws a 400 `bad_parameter` that lists every invalid parameter. */
export function readListQuery(query: Record<string, unknown>): ListQuery {
  const errors: { path: string; message: string }[] = [];
  const refuse = (path: string, message: string) => {
    errors.push({ path, message });
    return null;
  };
  for (const name of Object.keys(query)) {
    if (!Object.hasOwn(LIST_PARAMETERS, name)) {
      refuse(name.slice(0, 50), `is not a parameter of this list; the parameters are ${NAMES.join(', ')}.`);
    } else if (typeof query[name] !== 'string') refuse(name, 'occurs more than once.');
  }
  const readParameter = (name: Name) => (typeof query[name] === 'string' ? query[name] : null);
  const q = readParameter('q') === null ? null : cleanLine(readParameter('q') ?? '');
  if (q !== null && q.length > MAX_SEARCH_CHARACTERS) refuse('q', `has more than ${MAX_SEARCH_CHARACTERS} characters.`);
  const tag = readTag(readParameter('tag'), refuse);
  const author = readParameter('author');
  if (author !== null && !isStorableName(author)) refuse('author', 'is not a user name.');
  const after = readParameter('after');
  if (after !== null && after.length > MAX_CURSOR_CHARACTERS)
    refuse('after', 'is not a cursor; use next of the previous page.');
  const first = readFirst(readParameter('first'), refuse);
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
  const [tag] = isStorableName(text) ? normaliseTags([text]) : [];
  return tag ?? refuse('tag', 'is not a tag.');
}

function readFirst(text: string | null, refuse: Refuse): number {
  if (text === null) return DEFAULT_FIRST;
  const first = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (first < 1 || first > MAX_PAGE_LENGTH) refuse('first', `must be a whole number from 1 to ${MAX_PAGE_LENGTH}.`);
  return first;
}
