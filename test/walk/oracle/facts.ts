/** Collects the data of the oracle: the posts at the sandbox, and the database rows. */
import type { DestinationKey } from '../../../article/types.ts';
import { nextStep } from '../../../delivery/next-step.ts';
import { TIMEOUTS } from '../../../delivery/timeouts.ts';
import type { Platform } from '../../../destinations/types.ts';
import { loadDelivery } from '../../../store/deliveries/situation.ts';
import { findQuickDestination, QUICK_TIMEOUTS } from '../quick-destinations.ts';
import type { SandboxLogEntry, SandboxPost, WalkWorld } from '../world.ts';

export type Facts = Awaited<ReturnType<typeof gatherFacts>>;

/** Call it when all work has ended. `handMade` contains the posts before the walk. */
export async function gatherFacts(world: WalkWorld, handMade: readonly SandboxPost[]) {
  const { db, author } = world.api;
  const [articles, accounts, connections, notifications] = await Promise.all([
    db.selectFrom('articles').selectAll().where('authorId', '=', author.id).execute(),
    db.selectFrom('accounts').selectAll().where('userId', '=', author.id).execute(),
    db.selectFrom('connections').selectAll().where('userId', '=', author.id).execute(),
    db.selectFrom('notifications').selectAll().where('userId', '=', author.id).orderBy('number').execute(),
  ]);
  const ids = articles.map(({ id }) => id);
  const states = await db.selectFrom('deliveryStates').selectAll().where('authorId', '=', author.id).execute();
  const deliveries = states.flatMap(({ deliveryId: id, ...row }) => (id === null ? [] : [{ id, ...row }]));
  const deliveryIds = deliveries.map(({ id }) => id);
  const [attempts, copies] = await Promise.all([
    db.selectFrom('deliveryAttempts').selectAll().where('deliveryId', 'in', deliveryIds).orderBy('startedAt').execute(),
    db.selectFrom('copies').selectAll().where('articleId', 'in', ids).execute(),
  ]);
  const due = [];
  for (const { id, articleId, destination, dueAt, accountId } of deliveries) {
    const why = await findDue(world, { articleId, destination });
    const dispatchedAt = articles.find((candidate) => candidate.id === articleId)?.dispatchedAt ?? new Date(0);
    const connectedAt = accounts.find((candidate) => candidate.id === accountId)?.connectedAt ?? new Date(0);
    // After another account is connected, articles are due only when they are published again.
    if (why !== null && (dueAt !== null || dispatchedAt > connectedAt)) due.push({ deliveryId: id, why });
  }
  return {
    ...{ articles, accounts, connections, notifications, deliveries, attempts, copies, due, handMade },
    identities: world.identities,
    credentials: world.credentials,
    baseUrl: world.baseUrl,
    wasRestored: world.restores.length > 0,
    lost: world.lost,
    uncompared: world.uncompared,
    posts: await world.posts(),
    log: (await world.log()) satisfies SandboxLogEntry[],
  };
}

/** Returns the next step of a delivery by the rules of the product; null if nothing is due. */
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
