/** The sites that authors connected: whether this machine reaches them. They are asked for their first page, without a credential. */
import pLimit from 'p-limit';
import { exchange } from '../../destinations/http/exchange.ts';
import { openDatabase } from '../../store/db/database.ts';
import type { Settings } from './check-settings.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const SUBJECT = 'destinations';
const MOST = 50;
const AT_ONCE = 8;
const TIMEOUT_MS = 5_000;
const CLOCK_LIMIT_S = 30;

export async function checkDestinations(settings: Settings): Promise<Finding[]> {
  const sites = await listSites(settings);
  if (sites.length === 0) return [ok(SUBJECT, 'No author has connected a destination yet.')];
  const limit = pLimit(AT_ONCE);
  const asked = await Promise.all(sites.map((site) => limit(() => ask(site, settings))));
  const away = asked.filter((answer) => 'cause' in answer);
  const findings = away.map(({ site, cause }) =>
    warn(
      SUBJECT,
      `${site} does not answer: ${cause?.replace(/\.$/, '')}.`,
      'Is it away, or does a firewall of ours forbid it? Deliveries there wait, and are tried again.',
    ),
  );
  if (away.length === sites.length && sites.length > 1) {
    findings.unshift(
      fail(
        SUBJECT,
        'No destination can be reached from this machine.',
        'Look at its DNS, its route out and its firewall.',
      ),
    );
  }
  if (findings.length === 0) findings.push(ok(SUBJECT, `All ${sites.length} sites that are connected answer.`));
  return [...findings, ...compareClocks(asked)];
}

async function listSites({ databaseDirectUrl }: Settings): Promise<string[]> {
  const db = openDatabase(databaseDirectUrl, { connections: 1, onError: () => undefined });
  try {
    const rows = await db.selectFrom('connections').select('baseUrl').distinct().orderBy('baseUrl').execute();
    return [...new Set(rows.map(({ baseUrl }) => new URL(baseUrl).origin))].slice(0, MOST);
  } finally {
    await db.destroy();
  }
}

interface Asked {
  site: string;
  cause?: string;
  /** By how many seconds its clock is ahead of ours. */
  ahead?: number;
}

async function ask(site: string, { allowPrivate }: Settings): Promise<Asked> {
  const before = Date.now();
  let date = Number.NaN;
  const onHeaders = (headers: Record<string, string>) => {
    date = Date.parse(headers.date ?? '');
  };
  const request = { method: 'HEAD', url: site, maxBytes: 65_536 } as const;
  const answer = await exchange(request, { timeoutMs: TIMEOUT_MS, addresses: { allowPrivate }, onHeaders });
  if (answer.kind !== 'answer' && answer.kind !== 'redirect') {
    return { site, cause: 'cause' in answer ? answer.cause : answer.kind };
  }
  return { site, ...(!Number.isNaN(date) && { ahead: (date - (before + Date.now()) / 2) / 1000 }) };
}

/** One site may be wrong; the middle of several is not. */
function compareClocks(asked: readonly Asked[]): Finding[] {
  const offsets = asked.flatMap(({ ahead }) => ahead ?? []).sort((one, other) => one - other);
  const middle = offsets[Math.floor(offsets.length / 2)];
  if (middle === undefined || Math.abs(middle) <= CLOCK_LIMIT_S) return [];
  const says = `The sites’ clocks say that ours is ${Math.abs(middle).toFixed(0)} s ${middle > 0 ? 'behind' : 'ahead'}.`;
  return [warn('clock', says, 'Run NTP on this machine: schedules and tokens go by its clock.')];
}
