/** Codes of GitHub for emoji: `:tada:`. Times, ports and unknown codes stay text. */
import { nameToEmoji } from 'gemoji';

const CODE = /(?<![\w:])(?::[a-z0-9_+-]{1,40}:)+(?![\w:])/g;

export function replaceEmojiCodes(text: string): string {
  if (!text.includes(':')) return text;
  return text.replace(CODE, (codes) =>
    codes.replace(/:([a-z0-9_+-]+):/g, (code, name: string) =>
      Object.hasOwn(nameToEmoji, name) ? (nameToEmoji[name] ?? code) : code,
    ),
  );
}
