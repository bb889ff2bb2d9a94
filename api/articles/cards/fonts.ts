/**
 * The fonts of cards: files of packages, each read when a text first needs it. Latin, Cyrillic and Greek, Arabic and Hebrew, Japanese,
 * simplified Chinese and Korean; of other scripts (Devanagari, Thai …), of emoji and of rare characters there is no letter, and none is drawn.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Font } from 'satori';
import type { Card } from '../../../article/cards/card.ts';

interface FontFile {
  family: string;
  file: string;
  weight: 400 | 700;
}

export interface ChosenFonts {
  /** As in CSS: the first that has a letter draws it. */
  family: string;
  fonts: Font[];
}

const inter = (subset: string): FontFile[] =>
  ([400, 700] as const).map((weight) => ({
    family: `Inter ${subset}`,
    file: `@fontsource/inter/files/inter-${subset}-${weight}-normal.woff`,
    weight,
  }));
/** Of one weight: the files are large, and titles are bold. */
const bold = (family: string, file: string): FontFile[] => [{ family, file, weight: 700 }];

const LATIN = ['latin', 'latin-ext'].flatMap(inter);
const JAPANESE = bold('Japanese', '@openfonts/noto-sans-jp_japanese/files/noto-sans-jp-japanese-700.woff');
const CHINESE = bold(
  'Chinese',
  '@openfonts/noto-sans-sc_chinese-simplified/files/noto-sans-sc-chinese-simplified-700.woff',
);
const KOREAN = bold('Korean', '@openfonts/noto-sans-kr_korean/files/noto-sans-kr-korean-700.woff');
const SIGNS: FontFile = {
  family: 'Signs',
  file: '@fontsource/noto-sans-math/files/noto-sans-math-latin-400-normal.woff',
  weight: 400,
};
const HAN = /[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u;

const BY_SCRIPT: [RegExp, FontFile[]][] = [
  [/\p{Script=Cyrillic}/u, ['cyrillic', 'cyrillic-ext'].flatMap(inter)],
  [/\p{Script=Greek}/u, ['greek', 'greek-ext'].flatMap(inter)],
  [/[\u0102-\u0111\u0128\u0129\u0168-\u01b0\u1ea0-\u1ef9\u20ab]|\p{M}/u, inter('vietnamese')],
  // Not Noto's: it puts the dots of letters on by marks, which satori places wrongly.
  [/\p{Script=Arabic}/u, bold('Arabic', '@fontsource/vazirmatn/files/vazirmatn-arabic-700-normal.woff')],
  [/\p{Script=Hebrew}/u, bold('Hebrew', '@fontsource/noto-sans-hebrew/files/noto-sans-hebrew-hebrew-700-normal.woff')],
  [/\p{Script=Hangul}/u, KOREAN],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, JAPANESE],
  // Arrows, and what compares and calculates.
  [/[\u2190-\u22ff\u27f0-\u2aff]/u, [SIGNS]],
];

const { resolve } = createRequire(import.meta.url);
const read = new Map<string, Promise<Font>>();
/** By their families: what is drawn with the same list finds its fonts parsed. */
const lists = new Map<string, Promise<Font[]>>();

export async function chooseFonts({ site, title, author, facts, tags, language }: Card): Promise<ChosenFonts> {
  const text = [site, title, author, facts, ...tags].join(' ');
  const files = [LATIN, ...BY_SCRIPT.filter(([script]) => script.test(text)).map(([, those]) => those)];
  // A letter of one of these that its own country's font lacks is drawn by another's.
  if (HAN.test(text)) files.push(...(language?.startsWith('zh') ? [CHINESE, JAPANESE] : [JAPANESE, CHINESE]));
  const chosen = [...new Set(files.flat())];
  const family = [...new Set(chosen.map((file) => file.family))].join(', ');
  const known = lists.get(family) ?? Promise.all(chosen.map(readFont));
  lists.set(family, known);
  return { family, fonts: await known };
}

function readFont({ family, file, weight }: FontFile): Promise<Font> {
  const known = read.get(file) ?? readFile(resolve(file)).then((data) => ({ name: family, data, weight }));
  read.set(file, known);
  return known;
}
