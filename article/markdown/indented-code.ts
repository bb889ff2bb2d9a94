/**
 * Recognises indented code before parsing: its marks have no weight. Where a line may belong to an
 * item, a quotation, a note or a directive, it counts as text.
 */

export interface Line {
  text: string;
  /** True if it begins with the mark of a list or a quotation. */
  isContained: boolean;
}

const INDENTED = /^(?: {4}| {0,3}\t)/;
const OPENS = /^ {0,3}(?:\[\^|:::)/;
/** An indented directive. Up to its end, its contents are indented less than they appear. */
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
    // Directly after its text, a line belongs to an item even without indentation.
    else if (previous !== 'text' && !/^\s/.test(text)) isOpen = false;
    previous = 'text';
    return false;
  };
}
