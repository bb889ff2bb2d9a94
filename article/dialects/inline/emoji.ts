/** Replaces GitHub's emoji codes (`:tada:`). Times, ports and unknown codes stay text. */
import { findEmoji } from './emoji-names.ts';

const CODE = /(?<![\w:])(?::[a-z0-9_+-]{1,40}:)+(?![\w:])/g;

export function findEmojiCodes(text: string): number[] {
  return [...text.matchAll(CODE)].flatMap(({ 0: codes, index }) =>
    [...codes.matchAll(/:([a-z0-9_+-]+):/g)].flatMap((code) =>
      findEmoji(code[1] ?? '') === undefined ? [] : [index + code.index],
    ),
  );
}

export function replaceEmojiCodes(text: string): string {
  if (!text.includes(':')) return text;
  return text.replace(CODE, (codes) =>
    codes.replace(/:([a-z0-9_+-]+):/g, (code, name: string) => findEmoji(name) ?? code),
  );
}
