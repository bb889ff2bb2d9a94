/**
 * The demonstration of a start: the demo accounts, their articles, the deliveries of the first one,
 * and the next steps.
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { listConnectableAccounts } from '../../../sandbox/connectable-accounts.ts';
import { type Database, openDatabase } from '../../../store/db/database.ts';
import { loadSealer } from '../../../store/secrets/sealing.ts';
import { buildAuthorQuery, buildQueryUrl, SAVED_QUERIES } from '../../../temporal/visibility/saved-queries.ts';
import type { StartSettings } from '../settings.ts';
import type { Stack } from '../stack.ts';
import { describeError } from '../start-error.ts';
import { provideDemoAuthor } from './author.ts';
import { openCovers, type StoreCover } from './covers.ts';
import { type DemoCredentials, type DemoFile, setAsideDemoFile, writeDemoFile } from './demo-file.ts';
import { awaitDeliveries, type Published, publishArticle } from './first-publish.ts';
import { provideContent } from './provide-content.ts';

const EXAMPLE = 'examples/first-post.md';
/** The id in its frontmatter. */
const EXAMPLE_ID = 'first-post';
const DELIVERY_TIMEOUT_MS = 30_000;

export interface Demonstration {
  settings: StartSettings;
  stack: Stack;
  root: string;
  env: NodeJS.ProcessEnv;
  print: (line: string) => void;
  aborted: AbortSignal;
}

interface FirstPublished extends Published {
  coverImage: string | undefined;
}

/**
 * Provides the accounts and articles, then writes demo.json; `rewrite` writes it again after a pid
 * changed. An error in the articles is shown and does not stop the start.
 */
export async function introduceAuthor(demonstration: Demonstration) {
  const { settings, stack, root, env, print, aborted } = demonstration;
  const { home } = settings;
  const known = setAsideDemoFile(home);
  const sandboxUrl = buildSandboxAddress(settings);
  return withDatabase(stack.databaseUrl, async (db) => {
    const sealer = await loadSealer({ home, key: env.COURANT_CREDENTIALS_KEY || undefined });
    const credentials = await provideDemoAuthor(db, sealer, { known, sandboxUrl, now: new Date() });
    const storeCover = openCovers(db, demonstration);
    const first = await showErrors(demonstration, () => publishExample(db, demonstration, credentials, storeCover));
    if (first !== null) {
      const content = { db, sealer, home, root, sandboxUrl, credentials, storeCover, first, print, aborted };
      await showErrors(demonstration, () => provideContent({ ...content, apiAddress: settings.localApiUrl }));
    }
    const rewrite = () => writeDemoFile(home, describeStack(settings, stack, credentials));
    rewrite();
    return { demo: describeStack(settings, stack, credentials), rewrite, first };
  });
}

/** Shows the outcome of the deliveries of the first article. */
export async function showDeliveries(demonstration: Demonstration, first: Published): Promise<void> {
  const { stack, print, aborted } = demonstration;
  const options = { timeoutMs: DELIVERY_TIMEOUT_MS, print, aborted };
  await showErrors(demonstration, () =>
    withDatabase(stack.databaseUrl, (db) => awaitDeliveries(db, first.id, options)),
  );
}

/**
 * Publishes it once, so that a later start does not undo what its author did with it. Returns null
 * if its author has unpublished it.
 */
async function publishExample(
  db: Database,
  { settings, root, print, aborted }: Demonstration,
  { username, token }: DemoCredentials,
  storeCover: StoreCover,
): Promise<FirstPublished | null> {
  const stored = await db
    .selectFrom('articles')
    .innerJoin('users', 'users.id', 'articles.authorId')
    .select(['articles.id', 'articles.slug', 'articles.coverImage', 'articles.status'])
    .where('users.username', '=', username)
    .where('articles.externalId', '=', EXAMPLE_ID)
    .executeTakeFirst();
  if (stored) {
    const url = `${settings.baseUrl}/${stored.slug}`;
    print(`${EXAMPLE} was published by an earlier start: ${url}`);
    if (stored.status !== 'PUBLISHED') return null;
    return { action: 'unchanged', id: stored.id, url, coverImage: stored.coverImage ?? undefined };
  }
  const content = readFileSync(join(root, EXAMPLE), 'utf8');
  const coverImage = (await storeCover(basename(EXAMPLE), username)) ?? undefined;
  const published = await publishArticle(settings.localApiUrl, token, { content, coverImage }, aborted);
  print(`${EXAMPLE} published (${published.action}): ${published.url}`);
  return { ...published, coverImage };
}

async function showErrors<T>({ print, aborted }: Demonstration, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (aborted.aborted) throw error;
    print(describeError(error));
    return null;
  }
}

/** Formats the last lines of a start. */
export function describeNextSteps(
  demo: DemoFile,
  { home, keepsMails, first }: { home: string; keepsMails: boolean; first: FirstPublished | null },
): string {
  const cover = first?.coverImage === undefined ? '' : ` --cover ${first.coverImage}`;
  return [
    '',
    `  Site          ${demo.baseUrl}`,
    `  Desk          ${demo.baseUrl}/desk`,
    `  Destinations  ${demo.sandboxUrl}   (local sandbox, with accounts to connect)`,
    ...(keepsMails ? [`  Mails         ${demo.baseUrl}/dev/mails`] : []),
    `  GraphQL       ${demo.graphqlUrl}`,
    `  Demo login    ${demo.email}   password ${demo.password}   (the operator)`,
    `  Second login  ${demo.second.email}   password ${demo.second.password}   (no destination)`,
    `  Third login   ${demo.third.email}   password ${demo.third.password}   (one destination is broken on purpose)`,
    `  Demo token    ${demo.token}`,
    `  All values    ${join(home, 'demo.json')}`,
    ...(demo.temporalUi === null ? [] : listQueries(demo.temporalUi, demo.username)),
    '',
    `  Try next: change ${EXAMPLE}, then`,
    `    npx courant publish ${EXAMPLE} --token ${demo.token} --endpoint ${demo.graphqlUrl}${cover}`,
    '',
    '  Ctrl-C stops everything.',
    '',
  ].join('\n');
}

function listQueries(temporalUi: string, username: string): string[] {
  const queries = [...SAVED_QUERIES, buildAuthorQuery(username)].map(
    ({ name, query }) => `    ${name.padEnd(12)}${buildQueryUrl(`${temporalUi}/namespaces/default`, query)}`,
  );
  return [`  Temporal UI   ${temporalUi}; deliveries by state:`, ...queries];
}

function buildSandboxAddress(settings: StartSettings): string {
  return `http://127.0.0.1:${settings.sandboxPort}`;
}

function describeStack(settings: StartSettings, stack: Stack, credentials: DemoCredentials): DemoFile {
  const pids = ['api', 'worker', 'temporal', 'postgres', 'sandbox'] as const;
  return {
    baseUrl: settings.baseUrl,
    apiUrl: settings.apiUrl,
    graphqlUrl: `${settings.baseUrl}/graphql`,
    temporalUi: settings.temporalAddress ? null : `http://localhost:${settings.temporalUiPort}`,
    temporalAddress: stack.temporalAddress,
    sandboxUrl: buildSandboxAddress(settings),
    databaseUrl: stack.databaseUrl,
    sandboxAccounts: listConnectableAccounts(buildSandboxAddress(settings)),
    ...credentials,
    pids: Object.fromEntries(pids.map((name) => [name, stack.pid(name)])) as DemoFile['pids'],
  };
}

async function withDatabase<T>(url: string, use: (db: Database) => Promise<T>): Promise<T> {
  // A running query reports a broken connection itself.
  const db = openDatabase(url, { maxConnections: 2, onError: () => undefined });
  try {
    return await use(db);
  } finally {
    await db.destroy();
  }
}
