/**
 * Sample code in every highlighted language: words, texts, numbers and comments that grammars
 * distinguish.
 */
import { LANGUAGES } from '../../../article/render/code/code-languages.ts';
import { CODE } from './code-samples.ts';

const ANY = [
  '# head',
  '// note',
  '/* more */',
  'class Shelf { def find(key: Int) = 1 }',
  `let name: string = "a $\{b} c" + 'd';`,
  'if (x == 1) return null; fn main() -> i32 { 0 }',
  'key: [1, 2.5, true]',
  'key = "value"',
  '+ added',
  '- removed',
  '$ echo "$HOME" | grep -c x',
  'select name from shelves where id = 1;',
  '<p class="a">{{ text }}</p>',
].join('\n');

/** Documents by their names. */
export const CODE_DOCUMENTS: [string, string][] = LANGUAGES.map((language) => [
  nameDocument(language),
  `---\ntitle: Code\n---\n\n~~~${language}\n${CODE[language] ?? ''}\n${ANY}\n~~~\n`,
]);

export function nameDocument(language: string): string {
  return `code in ${language}`;
}
