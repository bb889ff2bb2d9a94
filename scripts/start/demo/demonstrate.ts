/**
 * What a first start shows: the demo author, the example article published through the public endpoint, its deliveries, and what to try next.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, openDatabase } from '../../../store/db/database.ts';
import { loadSealer } from '../../../store/secrets/sealing.ts';
import type { StartSettings } from '../settings.ts';
import type { Stack } from '../stack.ts';
import { describeError } from '../start-error.ts';
import { provideDemoAuthor } from './author.ts';
import { type DemoCredentials, type DemoFile, takeDemoCredentials, writeDemoFile } from './demo-file.ts';
import { awaitDeliveries, publishArticle } from './first-publish.ts';
import { listConnectableAccounts } from './sandbox-accounts.ts';

const EXAMPLE = 'examples/first-post.md';
const DELIVERY_TIMEOUT_MS = 30_000;

export interface Demonstration {
  settings: StartSettings;
  stack: Stack;
  root: string;
  env: NodeJS.ProcessEnv;
  say: (line: string) => void;
  aborted: AbortSignal;
}

/** Provides the demo author and writes demo.json; `rewrite` writes it again when a pid has changed. */
export async function introduceAuthor(demonstration: Demonstration): Promise<{ demo: DemoFile; rewrite: () => void }> {
  const { settings, stack, env } = demonstration;
  const known = takeDemoCredentials(settings.home);
  const sandboxUrl = buildSandboxAddress(settings);
  const credentials = await withDatabase(stack.databaseUrl, async (db) => {
    const sealer = await loadSealer({ home: settings.home, key: env.COURANT_CREDENTIALS_KEY || undefined });
    return provideDemoAuthor(db, sealer, { known, sandboxUrl, now: new Date() });
  });
  const write = () => {
    const demo = describeStack(settings, stack, credentials);
    writeDemoFile(settings.home, demo);
    return demo;
  };
  return { demo: write(), rewrite: write };
}

/** Publishes the example and shows how its deliveries end. An error here is shown and stops nothing. */
export async function publishExample(demonstration: Demonstration, demo: DemoFile): Promise<void> {
  const { settings, stack, root, say, aborted } = demonstration;
  try {
    const content = readFileSync(join(root, EXAMPLE), 'utf8');
    const published = await publishArticle(settings.localApiUrl, demo.token, content, aborted);
    say(`${EXAMPLE} published (${published.action}): ${published.url}`);
    await withDatabase(stack.databaseUrl, (db) =>
      awaitDeliveries(db, published.id, { timeoutMs: DELIVERY_TIMEOUT_MS, say, aborted }),
    );
  } catch (error) {
    if (aborted.aborted) throw error;
    say(describeError(error));
  }
}

/** The closing lines of a start. */
export function describeNextSteps(demo: DemoFile, home: string, keepsMails: boolean): string {
  return [
    '',
    `  Site          ${demo.baseUrl}`,
    ...(demo.temporalUi === null ? [] : [`  Temporal UI   ${demo.temporalUi}`]),
    `  Destinations  ${demo.sandboxUrl}   (local stand-ins)`,
    ...(keepsMails ? [`  Mails         ${demo.baseUrl}/dev/mails`] : []),
    `  GraphQL       ${demo.graphqlUrl}`,
    `  Demo login    ${demo.email}   password ${demo.password}`,
    `  Second login  ${demo.second.email}   password ${demo.second.password}`,
    `  Demo token    ${demo.token}`,
    `  All of it     ${join(home, 'demo.json')}`,
    '',
    `  Try next: change ${EXAMPLE}, then`,
    `    npx courant publish ${EXAMPLE} --token ${demo.token} --endpoint ${demo.graphqlUrl}`,
    '',
    '  Ctrl-C stops everything.',
    '',
  ].join('\n');
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
    temporalUi: settings.temporalAddress === null ? `http://localhost:${settings.temporalUiPort}` : null,
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
  const db = openDatabase(url, { connections: 2, onError: () => undefined });
  try {
    return await use(db);
  } finally {
    await db.destroy();
  }
}
