/** Parses Markdown (CommonMark, GFM, other dialects). Records the positions of destinations. */
import './edit-events.ts';
import type { Nodes, Root } from 'mdast';
import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly';
import type { Extension } from 'micromark-util-types';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { type Processor, unified } from 'unified';
import { parseDialects } from '../dialects/parse-dialects.ts';
import type { ArticleDraft } from '../types.ts';
import { END_HTML_BLOCKS, parseWithin } from './html/html-blocks.ts';

/** Offsets of a destination in the source, without the angle brackets that may surround it. */
export interface Destination {
  start: number;
  end: number;
}

/**
 * Constructs of GFM by micromark's names, with the text that each requires. The parser tries e-mail
 * addresses at every letter and tables at every line, which takes two fifths of its time
 * (docs/internals/documents.md). Without the text, the construct cannot match, so the tree is the
 * same.
 */
const REQUIRED_TEXTS = { emailAutolink: /@/, table: /\||:-|-:/, wwwAutolink: /www\./i };

/** By disabled constructs. */
const parsers = new Map<string, Processor<Root>>();

function provideParser(body: string): Processor<Root> {
  const disabled = Object.entries(REQUIRED_TEXTS).flatMap(([name, text]) => (text.test(body) ? [] : [name]));
  const known = parsers.get(disabled.join());
  if (known) return known;
  const parser = unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(extendSyntax, [cjkFriendlyExtension(), END_HTML_BLOCKS, { disable: { null: disabled } }])
    .use(preserveDestinations)
    .freeze();
  parsers.set(disabled.join(), parser);
  return parser;
}

export function parseMarkdown(body: string): Root {
  return parseDialects(body, parseGfm);
}

/** Without other dialects: their marks stay text. */
export function parseGfm(body: string): Root {
  return parseWithin(body, () => provideParser(body).parse(body));
}

/** The position of the destination of a link, image or definition, if the source has one. */
export function getLinkDestination(node: Nodes): Destination | undefined {
  return (node.data as { destination?: Destination } | undefined)?.destination;
}

interface DestinationToken {
  start: { offset: number };
  end: { offset: number };
}

interface CompileContext {
  stack: { url?: string; data?: object }[];
  resume(): string;
}

/**
 * Adds extensions of micromark. The one for CJK is for emphasis beside its punctuation, which
 * CommonMark decides by blanks that CJK does not write.
 */
export function extendSyntax(this: Processor, extensions: readonly Extension[]): void {
  const data = this.data() as { micromarkExtensions?: Extension[] };
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), ...extensions];
}

/** Records positions of destinations, which the parser drops, to edit links in place. */
export function preserveDestinations(this: Processor): void {
  const data = this.data() as { fromMarkdownExtensions?: object[] };
  const exit = function (this: CompileContext, token: DestinationToken): void {
    const url = this.resume();
    const node = this.stack.at(-1);
    if (node === undefined) return;
    node.url = url;
    node.data = { ...node.data, destination: { start: token.start.offset, end: token.end.offset } };
  };
  data.fromMarkdownExtensions ??= [];
  data.fromMarkdownExtensions.push({
    exit: { resourceDestinationString: exit, definitionDestinationString: exit },
  });
}

const trees = new WeakMap<ArticleDraft, { body: string; tree: Root }>();

export function rememberTree(draft: ArticleDraft, tree: Root): void {
  trees.set(draft, { body: draft.body, tree });
}

/** Parses again if the draft is of another thread or has changed. Do not modify the tree. */
export function getTree(draft: ArticleDraft): Root {
  const known = trees.get(draft);
  return known !== undefined && known.body === draft.body ? known.tree : parseMarkdown(draft.body);
}
