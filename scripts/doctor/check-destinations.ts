/**
 * Checks whether this machine reaches the connected sites. Requests their first page without
 * credentials.
 */
import pLimit from 'p-limit';
import { exchange } from '../../destinations/http/exchange.ts';
import { openDatabase } from '../../store/db/database.ts';
import type { Settings } from './check-settings.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const SUBJECT = 'destinations';
const MAX_SITES = 50;
const MAX_CONCURRENT = 8;
const TIMEOUT_MS = 5_000;
const CLOCK_LIMIT_S = 30;

export async function checkDestinations(settings: Settings): Promise<Finding[]> {
  const sites = await listSites(settings);
  if (sites.length === 0) return [ok(SUBJECT, 'No author has connected a destination yet.')];
  const limit = pLimit(MAX_CONCURRENT);
  const results = await Promise.all(sites.map((site) => limit(() => requestSite(site, settings))));
  const unreachable = results.filter((answer) => 'cause' in answer);
  const findings = unreachable.map(({ site, cause }) =>
    warn(
      SUBJECT,
      `${site} does not respond: ${cause?.replace(/\.$/, '')}.`,
      'Is it down, or does a firewall block it? Deliveries there are retried.',
    ),
  );
  if (unreachable.length === sites.length && sites.length > 1) {
    findings.unshift(
      fail(SUBJECT, 'No destination can be reached from this machine.', 'Check its DNS, network route and firewall.'),
    );
  }
  if (findings.length === 0) findings.push(ok(SUBJECT, `All ${sites.length} sites of connected destinations respond.`));
  return [...findings, ...compareClocks(results)];
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

interface SiteResult {
  site: string;
  cause?: string;
  /** The seconds that its clock is ahead of ours. */
  ahead?: number;
}

async function requestSite(site: string, { allowPrivate }: Settings): Promise<SiteResult> {
  const before = Date.now();
  const request = { method: 'HEAD', url: site, maxBytes: 65_536 } as const;
  const answer = await exchange(request, { timeoutMs: TIMEOUT_MS, addresses: { allowPrivate } });
  if (answer.kind !== 'answer' && answer.kind !== 'redirect') {
    return { site, cause: 'cause' in answer ? answer.cause : answer.kind };
  }
  const date = answer.kind === 'answer' ? Date.parse(answer.headers.date ?? '') : Number.NaN;
  return { site, ...(!Number.isNaN(date) && { ahead: (date - (before + Date.now()) / 2) / 1000 }) };
}

/** Uses the median, because the clock of one site may be wrong. */
function compareClocks(results: readonly SiteResult[]): Finding[] {
  const offsets = results.flatMap(({ ahead }) => ahead ?? []).sort((one, other) => one - other);
  const median = offsets[Math.floor(offsets.length / 2)];
  if (median === undefined || Math.abs(median) <= CLOCK_LIMIT_S) return [];
  const message = `Compared with the clocks of these sites, the clock of this machine is ${Math.abs(median).toFixed(0)} s ${median > 0 ? 'behind' : 'ahead'}.`;
  return [warn('clock', message, 'Run NTP on this machine: schedules and tokens depend on its clock.')];
}
