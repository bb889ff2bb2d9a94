/**
 * Checks whether a destination accepts its credential. All articles checked within some minutes
 * share one probe. Retries a busy or unavailable destination before it reports a finding.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import type { Outcome, Platform, ProbedAccount } from '../../destinations/types.ts';
import {
  type CredentialFinding,
  claimCheck,
  releaseCheck,
  saveCheck,
} from '../../store/connections/credential-checks.ts';
import type { OpenedConnection } from '../../store/connections/credentials.ts';
import type { ActivityDeps } from '../deps.ts';

/** Probes of a busy destination. With pauses and time-outs they stay below the lease. */
const MAX_PROBES = 3;
const MAX_PAUSE_MS = 20_000;

/** `gone`: the connection was deleted or has another credential. */
export async function checkCredential(
  deps: ActivityDeps,
  connection: OpenedConnection,
  pauseMs: number,
): Promise<CredentialFinding | 'gone'> {
  const key = { connectionId: connection.id, version: connection.version };
  for (;;) {
    const claim = await claimCheck(deps.db, key);
    if (claim.kind === 'gone') return 'gone';
    if (claim.kind === 'known') return claim.finding;
    if (claim.kind === 'claimed') break;
    await pause(Math.min(1_000, pauseMs) * (0.75 + Math.random() / 2));
  }
  try {
    const finding = readFinding(await probeUntilSure(deps, connection, pauseMs));
    return (await saveCheck(deps.db, key, finding)) ? finding : 'gone';
  } catch (error) {
    await releaseCheck(deps.db, key);
    throw error;
  }
}

/** Probes a refused key twice: a new one may need a moment. Retries temporary failures. */
async function probeUntilSure(
  deps: ActivityDeps,
  connection: OpenedConnection,
  pauseMs: number,
): Promise<Outcome<ProbedAccount>> {
  let refused = 0;
  for (let probes = 1; ; probes++) {
    const outcome = await probe(deps, connection);
    if (outcome.kind === 'unauthorised') refused += 1;
    const isSure = isFinal(outcome) || refused === 2;
    // A single refusal among temporary failures is no proof, so it gets one more probe.
    if (isSure || probes >= (refused === 1 ? MAX_PROBES + 1 : MAX_PROBES)) return outcome;
    const retryAfterMs = outcome.kind === 'rateLimited' ? (outcome.retryAfterMs ?? 0) : 0;
    await pause(Math.min(MAX_PAUSE_MS, Math.max(retryAfterMs, pauseMs * probes)));
  }
}

function isFinal({ kind }: Outcome<ProbedAccount>): boolean {
  return kind === 'done' || kind === 'drifted' || kind === 'rejected';
}

function readFinding(outcome: Outcome<ProbedAccount>): CredentialFinding {
  if (outcome.kind === 'done' || outcome.kind === 'drifted') return null;
  const { reason } = outcome;
  if (outcome.kind === 'rejected') return { code: outcome.code, reason };
  // A probe changes nothing, so one of unknown outcome is a failed one.
  const codes = {
    rateLimited: 'rate_limited',
    unauthorised: 'unauthorised',
    unavailable: 'unavailable',
    unknown: 'unavailable',
  } as const;
  return { code: codes[outcome.kind], reason };
}

async function probe(deps: ActivityDeps, connection: OpenedConnection): Promise<Outcome<ProbedAccount>> {
  const adapter = deps.findDestination(connection.platform as Platform);
  if (!adapter)
    return { kind: 'rejected', code: 'platform_unsupported', reason: 'This version has no adapter for its platform.' };
  const { httpTimeoutMs: timeoutMs, now, allowPrivate } = deps;
  return adapter.createClient({ connection, timeoutMs, now, allowPrivate }).probe();
}

function pause(ms: number): Promise<void> {
  return sleep(ms, undefined, { signal: Context.current().cancellationSignal });
}
