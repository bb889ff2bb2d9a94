/**
 * Omits the constructs of GFM that cannot match in a text. The parser tries e-mail addresses at every letter and tables
 * at every line, which costs a text without `@` or `|` a third of its parsing time. The tree stays the same, because
 * the omitted constructs could not have matched.
 */
import type { Processor } from 'unified';

/** The name of a construct in micromark, and the text without which it cannot match. */
const NEEDS: [construct: string, mark: string][] = [
  ['emailAutolink', '@'],
  ['table', '|'],
  ['wwwAutolink', 'www.'],
];

/** The constructs that cannot match in `body`, joined into a key. */
export function listUselessConstructs(body: string): string {
  const lower = NEEDS.some(([, mark]) => /[a-z]/.test(mark)) ? body.toLowerCase() : body;
  return NEEDS.filter(([, mark]) => !lower.includes(mark))
    .map(([construct]) => construct)
    .join(' ');
}

/** A plugin to use after `remark-gfm`. */
export function omitConstructs(this: Processor, useless: string): void {
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
