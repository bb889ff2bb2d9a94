/** Codes of GitHub for emoji: `:tada:`. Times, ports and unknown codes stay text. */
import { findEmoji } from './emoji-names.ts';

const CODE = /(?<![\w:])(?::[a-z0-9_+-]{1,40}:)+(?![\w:])/g;

export function replaceEmojiCodes(text: string): string {
  if (!text.includes(':')) return text;
  return text.replace(CODE, (codes) =>
    codes.replace(/:([a-z0-9_+-]+):/g, (code, name: string) => findEmoji(name) ?? code),
  );
}
