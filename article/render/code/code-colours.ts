/** Colours of code, light and dark, as a stylesheet. Contrast is at least 4.5:1. */

const COLOURS: Record<string, { light: string; dark: string }> = {
  keyword: { light: '#a0111f', dark: '#ff8f88' },
  string: { light: '#0a3069', dark: '#a5d6ff' },
  'string-expression': { light: '#0a3069', dark: '#a5d6ff' },
  comment: { light: '#57606a', dark: '#9aa4af' },
  constant: { light: '#0550ae', dark: '#79c0ff' },
  function: { light: '#6639ba', dark: '#d2a8ff' },
  parameter: { light: '#7d3c00', dark: '#ffb77c' },
  punctuation: { light: '#424a53', dark: '#c9d1d9' },
  link: { light: '#0550ae', dark: '#79c0ff' },
  inserted: { light: '#116329', dark: '#7ee787' },
  deleted: { light: '#82071e', dark: '#ffa198' },
  changed: { light: '#7d3c00', dark: '#ffb77c' },
};

/** Rules for the classes that `highlightCode` writes (`tok-keyword` and so on). */
export const codeColours: string = [
  ...Object.entries(COLOURS).map(([kind, { light }]) => `.tok-${kind}{color:${light}}`),
  '@media (prefers-color-scheme:dark){',
  ...Object.entries(COLOURS).map(([kind, { dark }]) => `.tok-${kind}{color:${dark}}`),
  '}',
].join('');
