/** Makes links and images of a body absolute by editing the source. All other bytes stay. */
import type { Definition, Html, Image, Link, Nodes, Root } from 'mdast';
import type { Notice } from '../../types.ts';
import { walkTree } from '../../walk-tree.ts';
import { applyTextEdits, type TextEdit } from '../edits.ts';
import { findHtmlAddresses } from '../html/html-addresses.ts';
import { getLinkDestination } from '../parse-markdown.ts';
import { type AddressBases, isLocalFile, isTemplate, resolveAddress } from './resolve-address.ts';

export interface AbsoluteLinks {
  edits: TextEdit[];
  warnings: Notice[];
}

const MAX_WARNINGS = 20;
const MAX_SHOWN_LENGTH = 200;

/**
 * Changes the addresses in `tree`, the parsed `body`, and returns edits for `body`, which begins at
 * line `bodyLine`. Warns of relative addresses and local files.
 */
export function makeLinksAbsolute(tree: Root, body: string, bases: AddressBases, bodyLine: number): AbsoluteLinks {
  const edits: TextEdit[] = [];
  const relative: RelativeAddress[] = [];
  /** Alternative texts of pictures, by the identifier of their definition. */
  const referenced = new Map<string, string>();
  const defined = new Set<string>();
  const isUnreachable = (address: string) =>
    isLocalFile(address) || resolveAddress(address, bases).kind === 'unresolved';

  const resolveNode = (node: Link | Image | Definition): void => {
    const resolved = resolveAddress(node.url, bases);
    // Of several definitions with one identifier, Markdown uses the first.
    const isUsed = node.type !== 'definition' || !defined.has(node.identifier);
    if (node.type === 'definition') defined.add(node.identifier);
    if (isUsed && isUnreachable(node.url) && node.position !== undefined) {
      const line = node.position.start.line;
      if (node.type === 'definition') relative.push({ address: node.url, line, definition: node.identifier });
      else relative.push({ address: node.url, line, picture: node.type === 'image' ? (node.alt ?? '') : null });
    }
    if (resolved.kind !== 'absolute') return;
    const destination = getLinkDestination(node);
    node.url = encodeMarks(resolved.url);
    if (destination !== undefined) edits.push({ ...destination, text: escapeDestination(node.url) });
  };

  const resolveHtml = (node: Html): void => {
    const start = node.position?.start;
    const end = node.position?.end.offset;
    if (start?.offset === undefined || end === undefined) return;
    const { offset, line } = start;
    // In quotations and lists, source lines begin with markers that `node.value` lacks, so both are
    // read.
    const source = body.slice(offset, end);
    edits.push(
      ...findHtmlEdits(source, bases).map((edit) => ({ ...edit, start: offset + edit.start, end: offset + edit.end })),
    );
    for (const { start: from, value, of } of findHtmlAddresses(source)) {
      if (!isUnreachable(value)) continue;
      const at = line + source.slice(0, from).split('\n').length - 1;
      relative.push({ address: value, line: at, picture: PICTURE_ATTRIBUTES.has(of) ? '' : null });
    }
    node.value = applyTextEdits(node.value, findHtmlEdits(node.value, bases));
  };

  walkTree<Nodes>(tree, (node) => {
    if (node.type === 'link' || node.type === 'image' || node.type === 'definition') resolveNode(node);
    else if (node.type === 'imageReference') referenced.set(node.identifier, node.alt ?? '');
    else if (node.type === 'html') resolveHtml(node);
    return undefined;
  });
  return { edits, warnings: buildWarnings(relative, referenced, bodyLine) };
}

/** Escapes parentheses and angle brackets, which would end a destination. */
function encodeMarks(url: string): string {
  return url.replace(/[()<>\\]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Writes a URL so that Markdown reads the same one: `&copy;` would become a character. */
export function escapeDestination(url: string): string {
  return url.replace(/&(?=#?\w+;)/g, '&amp;');
}

function findHtmlEdits(html: string, bases: AddressBases): TextEdit[] {
  return findHtmlAddresses(html).flatMap(({ start, end, value, isBare }): TextEdit[] => {
    const resolved = resolveAddress(value, bases);
    if (resolved.kind !== 'absolute') return [];
    const text = escapeAttribute(resolved.url);
    return [{ start, end, text: isBare ? `"${text}"` : text }];
  });
}

export function escapeAttribute(url: string): string {
  return url
    .replace(/"/g, '%22')
    .replace(/'/g, '%27')
    .replace(/[<>]/g, (mark) => (mark === '<' ? '%3C' : '%3E'));
}

const PICTURE_ATTRIBUTES = new Set(['img src', 'img srcset', 'source srcset', 'video poster']);

type RelativeAddress = {
  address: string;
  /** Line of the body, from 1. */
  line: number;
} & (
  | {
      /** The alternative text of a picture, which may be empty; null for a link. */
      picture: string | null;
    }
  | {
      /** Identifier of the definition. Pictures and links can refer to it. */
      definition: string;
    }
);

function buildWarnings(relative: RelativeAddress[], referenced: Map<string, string>, bodyLine: number): Notice[] {
  const distinct = [...new Map(relative.map((found) => [`${found.line} ${found.address}`, found])).values()];
  const pictures: Notice[] = [];
  const links: Notice[] = [];
  for (const found of distinct) {
    const { address } = found;
    const picture = 'definition' in found ? referenced.get(found.definition) : found.picture;
    const line = found.line + bodyLine - 1;
    if (typeof picture === 'string') {
      const effect =
        picture === '' ? 'Readers see a broken picture.' : `Readers see its text "${picture.slice(0, 80)}" instead.`;
      pictures.push({ ...describeUnreachablePicture(address, effect), line });
    } else if (!isLocalFile(address)) {
      const message = `"${address.slice(0, MAX_SHOWN_LENGTH)}" is relative and stays relative. Set base_url or canonical_url, or write the full address.`;
      links.push({ code: 'relative_link', message, path: 'content', line });
    }
  }
  return [
    ...limitNotices(pictures, (count) => `${count} more pictures will not load.`),
    ...limitNotices(links, (count) => `${count} more links are relative and stay relative.`),
  ];
}

/** Warns of a picture that browsers cannot load. `effect` is a sentence: what readers see. */
export function describeUnreachablePicture(address: string, effect: string): Notice {
  const reason = isTemplate(address)
    ? 'its address contains a template placeholder, which Courant does not replace'
    : 'readers cannot reach a local path';
  const advice =
    isTemplate(address) || isLocalFile(address)
      ? 'Write its full address.'
      : 'Set base_url or canonical_url in the frontmatter, or write its full address.';
  const message = `Picture "${address.slice(0, MAX_SHOWN_LENGTH)}" will not load: ${reason}. ${effect} ${advice}`;
  return { code: 'picture_unreachable', path: 'content', message };
}

/** More would hide the other warnings, so the rest is counted. */
function limitNotices(notices: Notice[], describeMore: (count: number) => string): Notice[] {
  const [shown, [first, ...rest]] = [notices.slice(0, MAX_WARNINGS), notices.slice(MAX_WARNINGS)];
  if (first === undefined) return shown;
  return [...shown, { code: first.code, message: describeMore(rest.length + 1), path: 'content' }];
}
