/**
 * Estimates the work for a line, in units of about 5 µs. 1 MiB of articles weighs 3/5 of
 * `MAX_WORK`, a list of 10,000 links 2/3.
 */

/** For 1 MiB. The limit of a longer text grows with its length. */
export const MAX_WORK = 500_000;
/** MDX is parsed three times: to hide dialects, with components, and as Markdown. */
export const MDX_FACTOR = 2;

const BLOCK = 10;
/** An item is a block in a block. 18,000 lists of one item take three seconds. */
const CONTAINER = 15;
/** The parser reads the line of an item again for each list around it. */
const ITEM_INDENT = 1.5;
/** A display formula, which is converted from TeX to MathML. */
const FORMULA_FENCE = 12;
/** The end of a line in two blanks or a backslash. */
const HARD_BREAK = 4;
const BLOCK_MARK = /^\s*(?:#|\||\[[^\]]+\]:|<|-{3,}|:::)/;
/** The parser looks for addresses in the text, not in the destination of a link. */
const MARKS =
  /(?<![("'=<\w])(?:https?:\/\/|www\.)[^\s<[\]]*|@|\$|&(?=[#a-z])|==|!(?=\[)|\*+|_+|~+|`+|\[\^?|\][([:]?|[<|{\\]/gi;
const WEIGHTS = new Map([
  ['h', 12],
  ['w', 12],
  ['@', 8],
  ['$', 6],
  ['&', 3],
  ['=', 3],
  ['!', 6],
  ['*', 2],
  ['_', 2],
  ['~', 2],
  ['`', 2],
  ['<', 4],
  ['|', 4],
]);
/** Weight of a link. This one and the next two are added to the weight of the brackets. */
const LINK = 12;
const FOOTNOTE_REFERENCE = 14;
const REFERENCE = 8;
/** For the `][` in `[label][name]`. */
const FULL_REFERENCE = 6;
const DEFINITION = 20;
/** At each of these the parser reads ahead to decide whether the address ends. */
const MAY_END_ADDRESS = /[!"'*,.:;?_~)&]/g;
const ENDS_PER_UNIT = 64;
/** A run is compared with earlier ones of its paragraph. A bracket moves the nodes after it. */
const RUNS_PER_UNIT = 20;
const BRACKETS_PER_UNIT = 200;
/** 10,000 lines in one paragraph take a third of a second. */
const LINES_PER_UNIT = 1_000;

export function weighContainers(
  { depth, indent, isItem }: { depth: number; indent: number; isItem: boolean },
  isCode: boolean,
): number {
  return isCode ? 0 : depth * CONTAINER + (isItem ? indent * ITEM_INDENT : 0);
}

export function weighLine(
  text: string,
  line: { isInContainer: boolean; isAfterBlank: boolean; isCode: boolean },
): number {
  if (line.isCode) return 1;
  const isBlock = (line.isAfterBlank && text !== '') || BLOCK_MARK.test(text);
  const isBroken = text.endsWith('  ') || text.endsWith('\\');
  return 1 + (isBlock && !line.isInContainer ? BLOCK : 0) + (isBroken ? HARD_BREAK : 0);
}

export interface ParagraphSoFar {
  runs: number;
  brackets: number;
  lines: number;
  /** True if the text has definitions. Without one, brackets are text. */
  hasDefinitions: boolean;
}

export function weighMarks(text: string, { runs, brackets, lines, hasDefinitions }: ParagraphSoFar): number {
  let weight = lines / LINES_PER_UNIT + (text.startsWith('$$') ? FORMULA_FENCE : 0);
  for (const [mark] of text.matchAll(MARKS)) {
    const first = mark.charAt(0).toLowerCase();
    weight += WEIGHTS.get(first) ?? 1;
    if (first === 'h' || first === 'w') {
      const ends = mark.match(MAY_END_ADDRESS)?.length ?? 0;
      weight += ends + ends ** 2 / ENDS_PER_UNIT;
    } else if (first === '[' || first === ']') {
      weight += brackets / BRACKETS_PER_UNIT + weighBracket(mark, hasDefinitions);
    } else if ('*_~'.includes(first)) weight += runs / RUNS_PER_UNIT;
  }
  return weight;
}

function weighBracket(mark: string, hasDefinitions: boolean): number {
  if (mark === '](') return LINK;
  if (mark === '[^') return FOOTNOTE_REFERENCE;
  if (mark === ']:') return DEFINITION;
  if (mark === '][') return hasDefinitions ? FULL_REFERENCE : 0;
  return mark === ']' && hasDefinitions ? REFERENCE : 0;
}
