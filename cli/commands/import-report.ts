/** Prints the outcome of each post of an import, as text or as one JSON object per line. */
import type { CliContext } from '../context.ts';
import type { RunGraphql } from '../server/session.ts';
import { formatJsonLine } from '../terminal/output.ts';

export interface ImportStatus {
  state: string;
  reason: string | null;
  waitsUntil: string | null;
  isListed: boolean;
  counts: Record<'listed' | 'created' | 'present' | 'refused' | 'adopted' | 'waiting', number>;
  notices: { code: string; message: string }[];
}

interface Item {
  number: number;
  title: string;
  url: string | null;
  outcome: string | null;
  code: string | null;
  reason: string | null;
  adopted: boolean;
  warnings: { code: string; message: string }[];
  article: { id: string; slug: string; status: string; url: string } | null;
}

interface ItemPage {
  items: { edges: { node: Item }[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
}

const REPORT = `query ($id: ID!, $after: String) { import(id: $id) { items(first: 100, after: $after) {
  edges { node { number title url outcome code reason adopted warnings { code message } article { id slug status url } } }
  pageInfo { hasNextPage endCursor } } } }`;

export async function* readItems(runGraphql: RunGraphql, id: string): AsyncGenerator<Item> {
  for (let after: string | null = null; ; ) {
    const page = (await runGraphql(REPORT, { id, after })).import as ItemPage | null;
    if (page === null) return;
    yield* page.items.edges.map(({ node }) => node);
    if (!page.items.pageInfo.hasNextPage) return;
    after = page.items.pageInfo.endCursor;
  }
}

export function showItem({ title, outcome, reason, adopted, article, warnings }: Item, { terminal }: CliContext): void {
  const { bold, dim, plain, yellow } = terminal.outPaint;
  const address = article === null ? '' : ` ${plain(article.url)}`;
  const facts = [reason, adopted ? 'Your next publish updates that post.' : null].filter((text) => text !== null);
  const reasons = facts.length === 0 ? '' : ` ${dim(`(${facts.join(' ')})`)}`;
  terminal.out(
    `${(outcome ?? 'waiting').toLowerCase().padEnd(8)} ${bold(title === '' ? 'Untitled' : title)}${address}${reasons}`,
  );
  for (const { message } of warnings) terminal.out(`         ${yellow('warning:')} ${plain(message)}`);
}

export function showItemJson(item: Item, { terminal }: CliContext): void {
  terminal.out(formatJsonLine({ type: 'item', ...item }));
}

export function showEndJson(
  id: string,
  { waitsUntil: _, isListed: __, ...end }: ImportStatus,
  { terminal }: CliContext,
): void {
  terminal.out(formatJsonLine({ type: 'import', id, ...end }));
}

/** `[=====     ] 12 of 24 posts`: shown while the import runs. */
export function formatImportProgress({ counts, isListed, waitsUntil }: ImportStatus, columns = 80): string {
  const { listed, waiting } = counts;
  const done = listed - waiting;
  const text = `${done} of ${listed}${isListed ? '' : ' or more'} posts`;
  const wait = waitsUntil === null ? '' : `; next request at ${waitsUntil.replace(/\.\d+Z$/, 'Z')}`;
  // Fits one line together with the spinner. The bar shrinks first, so the time is not cut off.
  const width = Math.min(MAX_BAR_COLUMNS, columns - text.length - wait.length - RESERVED_COLUMNS);
  const filled = listed === 0 ? 0 : Math.floor((done / listed) * width);
  const bar = width < 4 ? '' : `[${'='.repeat(filled).padEnd(width)}] `;
  return `${bar}${text}${wait}`;
}

/** Columns of the spinner and the brackets of the bar. */
const RESERVED_COLUMNS = 10;
const MAX_BAR_COLUMNS = 24;
