/** Turns text of a person or a platform into one line that is safe to show. */

/** Removes terminal escapes, controls and changes of direction. Folds white space. */
export function toPlainLine(text: string): string {
  return text
    .toWellFormed()
    .replace(ANSI_SEQUENCE, '')
    .replace(CONTROLS, ' ')
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

const ANSI_SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal escapes are made of them
  /(?:\u001b\[|\u009b)[0-?]{0,64}[ -/]{0,64}[@-~]|\u001b\][^\u0007\u001b]{0,2000}(?:\u0007|\u001b\\)/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for controls.
const CONTROLS = /[\0-\x1f\x7f-\x9f\u2028\u2029]+/g;
