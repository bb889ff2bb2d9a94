/** Executes one step with REST, GraphQL, sandbox faults or signals. Returns a short result. */
import { setTimeout as sleep } from 'node:timers/promises';
import { loadSealer } from '../../store/secrets/sealing.ts';
import { type RestoreReport, reconcileAfterRestore } from '../../worker/restore.ts';
import { markdown } from '../support/api/api.ts';
import { type Command, type GraphqlAnswer, sendCommand } from '../support/api/graphql.ts';
import { createBackup } from '../support/database/backup.ts';
import type { Action } from './plan.ts';
import { findQuickDestination, QUICK_TIMEOUTS } from './quick-destinations.ts';
import { formatAccountKey, formatPostKey, type WalkWorld } from './world.ts';

/** The ids of the articles of a walk by number, once they exist. */
export type Articles = Map<number, string>;

export async function perform(world: WalkWorld, articles: Articles, action: Action): Promise<string> {
  switch (action.kind) {
    case 'publish':
      return publish(world, articles, action, {});
    case 'draft':
      return publish(world, articles, action, { status: 'DRAFT' });
    case 'schedule':
      return publish(world, articles, action, {
        status: 'SCHEDULED',
        scheduled_at: new Date(Date.now() + action.inMs).toISOString(),
      });
    case 'unpublish':
    case 'delete':
    case 'publishNow':
      return changeArticle(world, articles.get(action.article), action.kind);
    case 'retry':
    case 'withdraw':
      return command(world, articles.get(action.article), action.kind, action.destination);
    case 'connect':
      return describe(await world.connect(action.account));
    case 'disconnect': {
      const query = 'mutation ($destination: Destination!) { disconnectDestination(destination: $destination) }';
      return describe(await world.runGraphql(query, { destination: action.destination }));
    }
    case 'reconnect': {
      const query =
        'mutation ($destination: Destination!) { reconnectDestination(destination: $destination) { account } }';
      const answer = await world.runGraphql(query, { destination: action.destination });
      if (answer.code === undefined) {
        world.credentials.set(action.destination, (world.credentials.get(action.destination) ?? 0) + 1);
      }
      return describe(answer);
    }
    case 'fault':
      await world.addFault(action.fault);
      return 'ordered';
    case 'killWorker':
      world.worker.interrupt('SIGKILL', action.awayMs);
      return 'killed';
    case 'stopWorker':
      world.worker.interrupt('SIGTERM', action.awayMs);
      return 'asked to stop';
    case 'killTemporal':
      world.temporal.interrupt('SIGKILL', action.awayMs);
      return 'killed';
    case 'backup':
      world.backup = { at: new Date().toISOString(), ...(await createBackup(world.api.db)) };
      return 'kept';
    case 'restore':
      return restore(world, articles);
  }
}

/**
 * Follows docs/self-hosting/backup.md: stop the worker, restore the database, query the
 * destinations, start the worker. Then publishes everything again, because the database may be
 * older than the articles.
 */
async function restore(world: WalkWorld, articles: Articles): Promise<string> {
  if (!world.backup) return 'there is no backup';
  const { db, home } = world.api;
  await world.worker.ready();
  await world.worker.stopFor(async () => {
    await world.backup?.restore();
    const { reports } = await reconcileAfterRestore({
      db,
      sealer: await loadSealer({ home, key: undefined }),
      baseUrl: world.baseUrl,
      findDestination: findQuickDestination,
      allowPrivate: true,
      httpTimeoutMs: QUICK_TIMEOUTS.httpTimeoutMs,
      now: () => new Date(),
    });
    await noteUncompared(world, reports);
    world.restores.push(reports.filter(({ finding }) => finding.kind !== 'same').length);
  });
  const publicArticles = await db.selectFrom('articles').select('slug').where('status', '=', 'PUBLISHED').execute();
  for (const article of [...articles.keys()]) {
    const slug = nameArticle(article);
    if (!publicArticles.some((publicArticle) => publicArticle.slug === slug))
      world.lost.add(`${world.baseUrl}/${slug}`);
    await publish(world, articles, { article, version: 1_000 + world.restores.length }, {});
  }
  return `${world.restores.at(-1)} deliveries differed, ${world.lost.size} articles were not public in the backup`;
}

/**
 * A restore compares the articles of the backup at connected accounts, and lists some differences
 * without a change. Other changes since the backup remain unknown.
 */
async function noteUncompared(world: WalkWorld, reports: readonly RestoreReport[]): Promise<void> {
  const connected = await world.api.db
    .selectFrom('connections')
    .innerJoin('accounts', 'accounts.id', 'connections.accountId')
    .select(['connections.destination', 'connections.platform', 'accounts.identity'])
    .where('connections.userId', '=', world.api.author.id)
    .execute();
  const compared = new Set(
    connected.flatMap(({ destination, platform, identity }) =>
      [...(world.identities.get(`${platform} ${identity}`) ?? [])].map((account) =>
        formatAccountKey({ platform: destination, account }),
      ),
    ),
  );
  const articles = world.api.db.selectFrom('articles').select(['id', 'slug']).where('deletedAt', 'is', null);
  const ids = new Map((await articles.execute()).map(({ id, slug }) => [`${world.baseUrl}/${slug}`, id]));
  const listed = new Set(
    reports.flatMap(({ delivery: { articleId, destination }, finding }) =>
      ['gone', 'changed', 'another post', 'not checked'].includes(finding.kind) ? [`${articleId} ${destination}`] : [],
    ),
  );
  const hiddenAtForem = await world.api.db
    .selectFrom('copies')
    .innerJoin('accounts', 'accounts.id', 'copies.accountId')
    .select(['copies.articleId', 'accounts.destination'])
    .where('accounts.platform', '=', 'forem')
    .where('copies.presence', '=', 'hidden')
    .execute();
  // Forem's list does not state when a post was changed.
  for (const { articleId, destination } of hiddenAtForem) listed.add(`${articleId} ${destination}`);
  for (const entry of await world.log()) {
    const articleId = ids.get(entry.canonicalUrl ?? '');
    const isCompared =
      articleId !== undefined && compared.has(formatAccountKey(entry)) && !listed.has(`${articleId} ${entry.platform}`);
    if (entry.at >= (world.backup?.at ?? '') && !isCompared) world.uncompared.add(formatPostKey(entry));
  }
}

/** The first article has the slug of manually created posts at some accounts. */
function nameArticle(article: number): string {
  return article === 0 ? 'first-post' : `walk-${article}`;
}

async function publish(
  { api }: WalkWorld,
  articles: Articles,
  { article, version }: { article: number; version: number },
  fields: Record<string, unknown>,
): Promise<string> {
  const slug = nameArticle(article);
  const title = `Walk ${article} version ${version}`;
  const content = markdown({ id: slug, slug, title, cross_post: EVERYWHERE, ...fields }, `Version ${version}.\n`);
  const answer = await api.publish({ content });
  if (answer.body.data) articles.set(article, answer.body.data.id);
  return `${answer.status} ${answer.body.action ?? answer.body.code ?? ''} ${answer.body.data?.status ?? ''}`;
}

const EVERYWHERE = { blogsite_a: true, blogsite_b: true, blogsite_c: true, cms_site: true, social_feed: true };

const MUTATIONS = {
  unpublish: 'mutation ($id: ID!) { unpublishArticle(id: $id) { copies { destination } } }',
  delete: 'mutation ($id: ID!) { deleteArticle(id: $id) { copies { destination } } }',
  publishNow: 'mutation ($id: ID!) { publishArticleNow(id: $id) { status } }',
} as const;

async function changeArticle(world: WalkWorld, id: string | undefined, kind: keyof typeof MUTATIONS): Promise<string> {
  return id === undefined ? 'no such article yet' : describe(await world.runGraphql(MUTATIONS[kind], { id }));
}

async function command(
  { api }: WalkWorld,
  articleId: string | undefined,
  kind: Command,
  destination: string,
): Promise<string> {
  if (articleId === undefined) return 'no such article yet';
  return describe(await sendCommand(api, api.author.id, kind, { articleId, destination }));
}

/** A rejection is a valid result; a malformed request is a bug of the walk. */
function describe({ code, message, data }: GraphqlAnswer): string {
  if (/GRAPHQL|INTERNAL/.test(code ?? '') || (code === undefined && message !== undefined)) {
    throw new Error(`${code}: ${message}`);
  }
  return code ?? JSON.stringify(data);
}

export async function pause(milliseconds: number): Promise<void> {
  await sleep(milliseconds);
}
