/** Names of files in an archive: good on every system, and no two the same. */

/** A name may have 255 bytes; this leaves room for the id and the ending. */
const LONGEST_BYTES = 180;
/** Devices on Windows, whatever their ending. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/** The slug, which no other article has, where it can be a name as it is; else what of it can be, with the article's id. */
export function chooseFileName(slug: string, articleId: string): string {
  const name = shorten(slug.replace(/[^\p{L}\p{M}\p{N}_-]+/gu, '-'));
  const isSlug = name === slug && name === name.toLowerCase().normalize('NFC') && !DEVICES.test(name);
  return isSlug ? `${name}.md` : `${name}-${articleId}.md`;
}

function shorten(name: string): string {
  let letters = [...name];
  while (Buffer.byteLength(letters.join('')) > LONGEST_BYTES) letters = letters.slice(0, -1);
  return letters.join('');
}
