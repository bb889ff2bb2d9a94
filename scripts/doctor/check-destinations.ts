/**
 * Checks whether this machine reaches the connected sites. Requests their first page without
 * credentials.
 */
import pLimit from 'p-limit';
import { exchange } from '../../destinations/http/exchange.ts';
import { openDatabase } from '../../store/db/database.ts';
import type { Settings } from './check-settings.ts';
import { createFindings, type Finding } from './finding.ts';

const { ok, warn, fail } = createFindings('destinations');
const MAX_SITES = 50;
const MAX_CONCURRENT = 8;
const TIMEOUT_MS = 5_000;

export async function checkDestinations(settings: Settings): Promise<Finding[]> {
  const sites = await listSites(settings);
  if (sites.length === 0) return [ok('No author has connected a destination yet.')];
  const limit = pLimit(MAX_CONCURRENT);
  const results = await Promise.all(sites.map((site) => limit(() => requestSite(site, settings))));
  const unreachable = results.filter((finding) => finding !== null);
  if (unreachable.length === 0) return [ok(`All ${sites.length} sites of connected destinations respond.`)];
  if (unreachable.length < sites.length || sites.length === 1) return unreachable;
  const message = 'No destination can be reached from this machine.';
  return [fail(message, 'Check its DNS, network route and firewall.'), ...unreachable];
}

async function listSites({ databaseDirectUrl }: Settings): Promise<string[]> {
  const db = openDatabase(databaseDirectUrl, { maxConnections: 1, onError: () => undefined });
  try {
    const rows = await db.selectFrom('connections').select('baseUrl').distinct().orderBy('baseUrl').execute();
    return [...new Set(rows.map(({ baseUrl }) => new URL(baseUrl).origin))].slice(0, MAX_SITES);
  } finally {
    await db.destroy();
  }
}

/** Returns null if the site responds, with whatever status. */
async function requestSite(site: string, { allowPrivate }: Settings): Promise<Finding | null> {
  const request = { method: 'HEAD', url: site, maxBytes: 65_536 } as const;
  const answer = await exchange(request, { timeoutMs: TIMEOUT_MS, addresses: { allowPrivate } });
  if (answer.kind === 'answer' || answer.kind === 'redirect') return null;
  const cause = 'cause' in answer ? answer.cause.replace(/\.$/, '') : answer.kind;
  const advice = 'Is it down, or does a firewall block it? Deliveries there are retried.';
  return warn(`${site} does not respond: ${cause}.`, advice);
}
