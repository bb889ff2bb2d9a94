/**
 * Splits a document into frontmatter and body. Finds the fences that authors really write (leading blank lines,
 * trailing blanks, `...`, `+++`) and gives gray-matter the document in the one form that it reads.
 */
import matter from 'gray-matter';
import type { Problem } from '../types.ts';
import type { Fields } from './field-node.ts';
import { readTomlFields } from './toml-fields.ts';
import { type FieldsResult, readYamlFields } from './yaml-fields.ts';

/** Larger frontmatter is refused. In UTF-16 units. */
const MAX_LENGTH = 64 * 1024;
/** A block with one of these at the start of a line is frontmatter, however broken: it must not be published as text. */
const FIELD_LINE =
  /^["']?(?:title|subtitle|excerpt|tags|canonical_url|base_url|category|cover_image|generate_toc|comments_enabled|cross_post|(?:courant_|zyvop_)?id|slug|series_id|published|draft|status|scheduled_at|date|layout|description|author)["']?[ \t]*[:=]/m;

export interface SplitDocument {
  fields: Fields;
  /** As written, from line `bodyLine` on. Lines count from 1. */
  body: string;
  bodyLine: number;
}

/** Where the frontmatter is in a text with `\n` line ends. Lines count from 0. */
export interface Fences {
  language: 'yaml' | 'toml';
  open: number;
  close: number;
}

export type SplitResult = { ok: true; document: SplitDocument } | { ok: false; problems: Problem[] };

/** `content` has `\n` line ends and no byte order mark. */
export function splitFrontmatter(content: string): SplitResult {
  const lines = content.split('\n');
  const fences = findFences(lines);
  if (fences === null) return { ok: true, document: { fields: new Map(), body: content, bodyLine: 1 } };
  if ('problem' in fences) return { ok: false, problems: [fences.problem] };

  const raw = lines.slice(fences.open + 1, fences.close).join('\n');
  const body = lines.slice(fences.close + 1).join('\n');
  if (raw.length > MAX_LENGTH) {
    const message = `The frontmatter is larger than ${MAX_LENGTH / 1024} KiB; move text into the body.`;
    return { ok: false, problems: [{ path: 'frontmatter', message, line: fences.open + 1, column: 1 }] };
  }
  const result = readWithGrayMatter(raw, body, fences);
  if (result.kind === 'problems') {
    // A thematic break on the first line is not a fence, whatever follows the next one.
    if (!looksLikeFields(raw)) return { ok: true, document: { fields: new Map(), body: content, bodyLine: 1 } };
    return { ok: false, problems: result.problems };
  }
  if (result.kind === 'other') {
    if (/^[ \t]*(?:\n|$)/.test(raw)) return { ok: true, document: { fields: new Map(), body: content, bodyLine: 1 } };
    const message = 'The frontmatter is not a list of "key: value" lines.';
    return { ok: false, problems: [{ path: 'frontmatter', message, line: fences.open + 2, column: 1 }] };
  }
  return { ok: true, document: { fields: result.fields, body, bodyLine: fences.close + 2 } };
}

/** The fences, null if the document has none, or the reason why its frontmatter is refused. */
export function findFences(lines: string[]): Fences | null | { problem: Problem } {
  const open = lines.findIndex((line) => line.trim() !== '');
  const first = lines[open];
  if (first === undefined) return null;
  const fence = /^ {0,3}(---|\+\+\+)[ \t]*([A-Za-z][\w.+-]*)?[ \t]*$/.exec(first);
  if (fence === null) return null;
  const isToml = fence[1] === '+++';
  const closer = isToml ? /^\+\+\+[ \t]*$/ : /^(?:---|\.\.\.)[ \t]*$/;
  const close = lines.findIndex((line, index) => index > open && closer.test(line));
  const named = fence[2]?.toLowerCase();
  const place = { line: open + 1, column: 1 };
  if (named !== undefined && !['yaml', 'yml', 'toml'].includes(named)) {
    if (close === -1) return null;
    const message = `Frontmatter in "${named}" is not read; write YAML between --- or TOML between +++.`;
    return { problem: { path: 'frontmatter', message, ...place } };
  }
  if (close === -1) {
    const rest = lines.slice(open + 1).join('\n');
    if (!/^["']?[\w-]+["']?[ \t]*[:=]/.test(rest) && !FIELD_LINE.test(rest.slice(0, MAX_LENGTH))) return null;
    const message = `The frontmatter that begins on line ${open + 1} is never closed; end it with a line of ${fence[1]}.`;
    return { problem: { path: 'frontmatter', message, ...place } };
  }
  return { language: isToml || named === 'toml' ? 'toml' : 'yaml', open, close };
}

function looksLikeFields(raw: string): boolean {
  return !/^[ \t]*(?:\n|$)/.test(raw) || FIELD_LINE.test(raw);
}

/**
 * Options are always given, because without them gray-matter caches every document and answers `{}` the second time
 * one is refused. All of its engines are replaced; those that evaluate code are replaced by one that refuses.
 */
function readWithGrayMatter(raw: string, body: string, fences: Fences): FieldsResult {
  let result: FieldsResult = { kind: 'fields', fields: new Map() };
  const firstLine = fences.open + 2;
  const capture = (read: typeof readYamlFields) => (source: string) => {
    result = read(source.replace(/^\n/, ''), firstLine);
    return {};
  };
  const refuse = (): object => {
    throw new Error('Frontmatter is data: no engine that evaluates code is installed.');
  };
  const fence = fences.language === 'toml' ? '+++' : '---';
  matter(`${fence}\n${raw}\n${fence}\n${body}`, {
    language: fences.language,
    delimiters: [fence, `${fence}\n`],
    engines: {
      yaml: capture(readYamlFields),
      toml: capture(readTomlFields),
      json: refuse,
      javascript: refuse,
      js: refuse,
      coffee: refuse,
    },
  });
  return result;
}
