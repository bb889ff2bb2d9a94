/** Everything that the oracle compares: what stands at the sandbox, and what the ledger says of it. */
import type { DestinationKey } from '../../../article/types.ts';
import { nextStep } from '../../../delivery/next-step.ts';
import { TIMEOUTS } from '../../../delivery/timeouts.ts';
import type { Platform } from '../../../destinations/types.ts';
import { loadDelivery } from '../../../store/deliveries/situation.ts';
import { findQuickDestination, QUICK_TIMEOUTS } from '../quick-destinations.ts';
import type { SandboxLogEntry, SandboxPost, WalkWorld } from '../world.ts';

export type Facts = Awaited<ReturnType<typeof gatherFacts>>;

/** Call it once everything is quiet. `handMade`: what stood there before the walk. */
export async function gatherFacts(world: WalkWorld, handMade: readonly SandboxPost[]) {
  const { db, author } = world.api;
  const [articles, accounts, connections, notifications] = await Promise.all([
    db.selectFrom('articles').selectAll().where('authorId', '=', author.id).execute(),
    db.selectFrom('accounts').selectAll().where('userId', '=', author.id).execute(),
    db.selectFrom('connections').selectAll().where('userId', '=', author.id).execute(),
    db.selectFrom('notifications').selectAll().where('userId', '=', author.id).orderBy('number').execute(),
  ]);
  const ids = articles.map(({ id }) => id);
  const deliveries = await db.selectFrom('deliveries').selectAll().where('articleId', 'in', ids).execute();
  const rows = deliveries.map(({ id }) => id);
  const [attempts, formerPosts] = await Promise.all([
    db.selectFrom('deliveryAttempts').selectAll().where('deliveryId', 'in', rows).orderBy('number').execute(),
    db.selectFrom('formerPosts').selectAll().where('deliveryId', 'in', rows).execute(),
  ]);
  const due = [];
  for (const { id, articleId, destination } of deliveries) {
    const why = await findDue(world, { articleId, destination });
    if (why !== null) due.push({ deliveryId: id, why });
  }
  return {
    ...{ articles, accounts, connections, notifications, deliveries, attempts, formerPosts, due, handMade },
    identities: world.identities,
    credentials: world.credentials,
    baseUrl: world.baseUrl,
    wasRestored: world.restores.length > 0,
    lost: world.lost,
    posts: await world.posts(),
    log: (await world.log()) satisfies SandboxLogEntry[],
  };
}

/** What is due for a delivery by the product's own rules, although nobody is at work any more; null where nothing is. */
async function findDue(
  { api, baseUrl }: WalkWorld,
  key: { articleId: string; destination: DestinationKey },
): Promise<string | null> {
  const loaded = await loadDelivery(api.db, key, baseUrl);
  if (!loaded) return null;
  const { connection } = loaded.situation;
  const platform = connection && findQuickDestination(connection.platform as Platform);
  const step = nextStep(loaded.situation, platform, {
    ...TIMEOUTS,
    httpMs: QUICK_TIMEOUTS.httpTimeoutMs,
    lateArrivalMs: QUICK_TIMEOUTS.lateArrivalMs,
  });
  return step.kind === 'rest' ? null : step.kind;
}
