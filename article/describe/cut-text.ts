/** Cuts texts to a length, at a word or a sentence. Lengths are in UTF-16 units. */

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/** At most `length` long; ends in `…` if something was cut. */
export function cutAtWord(text: string, length: number): string {
  if (text.length <= length) return text;
  const room = text.slice(0, length - 1);
  const space = room.search(/\s\S*$/);
  // If there is no space near the end (Chinese, a long address), cut between characters.
  const cut = space > length / 2 ? room.slice(0, space) : room.replace(/[\ud800-\udbff]$/, '');
  return `${cut.replace(/[\s,;:.–—-]+$/, '')}…`;
}

/** As many whole sentences as fit; if not even the first fits, it is cut at a word. */
export function cutAtSentence(text: string, length: number): string {
  let kept = '';
  for (const sentence of splitSentences(text)) {
    const longer = kept === '' ? sentence : `${kept} ${sentence}`;
    if (longer.length > length) break;
    kept = longer;
  }
  return kept === '' ? cutAtWord(text, length) : kept;
}

export function splitSentences(text: string): string[] {
  return [...sentences.segment(text)].map(({ segment }) => segment.trim()).filter((segment) => segment !== '');
}
