/** Splits a document into frontmatter and body, and reads the frontmatter in its language. */
import matter from 'gray-matter';
import type { Problem } from '../../types.ts';
import { hasFieldLine } from '../field-line.ts';
import type { Fields } from '../field-node.ts';
import { type Fences, findFences } from './find-fences.ts';
import { findSecondFrontmatter } from './find-unread.ts';
import { readJsonFields } from './json-fields.ts';
import { readTomlFields } from './toml-fields.ts';
import { type FieldsResult, readYamlFields } from './yaml-fields.ts';

/** In UTF-16 units. Larger frontmatter is rejected. */
const MAX_LENGTH = 64 * 1024;

export interface SplitDocument {
  fields: Fields;
  /** As written, from line `bodyLine` on. Lines count from 1. */
  body: string;
  bodyLine: number;
}

export type SplitResult = { ok: true; document: SplitDocument } | { ok: false; problems: Problem[] };

/** `content` has `\n` line ends and no byte order mark. */
export function splitFrontmatter(content: string): SplitResult {
  const lines = content.split('\n');
  const fences = findFences(lines);
  const asText: SplitResult = { ok: true, document: { fields: new Map(), body: content, bodyLine: 1 } };
  if (fences === null) return asText;
  if ('problem' in fences) return { ok: false, problems: [fences.problem] };

  const raw = lines.slice(fences.start, fences.end).join('\n');
  const body = lines.slice(fences.body).join('\n');
  if (raw.length > MAX_LENGTH) {
    const message = `The frontmatter is larger than ${MAX_LENGTH / 1024} KiB. Move text into the body.`;
    return { ok: false, problems: [{ path: 'frontmatter', message, line: fences.start || 1, column: 1 }] };
  }
  const result = readWithGrayMatter(raw, fences);
  if (result.kind === 'problems') {
    // Without fields, a thematic break on the first line is not a fence.
    return looksLikeFields(raw) ? { ok: false, problems: result.problems } : asText;
  }
  if (result.kind === 'other') {
    if (/^[ \t]*(?:\n|$)/.test(raw)) return asText;
    const message = 'The frontmatter is not a list of "key: value" lines.';
    return { ok: false, problems: [{ path: 'frontmatter', message, line: fences.start + 1, column: 1 }] };
  }
  const second = findSecondFrontmatter(lines, fences.body);
  if (second !== null) return { ok: false, problems: [second] };
  return { ok: true, document: { fields: result.fields, body, bodyLine: fences.body + 1 } };
}

function looksLikeFields(raw: string): boolean {
  return !/^[ \t]*(?:\n|$)/.test(raw) || hasFieldLine(raw);
}

/**
 * Without options, gray-matter caches documents and returns `{}` the second time one is rejected.
 * All engines are replaced; those that evaluate code throw.
 */
function readWithGrayMatter(raw: string, { language, start }: Fences): FieldsResult {
  let result: FieldsResult = { kind: 'fields', fields: new Map() };
  const capture = (read: typeof readYamlFields) => (source: string) => {
    result = read(source.replace(/^\n/, ''), start + 1);
    return {};
  };
  const refuse = (): object => {
    throw new Error('Frontmatter is data: code in it is not evaluated.');
  };
  const fence = language === 'toml' ? '+++' : '---';
  matter(`${fence}\n${raw}\n${fence}\n`, {
    language,
    delimiters: [fence, `${fence}\n`],
    engines: {
      yaml: capture(readYamlFields),
      toml: capture(readTomlFields),
      json: capture(readJsonFields),
      javascript: refuse,
      js: refuse,
      coffee: refuse,
    },
  });
  return result;
}
