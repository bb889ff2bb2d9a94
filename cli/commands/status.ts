/** `courant status <file|slug>`: prints an article and its deliveries. Requires a session. */
import { stat } from 'node:fs/promises';
import type { CliContext } from '../context.ts';
import { createFailure, readSystemCode } from '../failure.ts';
import { isRecord, readText } from '../server/json.ts';
import { openSession, type RunGraphql } from '../server/session.ts';
import { formatLocalTime } from '../terminal/local-time.ts';
import { formatJsonLine, type Terminal } from '../terminal/output.ts';
import { fetchOwnArticle, type OwnArticle, showDeliveries } from './deliveries.ts';

export interface StatusFlags {
  endpoint?: string;
  json?: true;
}

export async function status(name: string, flags: StatusFlags, context: CliContext): Promise<void> {
  const { terminal } = context;
  const key = await readSearchKey(name);
  const runGraphql = await openSession(flags.endpoint, 'The status of an article', context);
  const article = await findArticle(key, runGraphql);
  if (article === null) {
    throw createFailure(`You have no article ${describe(key)}.`, {
      hints: ['Publish it first. If its title has changed since, use its slug.'],
    });
  }
  if (flags.json) terminal.out(formatJsonLine({ ...article }));
  else show(article, terminal);
}

/** The search key. If both are known, the slug decides. */
interface SearchKey {
  slug: string | null;
  title: string | null;
}

async function readSearchKey(name: string): Promise<SearchKey> {
  // A slug has no such ending; reading the file reports a wrong path.
  const hasMarkdownEnding = /\.(?:md|mdx|markdown)$/i.test(name);
  if (!hasMarkdownEnding && !(await isFile(name)))
    return { slug: name.split('/').findLast((part) => part !== '') ?? name, title: null };
  // Reading a document loads most of the program, which a slug does not need.
  const { prepareDocument } = await import('../document/prepare-document.ts');
  const { draft } = await prepareDocument(name, {}, new Date());
  return { slug: draft.slug, title: draft.title };
}

async function isFile(name: string): Promise<boolean> {
  try {
    return (await stat(name)).isFile();
  } catch (error) {
    if (readSystemCode(error) === undefined) throw error;
    return false;
  }
}

const ARTICLES_QUERY = `query ($search: String, $after: String) { articles(first: 100, search: $search, after: $after) {
  edges { node { id slug title } } pageInfo { hasNextPage endCursor } } }`;

/** Searches first. Falls back to the full list, for example after a changed title. */
async function findArticle(key: SearchKey, runGraphql: RunGraphql): Promise<OwnArticle | null> {
  const words = key.title ?? key.slug?.replaceAll('-', ' ') ?? '';
  const id =
    (await findInList(key, words.slice(0, MAX_SEARCH_CHARACTERS), runGraphql)) ??
    (await findInList(key, null, runGraphql));
  return id === null ? null : fetchOwnArticle(runGraphql, id);
}

/** Limit of the server. */
const MAX_SEARCH_CHARACTERS = 200;

async function findInList(
  { slug, title }: SearchKey,
  search: string | null,
  runGraphql: RunGraphql,
): Promise<string | null> {
  for (let after: string | undefined; ; ) {
    const { articles } = await runGraphql(ARTICLES_QUERY, { ...(search !== null && { search }), after });
    const { edges, pageInfo } = isRecord(articles) ? articles : {};
    const nodes = (Array.isArray(edges) ? edges : []).map((edge) =>
      isRecord(edge) && isRecord(edge.node) ? edge.node : {},
    );
    const match = nodes.find((node) => (slug === null ? node.title === title : node.slug === slug));
    if (match !== undefined) return readText(match.id) ?? null;
    after = isRecord(pageInfo) && pageInfo.hasNextPage === true ? readText(pageInfo.endCursor) : undefined;
    if (after === undefined) return null;
  }
}

function describe({ slug, title }: SearchKey): string {
  return slug === null ? `with the title "${title}"` : `with the slug "${slug}"`;
}

function show(article: OwnArticle, terminal: Terminal): void {
  const { out, outPaint: paint } = terminal;
  out(`${paint.bold(article.title)}  ${paint.plain(article.status)}  ${paint.plain(article.url)}`);
  if (article.scheduledAt !== null)
    out(`  ${paint.dim('goes public at')} ${paint.plain(formatLocalTime(article.scheduledAt))}`);
  if (article.deliveries.length === 0) out(`  ${paint.dim('no deliveries')}`);
  else showDeliveries(article.deliveries, terminal);
}
