/**
 * LinkedIn's "little" text: signs that may begin a mention or a template need a backslash. One that has none cuts the
 * post off at its place, and LinkedIn answers 201 all the same.
 */

const RESERVED = /[\\|{}@[\]()<>#*_~]/g;
/** Addresses go as they are, so that they link; signs that cannot be left alone end them. */
const ADDRESS = String.raw`https?:\/\/[^\s\\|{}@[\]()<>*]+`;
const UNITS = new RegExp(`${ADDRESS}|[\\s\\S]`, 'gu');
const WHOLE_ADDRESS = new RegExp(`^${ADDRESS}$`, 'u');

/**
 * The text escaped, in at most `length` UTF-16 units, cut before a word where one begins late enough; never within an
 * escape, a character or an address.
 */
export function escapeWithin(text: string, length: number): { text: string; isCut: boolean } {
  const units = splitUnits(text);
  let total = 0;
  for (const unit of units) total += unit.length;
  if (total <= length) return { text: units.join(''), isCut: false };
  const kept: string[] = [];
  let used = 1;
  for (const unit of units) {
    used += unit.length;
    if (used > length) break;
    kept.push(unit);
  }
  const space = kept.findLastIndex((unit) => /^\s$/.test(unit));
  const words = space > kept.length / 2 ? kept.slice(0, space) : kept;
  return { text: length < 1 ? '' : `${words.join('').trimEnd()}…`, isCut: true };
}

/** Escaped characters and whole addresses. */
function splitUnits(text: string): string[] {
  return (text.toWellFormed().match(UNITS) ?? []).map((unit) =>
    WHOLE_ADDRESS.test(unit) ? unit : unit.replace(RESERVED, '\\$&'),
  );
}
