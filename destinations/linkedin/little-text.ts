/**
 * LinkedIn's "little" text: characters that may begin a mention or a template need a backslash. Without one LinkedIn cuts
 * the post off there and still answers 201.
 */

const RESERVED = /[\\|{}@[\]()<>#*_~]/g;
/** Addresses are not escaped, so that they link; a character that needs an escape ends the address. */
const ADDRESS = String.raw`https?:\/\/[^\s\\|{}@[\]()<>*]+`;
const UNITS = new RegExp(`${ADDRESS}|[\\s\\S]`, 'gu');
const WHOLE_ADDRESS = new RegExp(`^${ADDRESS}$`, 'u');

/**
 * The text escaped, in at most `length` UTF-16 units, cut at a word where possible; never within an escape, a character or
 * an address.
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
