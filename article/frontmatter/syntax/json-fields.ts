/**
 * Reads JSON frontmatter: an object, or its members without braces (Hexo). The YAML reader provides
 * nodes and places, `JSON.parse` the stricter syntax.
 */
import { type FieldsResult, readYamlFields } from './yaml-fields.ts';

export function readJsonFields(source: string, firstLine: number): FieldsResult {
  if (source.trim() === '') return { kind: 'fields', fields: new Map() };
  const isBare = isBareJson(source);
  const wrapped = isBare ? wrapJson(source) : source;
  const line = isBare ? firstLine - 1 : firstLine;
  const problem = findSyntaxError(wrapped);
  if (problem !== null) {
    const before = wrapped.slice(0, problem.offset).split('\n');
    const place = { line: Math.max(line + before.length - 1, firstLine), column: (before.at(-1)?.length ?? 0) + 1 };
    return { kind: 'problems', problems: [{ path: 'frontmatter', message: problem.message, ...place }] };
  }
  return readYamlFields(wrapped, line);
}

/** Hexo writes members without braces: `"title": "x"`. */
export function isBareJson(source: string): boolean {
  return !/^\s*[{[]/.test(source);
}

/** The brace is on a line of its own, so that columns stay the same. */
export function wrapJson(source: string): string {
  const members = source.trimEnd();
  return `{\n${members.endsWith(',') ? members.slice(0, -1) : members}\n}`;
}

function findSyntaxError(source: string): { message: string; offset: number } | null {
  const reason = parseJson(source);
  if (reason === null) return null;
  const detail = reason.replace(/ (?:in JSON|at position|\(line).*$|, (?:\.{3})?".*$/s, '');
  const message = `The JSON cannot be read: ${detail}. Write keys and text in double quotes, without a comma after the last field.`;
  return { message, offset: findErrorOffset(source) };
}

function parseJson(source: string): string | null {
  try {
    JSON.parse(source);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Finds the longest prefix that is only incomplete: V8 does not always report an offset. */
function findErrorOffset(source: string): number {
  let [good, bad] = [0, source.length + 1];
  while (bad - good > 1) {
    const length = Math.floor((good + bad) / 2);
    if (onlyLacksEnd(source.slice(0, length))) good = length;
    else bad = length;
  }
  return good;
}

function onlyLacksEnd(start: string): boolean {
  const reason = parseJson(start);
  if (reason === null || /end of JSON|Unterminated/.test(reason)) return true;
  return Number(/at position (\d+)/.exec(reason)?.[1] ?? -1) >= start.length;
}
