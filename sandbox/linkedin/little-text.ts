/**
 * Reads "little" text as LinkedIn shows it: text after an unescaped reserved character is dropped
 * without an error.
 */

const MAX_TEXT_CHARACTERS = 3000;
/**
 * Accepted text: addresses, hashtags and their templates, mentions, escaped characters, and all
 * characters that are not reserved.
 */
const PIECE = new RegExp(
  [
    String.raw`(?<plain>https?:\/\/[^\s\\|{}@[\]()<>*]+|[^\\|{}@[\]()<>#*_~])`,
    String.raw`\\(?<escaped>[\\|{}@[\]()<>#*_~])`,
    String.raw`(?<hashtag>#[\p{L}\p{N}][\p{L}\p{N}\p{M}]*)`,
    String.raw`\{hashtag\|\\#\|(?<tag>[\p{L}\p{N}\p{M}]+)\}`,
    String.raw`@\[(?<name>[^\]]{1,200})\]\(urn:li:(?:person|organization):[\w-]+\)`,
  ].join('|'),
  'uy',
);

export function readLittleText(text: string): string {
  const source = text.slice(0, MAX_TEXT_CHARACTERS);
  let visible = '';
  PIECE.lastIndex = 0;
  for (let match = PIECE.exec(source); match !== null; match = PIECE.exec(source)) {
    const { plain, escaped, hashtag, tag, name } = match.groups ?? {};
    visible += plain ?? escaped ?? hashtag ?? (tag === undefined ? name : `#${tag}`) ?? '';
  }
  return visible;
}
