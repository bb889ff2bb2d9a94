/**
 * Fills a mail's HTML: `{{name}}` inserts a value, always escaped; `{{#name}}…{{/name}}` repeats its content for every entry of a list, or
 * shows it once for a single value. Markup cannot be inserted.
 */

export interface Values {
  [name: string]: string | Values | readonly Values[] | null;
}

export type Template = (values: Values) => string;

/** Throws if a section is not closed: a mistake in the template, not in the values. */
export function compileTemplate(source: string): Template {
  const tokens = source.split(/(\{\{[#/]?[a-zA-Z]+\}\})/);
  const { parts, next } = readParts(tokens, 0, null);
  if (next !== tokens.length) throw new Error('a template closes a section that is not open');
  return (values) => fill(parts, [values]);
}

type Part = string | { name: string; inside: Part[] | null };

function readParts(tokens: string[], start: number, section: string | null): { parts: Part[]; next: number } {
  const parts: Part[] = [];
  for (let index = start; index < tokens.length; index++) {
    const token = tokens[index] ?? '';
    const [, kind, name] = /^\{\{([#/]?)([a-zA-Z]+)\}\}$/.exec(token) ?? [];
    if (name === undefined) {
      parts.push(token);
    } else if (kind === '/') {
      if (name !== section) throw new Error(`a template closes ${name} where ${section ?? 'nothing'} is open`);
      return { parts, next: index + 1 };
    } else if (kind === '#') {
      const read = readParts(tokens, index + 1, name);
      parts.push({ name, inside: read.parts });
      index = read.next - 1;
    } else {
      parts.push({ name, inside: null });
    }
  }
  if (section !== null) throw new Error(`a template leaves ${section} open`);
  return { parts, next: tokens.length };
}

function fill(parts: readonly Part[], scopes: readonly Values[]): string {
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part;
      continue;
    }
    const value = findValue(part.name, scopes);
    if (part.inside === null) {
      if (typeof value !== 'string') throw new Error(`a template shows ${part.name}, which is not a text`);
      text += escapeHtml(value);
    } else if (Array.isArray(value)) {
      for (const entry of value as readonly Values[]) text += fill(part.inside, [entry, ...scopes]);
    } else if (value !== null && value !== '') {
      text += fill(part.inside, typeof value === 'string' ? scopes : [value as Values, ...scopes]);
    }
  }
  return text;
}

function findValue(name: string, scopes: readonly Values[]): Values[string] {
  for (const scope of scopes) {
    const value = Object.hasOwn(scope, name) ? scope[name] : undefined;
    if (value !== undefined) return value;
  }
  throw new Error(`a template names ${name}, which has no value`);
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
