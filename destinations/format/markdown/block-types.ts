/** Types of the blocks that the scanner finds in Markdown, by positions in the source. */
import type { Span } from '../../../article/dialects/spans.ts';

export type { Span };

/** Spans of lines exclude the marks of lists and quotes before them, and line endings. */
export type Block =
  | { kind: 'paragraph'; lines: Span[]; depth: number }
  | { kind: 'heading'; level: number; lines: Span[]; start: number; end: number; depth: number }
  | { kind: 'table'; cells: Span[] }
  | { kind: 'html' | 'indented'; lines: Span[] }
  | { kind: 'rule'; start: number; end: number }
  | FenceBlock
  | FootnoteBlock;

export interface FenceBlock {
  kind: 'fence';
  /** The run of backticks or tildes that opens it. */
  open: Span;
  info: Span;
  lines: Span[];
  /** The run that closes it. Null if the document or its container ends first. */
  close: Span | null;
  /** The text before a line inside, needed to add a closing line. */
  prefix: string;
  /** End of its last line. */
  end: number;
}

/** A definition. The blocks inside of it follow it in the list. */
export interface FootnoteBlock {
  kind: 'footnote';
  label: string;
  start: number;
  contentStart: number;
  end: number;
}
