/** Texts cut to a length, at a word or a sentence. Lengths are in UTF-16 units. */

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/** At most `length` long, ending in `…` where something was cut. */
export function cutAtWord(text: string, length: number): string {
  if (text.length <= length) return text;
  const room = text.slice(0, length - 1);
  const space = room.search(/\s\S*$/);
  // Without a space near the end (Chinese, a long address) the cut falls between characters.
  const cut = space > length / 2 ? room.slice(0, space) : room.replace(/[\ud800-\udbff]$/, '');
  return `${cut.replace(/[\s,;:.–—-]+$/, '')}…`;
}

/** Whole sentences as long as they fit, at least the first, which is cut at a word. */
export function cutAtSentence(text: string, length: number): string {
  let kept = '';
  for (const sentence of sentencesOf(text)) {
    const longer = kept === '' ? sentence : `${kept} ${sentence}`;
    if (longer.length > length) break;
    kept = longer;
  }
  return kept === '' ? cutAtWord(text, length) : kept;
}

export function sentencesOf(text: string): string[] {
  return [...sentences.segment(text)].map(({ segment }) => segment.trim()).filter((segment) => segment !== '');
}
