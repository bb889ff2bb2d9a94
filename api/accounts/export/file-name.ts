/** Chooses unique file names for an archive that are valid on every operating system. */

/** File systems allow 255 bytes. This leaves room for the id and the extension. */
const MAX_NAME_BYTES = 180;
/** Device names on Windows, with any extension. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/**
 * The slug, which is unique, if it is a valid file name. Otherwise its valid characters and the id.
 */
export function chooseFileName(slug: string, articleId: string): string {
  const name = shorten(slug.replace(/[^\p{L}\p{M}\p{N}_-]+/gu, '-'));
  const isSlug = name === slug && name === name.toLowerCase().normalize('NFC') && !DEVICES.test(name);
  return isSlug ? `${name}.md` : `${name}-${articleId}.md`;
}

function shorten(name: string): string {
  let letters = [...name];
  while (Buffer.byteLength(letters.join('')) > MAX_NAME_BYTES) letters = letters.slice(0, -1);
  return letters.join('');
}
