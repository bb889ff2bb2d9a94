/**
 * Chooses the fonts of a card. Covers Latin, Cyrillic, Greek, Arabic, Hebrew, Japanese, simplified
 * Chinese and Korean. Other scripts, emoji and rare characters have no font and are not drawn.
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
  /** A CSS font list: the first font that has a glyph draws it. */
  family: string;
  fonts: Font[];
}

const inter = (subset: string): FontFile[] =>
  ([400, 700] as const).map((weight) => ({
    family: `Inter ${subset}`,
    file: `@fontsource/inter/files/inter-${subset}-${weight}-normal.woff`,
    weight,
  }));
/** Only bold, because the files are large and titles are bold. */
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
  // Not Noto: it composes dotted letters with marks, which satori misplaces.
  [/\p{Script=Arabic}/u, bold('Arabic', '@fontsource/vazirmatn/files/vazirmatn-arabic-700-normal.woff')],
  [/\p{Script=Hebrew}/u, bold('Hebrew', '@fontsource/noto-sans-hebrew/files/noto-sans-hebrew-hebrew-700-normal.woff')],
  [/\p{Script=Hangul}/u, KOREAN],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, JAPANESE],
  // Arrows and mathematical operators.
  [/[\u2190-\u22ff\u27f0-\u2aff]/u, [SIGNS]],
];

const { resolve } = createRequire(import.meta.url);
const fontsByFile = new Map<string, Promise<Font>>();
/** By `family`. Returning the same array lets satori reuse its parsed fonts. */
const fontsByFamily = new Map<string, Promise<Font[]>>();

export async function chooseFonts({ site, title, author, facts, tags, language }: Card): Promise<ChosenFonts> {
  const text = [site, title, author, facts, ...tags].join(' ');
  const files = [LATIN, ...BY_SCRIPT.filter(([script]) => script.test(text)).map(([, list]) => list)];
  // Both fonts, because each lacks characters that the other one has.
  if (HAN.test(text)) files.push(...(language?.startsWith('zh') ? [CHINESE, JAPANESE] : [JAPANESE, CHINESE]));
  const chosen = [...new Set(files.flat())];
  const family = [...new Set(chosen.map((file) => file.family))].join(', ');
  const loading = fontsByFamily.get(family) ?? Promise.all(chosen.map(readFont));
  fontsByFamily.set(family, loading);
  return { family, fonts: await loading };
}

function readFont({ family, file, weight }: FontFile): Promise<Font> {
  const loading = fontsByFile.get(file) ?? readFile(resolve(file)).then((data) => ({ name: family, data, weight }));
  fontsByFile.set(file, loading);
  return loading;
}
