/** `courant status <file|slug>`: prints an article and its deliveries. Requires a session. */
import { stat } from 'node:fs/promises';
import type { CliContext } from '../context.ts';
import { createFailure } from '../failure.ts';
import { isRecord, listRecords, readText } from '../server/json.ts';
import { openSession, type RunGraphql } from '../server/session.ts';
import { formatJsonLine, formatLocalTime } from '../terminal/output.ts';
import { fetchOwnArticle, showDeliveries } from './deliveries.ts';

export interface StatusFlags {
  endpoint?: string;
  json?: true;
}

export async function status(name: string, flags: StatusFlags, context: CliContext): Promise<void> {
  const { out, outPaint: paint } = context.terminal;
  const key = await readSearchKey(name);
  const runGraphql = await openSession(flags.endpoint, 'The status of an article', context);
  const id = await findArticle(key, runGraphql);
  const article = id === null ? null : await fetchOwnArticle(runGraphql, id);
  if (article === null) {
    const description = key.slug === null ? `with the title "${key.title}"` : `with the slug "${key.slug}"`;
    throw createFailure(`You have no article ${description}.`, {
      hints: ['Publish it first. If its title has changed since, use its slug.'],
    });
  }
  if (flags.json) return out(formatJsonLine({ ...article }));
  out(`${paint.bold(article.title)}  ${paint.plain(article.status)}  ${paint.plain(article.url)}`);
  if (article.scheduledAt !== null)
    out(`  ${paint.dim('goes public at')} ${paint.plain(formatLocalTime(article.scheduledAt))}`);
  if (article.deliveries.length === 0) out(`  ${paint.dim('no deliveries')}`);
  else showDeliveries(article.deliveries, context.terminal);
}

/** The search key. If both are known, the slug decides. */
interface SearchKey {
  slug: string | null;
  title: string | null;
}

async function readSearchKey(name: string): Promise<SearchKey> {
  // A slug has no such ending; reading the file reports a wrong path.
  const isFile =
    /\.(?:md|mdx|markdown)$/i.test(name) ||
    (await stat(name).then(
      (found) => found.isFile(),
      () => false,
    ));
  if (!isFile) return { slug: name.split('/').findLast((part) => part !== '') ?? name, title: null };
  // Reading a document loads most of the program, which a slug does not need.
  const { prepareDocument } = await import('../document/prepare-document.ts');
  const { draft } = await prepareDocument(name, {}, new Date());
  return { slug: draft.slug, title: draft.title };
}

const ARTICLES_QUERY = `query ($search: String, $after: String) { articles(first: 100, search: $search, after: $after) {
  edges { node { id slug title } } pageInfo { hasNextPage endCursor } } }`;
/** Limit of the server. */
const MAX_SEARCH_CHARACTERS = 200;

/** Searches first. Falls back to the full list, for example after a changed title. Returns the id. */
async function findArticle({ slug, title }: SearchKey, runGraphql: RunGraphql): Promise<string | null> {
  const words = title ?? slug?.replaceAll('-', ' ') ?? '';
  for (const search of [words.slice(0, MAX_SEARCH_CHARACTERS), undefined]) {
    let after: string | undefined;
    do {
      const { articles } = await runGraphql(ARTICLES_QUERY, { search, after });
      const { edges, pageInfo } = isRecord(articles) ? articles : {};
      const nodes = listRecords(edges).map(({ node }) => (isRecord(node) ? node : {}));
      const match = nodes.find((node) => (slug === null ? node.title === title : node.slug === slug));
      if (match !== undefined) return readText(match.id) ?? null;
      after = isRecord(pageInfo) && pageInfo.hasNextPage === true ? readText(pageInfo.endCursor) : undefined;
    } while (after !== undefined);
  }
  return null;
}
