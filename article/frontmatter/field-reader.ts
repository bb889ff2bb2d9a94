/** Reads fields with their types. Collects all problems, so that authors see them at once. */
import { formatUri, parseHttpUrl } from '../identity/canonical.ts';
import { cleanLine } from '../text/clean-text.ts';
import type { Problem } from '../types.ts';
import { describeNode, type FieldNode, type Fields } from './field-node.ts';

export const MAX_URL_LENGTH = 2048;
const MAX_TAGS = 100;
const MAX_TAG_LENGTH = 100;
export const TRUE_WORDS = new Set(['true', 'yes', 'on', 'y']);
export const FALSE_WORDS = new Set(['false', 'no', 'off', 'n']);

export interface FieldReader {
  problems: Problem[];
  /** One clean line. Numbers and booleans are read as written. Null if absent or empty. */
  text(key: string, maxLength: number): string | null;
  /** Also reads yes, off and similar words. Null if absent. */
  flag(key: string): boolean | null;
  /** An absolute http(s) address. Null if absent. */
  url(key: string): string | null;
  tags(key: string): string[];
  node(key: string): FieldNode | undefined;
  /** The flags of a mapping (`cross_post`) in order. Empty if absent. */
  flags(key: string): [string, boolean, FieldNode][];
  report(path: string, message: string, node: FieldNode): void;
}

export function createFieldReader(fields: Fields): FieldReader {
  const problems: Problem[] = [];
  const report = (path: string, message: string, node: FieldNode): void => {
    problems.push({ path, message, ...node.place });
  };
  const findNode = (key: string): FieldNode | undefined => {
    const node = fields.get(key);
    return node?.kind === 'scalar' && node.value === null ? undefined : node;
  };

  const refuse = (path: string, message: string, node: FieldNode): null => {
    report(path, `${path} ${message}`, node);
    return null;
  };

  const text = (key: string, maxLength: number): string | null => {
    const node = findNode(key);
    if (node === undefined) return null;
    if (node.kind !== 'scalar') return refuse(key, `must be text; found ${describeNode(node)}.`, node);
    const line = cleanLine(getScalarText(node));
    if (line.length > maxLength)
      return refuse(key, `must be at most ${maxLength} characters long; it has ${line.length}.`, node);
    return line === '' ? null : line;
  };

  const readFlag = (path: string, node: FieldNode): boolean | null => {
    const found = describeNode(node);
    return (
      readYesNo(node) ??
      refuse(path, `must be true or false (yes/no and on/off are accepted too); found ${found}.`, node)
    );
  };

  return {
    problems,
    text,
    flag(key) {
      const node = findNode(key);
      return node === undefined ? null : readFlag(key, node);
    },
    url(key) {
      const node = findNode(key);
      const value = text(key, MAX_URL_LENGTH);
      if (node === undefined || value === null) return null;
      const parsed = parseHttpUrl(value);
      // Percent-encoded, so that pages, documents and destinations need no escaping.
      if (parsed !== null) return formatUri(parsed);
      return refuse(key, `must be an absolute http:// or https:// address; found ${describeNode(node)}.`, node);
    },
    tags(key) {
      const node = findNode(key);
      return node === undefined ? [] : readTags(key, node, report);
    },
    node: findNode,
    flags(key) {
      const node = findNode(key);
      if (node === undefined) return [];
      if (node.kind !== 'map') {
        report(key, `${key} must be a mapping of destinations to true or false; found ${describeNode(node)}.`, node);
        return [];
      }
      return node.entries.flatMap(([name, item]): [string, boolean, FieldNode][] => {
        if (item.kind === 'scalar' && item.value === null) return [];
        const flag = readFlag(`${key}.${name}`, item);
        return flag === null ? [] : [[name, flag, item]];
      });
    },
    report,
  };
}

/** Null for any other value. */
export function readYesNo(node: FieldNode): boolean | null {
  if (node.kind !== 'scalar') return null;
  const word = String(node.value).trim().toLowerCase();
  return TRUE_WORDS.has(word) ? true : FALSE_WORDS.has(word) ? false : null;
}

/** Normalises tags: lower case, one line, no leading `#`, no repetitions. Idempotent. */
export function normaliseTags(tags: string[]): string[] {
  const clean = tags.map((tag) =>
    cleanLine(tag)
      .replace(/^[#\s]+/, '')
      .toLowerCase()
      .normalize('NFC'),
  );
  return [...new Set(clean.filter((tag) => tag !== ''))];
}

function readTags(key: string, node: FieldNode, report: FieldReader['report']): string[] {
  if (node.kind === 'map') {
    report(key, `${key} must be a list or a comma-separated text; found a mapping.`, node);
    return [];
  }
  const raw: string[] = [];
  if (node.kind === 'scalar') {
    raw.push(...getScalarText(node).split(','));
  } else {
    node.items.forEach((item, index) => {
      const tag = readTag(item);
      if (tag === null) report(`${key}[${index}]`, `A tag must be text; found ${describeNode(item)}.`, item);
      else raw.push(tag);
    });
  }
  const tags = normaliseTags(raw);
  const long = tags.find((tag) => tag.length > MAX_TAG_LENGTH);
  if (long !== undefined) {
    report(key, `A tag must be at most ${MAX_TAG_LENGTH} characters long; "${long.slice(0, 40)}…" is longer.`, node);
  }
  if (tags.length > MAX_TAGS) report(key, `At most ${MAX_TAGS} tags are allowed; found ${tags.length}.`, node);
  return tags;
}

/** The text of a tag, or null if it is none. Docusaurus writes a tag as `{label, permalink}`. */
function readTag(item: FieldNode): string | null {
  if (item.kind === 'list') return null;
  if (item.kind === 'scalar') return item.value === null ? '' : getScalarText(item);
  const label = item.entries.find(([name]) => name === 'label')?.[1];
  return label?.kind === 'scalar' && label.value !== null ? getScalarText(label) : null;
}

function getScalarText(node: FieldNode & { kind: 'scalar' }): string {
  return typeof node.value === 'string' ? node.value : node.text;
}
