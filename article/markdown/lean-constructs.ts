/**
 * Leaves out the constructs of GFM that a text cannot use. The parser tries the one for e-mail addresses at every letter
 * and the one for tables at every line; a text without `@` or `|` pays a third of its parsing for nothing. What is left
 * out could not have matched, so the tree is the same.
 */
import type { Processor } from 'unified';

/** A construct's name in micromark, and the text without which it cannot match. */
const NEEDS: [construct: string, mark: string][] = [
  ['emailAutolink', '@'],
  ['table', '|'],
  ['wwwAutolink', 'www.'],
];

/** Which constructs `body` cannot use, as a key of one such set. */
export function uselessConstructs(body: string): string {
  const lower = NEEDS.some(([, mark]) => /[a-z]/.test(mark)) ? body.toLowerCase() : body;
  return NEEDS.filter(([, mark]) => !lower.includes(mark))
    .map(([construct]) => construct)
    .join(' ');
}

/** A plugin to use after `remark-gfm`. */
export function leaveOut(this: Processor, useless: string): void {
  const data = this.data() as unknown as { micromarkExtensions?: Extension[] };
  const names = new Set(useless.split(' '));
  data.micromarkExtensions = (data.micromarkExtensions ?? []).map((extension) => filterExtension(extension, names));
}

interface Construct {
  name?: string;
}
type Constructs = Record<string, Construct | Construct[]>;
type Extension = Record<string, unknown> & { text?: Constructs; flow?: Constructs };

function filterExtension(extension: Extension, names: Set<string>): Extension {
  const filtered = { ...extension };
  if (extension.text !== undefined) filtered.text = filterConstructs(extension.text, names);
  if (extension.flow !== undefined) filtered.flow = filterConstructs(extension.flow, names);
  return filtered;
}

function filterConstructs(constructs: Constructs, names: Set<string>): Constructs {
  const kept: Constructs = {};
  for (const [code, value] of Object.entries(constructs)) {
    const list = [value].flat().filter((construct) => !names.has(construct.name ?? ''));
    if (list.length > 0) kept[code] = list;
  }
  return kept;
}
