/**
 * Tells indented code from text, line by line, before there is a tree: marks in it are letters. Where it may be the text of a list item, a
 * quotation, a note or a directive, it is taken for text, which weighs more.
 */

export interface Line {
  text: string;
  /** Whether it begins with the mark of a list or a quotation. */
  isContained: boolean;
}

const INDENTED = /^(?: {4}| {0,3}\t)/;
const OPENS = /^ {0,3}(?:\[\^|:::)/;
/** What stands in it is that much further to the left than it looks, to its end. */
const SHIFTS = /^ {1,3}:::/;

export function createCodeDetector(): (line: Line) => boolean {
  let isOpen = false;
  let isShifted = false;
  let previous: 'blank' | 'code' | 'text' = 'blank';
  return ({ text, isContained }) => {
    if (text.trim() === '') {
      if (previous === 'text') previous = 'blank';
      return false;
    }
    if (INDENTED.test(text) && !isOpen && !isShifted && previous !== 'text') {
      previous = 'code';
      return true;
    }
    isShifted ||= SHIFTS.test(text);
    if (isContained || OPENS.test(text)) isOpen = true;
    // Right behind its text, a line belongs to an item even if it stands at the margin.
    else if (previous !== 'text' && !/^\s/.test(text)) isOpen = false;
    previous = 'text';
    return false;
  };
}
