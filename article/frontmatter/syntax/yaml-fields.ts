/** Reads YAML frontmatter: YAML 1.2 core, unique keys, limited depth and aliases. */
import { isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import { isStackOverflow } from '../../errors.ts';
import type { Problem } from '../../types.ts';
import type { Fields, Place } from '../field-node.ts';
import { indentContinuations } from './indent-continuations.ts';
import { walkYaml } from './walk-yaml.ts';

/** Far more than frontmatter needs, and far less than the parser's stack allows. */
const MAX_DEPTH = 60;

export type FieldsResult =
  | { kind: 'fields'; fields: Fields }
  | { kind: 'other' }
  | { kind: 'problems'; problems: Problem[] };

/** `source` begins on line `firstLine`. `other` means a text or a list, not a mapping. */
export function readYamlFields(source: string, firstLine: number): FieldsResult {
  const tooDeep = 'The frontmatter is nested too deeply to be read.';
  const refuse = (message: string): FieldsResult => ({
    kind: 'problems',
    problems: [{ path: 'frontmatter', message, line: firstLine, column: 1 }],
  });
  if (measureBracketDepth(source) > MAX_DEPTH) return refuse(tooDeep);
  try {
    const { doc, locate } = parseYaml(source, firstLine);
    if (doc.errors.length > 0) {
      const problems = doc.errors.slice(0, 20).map((error) => ({
        path: 'frontmatter',
        message: `The YAML cannot be read: ${endSentence(error.message)}${findYamlHint(error.code)}`,
        ...locate(Math.min(error.pos[0], source.length)),
      }));
      return { kind: 'problems', problems };
    }
    const root = doc.contents;
    if (root === null || (isScalar(root) && root.value === null)) return { kind: 'fields', fields: new Map() };
    if (!isMap(root)) return { kind: 'other' };
    const walked = walkYaml(root, locate, MAX_DEPTH);
    if (walked.problems.length > 0) return { kind: 'problems', problems: walked.problems };
    return { kind: 'fields', fields: walked.fields };
  } catch (error) {
    if (isStackOverflow(error)) return refuse(tooDeep);
    throw error;
  }
}

interface ParsedYaml {
  doc: ReturnType<typeof parseDocument>;
  locate: (offset: number) => Place;
}

function parseYaml(source: string, firstLine: number): ParsedYaml {
  const parsed = parseLines(source, firstLine, []);
  if (parsed.doc.errors.length === 0) return parsed;
  const indented = indentContinuations(source);
  if (indented === null) return parsed;
  const reparsed = parseLines(indented.source, firstLine, indented.added);
  return reparsed.doc.errors.length === 0 ? reparsed : parsed;
}

/** `added` is the number of blanks added to each line, which are subtracted from its columns. */
function parseLines(source: string, firstLine: number, added: number[]): ParsedYaml {
  const lineCounter = new LineCounter();
  const doc = parseDocument(source, {
    version: '1.2',
    schema: 'core',
    // Checked later in linear time; the library compares every key with every other.
    uniqueKeys: false,
    merge: false,
    prettyErrors: false,
    strict: true,
    logLevel: 'silent',
    lineCounter,
  });
  const locate = (offset: number): Place => {
    const { line, col } = lineCounter.linePos(offset);
    return { line: line + firstLine - 1, column: Math.max(1, col - (added[line - 1] ?? 0)) };
  };
  return { doc, locate };
}

/** The deepest nesting of brackets, quotes ignored: a cheap limit that protects the parser. */
function measureBracketDepth(source: string): number {
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < source.length; i += 1) {
    const code = source.charCodeAt(i);
    if (code === 0x5b || code === 0x7b) deepest = Math.max(deepest, ++depth);
    else if ((code === 0x5d || code === 0x7d) && depth > 0) depth -= 1;
  }
  return deepest;
}

function endSentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

function findYamlHint(code: string): string {
  if (code === 'BLOCK_AS_IMPLICIT_KEY' || code === 'MULTILINE_IMPLICIT_KEY') {
    return ' Put a value that contains ": " in quotes.';
  }
  if (code === 'TAB_AS_INDENT') return ' Indent with spaces.';
  return code === 'BAD_SCALAR_START' ? ' Put the value in quotes.' : '';
}
