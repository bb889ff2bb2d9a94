/**
 * Writes LinkedIn's "little" text: characters that may begin a mention or a template need a
 * backslash. Without one LinkedIn cuts the post off there and still responds with 201.
 */

const RESERVED = /[\\|{}@[\]()<>#*_~]/g;
/** Addresses are not escaped, so that they link. A reserved character ends the address. */
const ADDRESS = String.raw`https?:\/\/[^\s\\|{}@[\]()<>*]+`;
const UNITS = new RegExp(`${ADDRESS}|[\\s\\S]`, 'gu');
const WHOLE_ADDRESS = new RegExp(`^${ADDRESS}$`, 'u');

/** At most `length` UTF-16 units. Never cuts within an escape, a character or an address. */
export function escapeLittleText(text: string, length: number): { text: string; isCut: boolean } {
  const units = splitUnits(text);
  let total = 0;
  for (const unit of units) total += unit.length;
  if (total <= length) return { text: units.join(''), isCut: false };
  const fitting: string[] = [];
  let used = 1;
  for (const unit of units) {
    used += unit.length;
    if (used > length) break;
    fitting.push(unit);
  }
  const space = fitting.findLastIndex((unit) => /^\s$/.test(unit));
  const words = space > fitting.length / 2 ? fitting.slice(0, space) : fitting;
  return { text: length < 1 ? '' : `${words.join('').trimEnd()}…`, isCut: true };
}

/** Escaped characters and complete addresses. */
function splitUnits(text: string): string[] {
  return (text.toWellFormed().match(UNITS) ?? []).map((unit) =>
    WHOLE_ADDRESS.test(unit) ? unit : unit.replace(RESERVED, '\\$&'),
  );
}
