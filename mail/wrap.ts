/** Wraps the plain text of mails. */

const WIDTH = 72;

/** Breaks lines between words. A word that is longer than a line is split. */
export function wrapMailText(text: string, first = ''): string {
  const indent = ' '.repeat(first.length);
  const width = WIDTH - indent.length;
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((part) => splitLongWord(part, width))) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  lines.push(line);
  return lines.map((text, index) => (index === 0 ? first : indent) + text).join('\n');
}

function splitLongWord(word: string, width: number): string[] {
  if (word.length <= width) return [word];
  const letters = Array.from(word);
  const count = Math.ceil(letters.length / (width / 2));
  return Array.from({ length: count }, (_, index) =>
    letters.slice((index * width) / 2, ((index + 1) * width) / 2).join(''),
  );
}
