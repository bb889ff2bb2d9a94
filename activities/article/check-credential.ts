/**
 * Finds out whether a destination accepts its credential, with as few requests as that takes: a probe is shared by all articles that ask
 * within some minutes, and a destination that is busy or away is asked again before anything is said of it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import type { Outcome, Platform, ProbedAccount } from '../../destinations/types.ts';
import { claimCheck, type Finding, keepCheck, releaseCheck } from '../../store/connections/credential-checks.ts';
import type { OpenedConnection } from '../../store/connections/credentials.ts';
import type { ActivityDeps } from '../deps.ts';

/** A busy or absent destination is asked so often, with growing pauses; together with the time-outs they stay below the lease. */
const TRIES = 3;
const LONGEST_PAUSE_MS = 20_000;

/** `gone`: the connection is, or has another credential by now. */
export async function checkCredential(
  deps: ActivityDeps,
  connection: OpenedConnection,
  pauseMs: number,
): Promise<Finding | 'gone'> {
  const key = { connectionId: connection.id, version: connection.version };
  for (;;) {
    const claim = await claimCheck(deps.db, key);
    if (claim.kind === 'gone') return 'gone';
    if (claim.kind === 'known') return claim.finding;
    if (claim.kind === 'mine') break;
    await pause(Math.min(1_000, pauseMs) * (0.75 + Math.random() / 2));
  }
  try {
    const finding = readFinding(await probeUntilSure(deps, connection, pauseMs));
    return (await keepCheck(deps.db, key, finding)) ? finding : 'gone';
  } catch (error) {
    await releaseCheck(deps.db, key);
    throw error;
  }
}

/** A refused key is tried once more, since platforms need a moment before they accept a new one; what may pass by itself is, too. */
async function probeUntilSure(
  deps: ActivityDeps,
  connection: OpenedConnection,
  pauseMs: number,
): Promise<Outcome<ProbedAccount>> {
  let refused = 0;
  for (let tries = 1; ; tries++) {
    const outcome = await probe(deps, connection);
    if (outcome.kind === 'unauthorised') refused += 1;
    const isSure = isFinal(outcome) || refused === 2;
    // One refusal, between answers that say nothing, proves nothing either.
    if (isSure || tries >= (refused === 1 ? TRIES + 1 : TRIES)) return outcome;
    const asked = outcome.kind === 'rateLimited' ? (outcome.retryAfterMs ?? 0) : 0;
    await pause(Math.min(LONGEST_PAUSE_MS, Math.max(asked, pauseMs * tries)));
  }
}

function isFinal({ kind }: Outcome<ProbedAccount>): boolean {
  return kind === 'done' || kind === 'drifted' || kind === 'rejected';
}

function readFinding(outcome: Outcome<ProbedAccount>): Finding {
  if (outcome.kind === 'done' || outcome.kind === 'drifted') return null;
  const code = outcome.kind === 'rejected' ? outcome.code : outcome.kind;
  return { code, reason: outcome.reason };
}

async function probe(deps: ActivityDeps, connection: OpenedConnection): Promise<Outcome<ProbedAccount>> {
  const adapter = deps.findDestination(connection.platform as Platform);
  if (!adapter) return { kind: 'rejected', code: 'platform_unsupported', reason: 'There is no adapter for it here.' };
  const { httpTimeoutMs: timeoutMs, now, allowPrivate } = deps;
  return adapter.createClient({ connection, timeoutMs, now, allowPrivate }).probe();
}

function pause(ms: number): Promise<void> {
  return sleep(ms, undefined, { signal: Context.current().cancellationSignal });
}
