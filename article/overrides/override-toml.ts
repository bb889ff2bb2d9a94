/**
 * Changes TOML frontmatter line by line, because no library writes TOML back with its comments. The result is parsed to
 * check it.
 */
import { parse, stringify } from 'smol-toml';
import type { FieldChange } from './field-change.ts';

/** The changed source, ending in a line end; null if it cannot be changed safely. */
export function overrideToml(source: string, changes: FieldChange[]): string | null {
  let lines = source.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const change of changes) {
    if (change.kind === 'value')
      lines = setKey(lines, { start: 0, end: findFirstTable(lines) }, change.key, change.value);
    else lines = setFlags(lines, change.key, change.flags);
  }
  const text = lines.map((line) => `${line}\n`).join('');
  return isToml(text) ? text : null;
}

interface Range {
  start: number;
  end: number;
}

function setFlags(given: string[], key: string, flags: [string, boolean][]): string[] {
  let lines = given;
  const header = lines.findIndex((line) => new RegExp(`^\\s*\\[\\s*["']?\\s*${key}\\s*["']?\\s*\\]`, 'i').test(line));
  const inline = findEntry(lines, { start: 0, end: findFirstTable(lines) }, key);
  if (inline !== null && header === -1) {
    const [table] = Object.values(parse(lines.slice(inline.start, inline.end).join('\n')));
    const merged = { ...(table as Record<string, unknown>), ...Object.fromEntries(flags) };
    const pairs = Object.entries(merged).map(([name, value]) => stringify({ [name]: value }).trim());
    return [...lines.slice(0, inline.start), `${key} = { ${pairs.join(', ')} }`, ...lines.slice(inline.end)];
  }
  for (const [name, flag] of flags) {
    const next = lines.findIndex((line, index) => index > header && isHeader(line));
    const range = { start: header + 1, end: next === -1 ? lines.length : next };
    lines =
      header === -1
        ? setKey(lines, { start: 0, end: findFirstTable(lines) }, `${key}.${name}`, flag)
        : setKey(lines, range, name, flag);
  }
  return lines;
}

function setKey(lines: string[], range: Range, key: string, value: string | boolean | string[]): string[] {
  const entry = findEntry(lines, range, key);
  const text = `${key} = ${stringify({ value })
    .trim()
    .replace(/^value\s*=\s*/, '')}`;
  if (entry !== null) {
    const comment = findComment(lines.slice(entry.start, entry.end));
    return [...lines.slice(0, entry.start), text + comment, ...lines.slice(entry.end)];
  }
  let at = range.end;
  while (at > range.start && lines[at - 1]?.trim() === '') at -= 1;
  return [...lines.slice(0, at), text, ...lines.slice(at)];
}

/** The lines of an entry, as many as are needed to form valid TOML. The author may have written `Title`; `title` comes first. */
function findEntry(lines: string[], range: Range, key: string): Range | null {
  const name = key
    .split('.')
    .map((part) => `["']?\\s*${part}\\s*["']?`)
    .join('\\s*\\.\\s*');
  const [exact, whateverCase] = [new RegExp(`^\\s*${name}\\s*=`), new RegExp(`^\\s*${name}\\s*=`, 'i')];
  let found: Range | null = null;
  let at = range.start;
  while (at < range.end) {
    const line = lines[at] ?? '';
    const end = /^\s*(?:#|$)/.test(line) ? at + 1 : findEntryEnd(lines, at, range.end);
    if (exact.test(line)) return { start: at, end };
    if (found === null && whateverCase.test(line)) found = { start: at, end };
    at = end;
  }
  return found;
}

function findEntryEnd(lines: string[], start: number, limit: number): number {
  for (let end = start + 1; end <= limit; end += 1) {
    if (isToml(lines.slice(start, end).join('\n'))) return end;
  }
  return start + 1;
}

/** The comment after a value, with the blanks before it. */
function findComment(entry: string[]): string {
  const last = entry.at(-1) ?? '';
  for (let at = last.indexOf('#'); at !== -1; at = last.indexOf('#', at + 1)) {
    if (isToml([...entry.slice(0, -1), last.slice(0, at)].join('\n'))) return ` ${last.slice(at)}`;
  }
  return '';
}

function findFirstTable(lines: string[]): number {
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    if (isHeader(line)) return at;
    at = /^\s*(?:#|$)/.test(line) ? at + 1 : findEntryEnd(lines, at, lines.length);
  }
  return lines.length;
}

function isHeader(line: string): boolean {
  return /^\s*\[/.test(line);
}

function isToml(text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    // Not a whole entry yet: the caller adds one more line.
    return false;
  }
}
