/** Runs Lighthouse with the Chromium of the tests. */
import { type Config, default as lighthouse, type Result } from 'lighthouse';
import { chromium } from 'playwright-core';
import { findFreePort } from '../../../scripts/start/ports.ts';

export interface Lighthouse {
  run(url: string, config?: Config): Promise<Result>;
  close(): Promise<void>;
}

/** Starts a separate Chromium, because Lighthouse needs a debugging port. */
export async function openLighthouse(executablePath: string): Promise<Lighthouse> {
  const port = await findFreePort();
  const args = [`--remote-debugging-port=${port}`];
  const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0, args });
  return {
    async run(url, config) {
      const answer = await lighthouse(url, { port, logLevel: 'silent' }, config);
      if (!answer) throw new Error(`Lighthouse says nothing of ${url}`);
      return answer.lhr;
    },
    close: () => browser.close(),
  };
}

/** Lists the failed audits with a weight. Excludes performance, which varies between runs. */
export function listFailures({ categories, audits }: Result): string[] {
  const counted = Object.values(categories).flatMap(({ id, auditRefs }) =>
    id === 'performance' ? [] : auditRefs.filter(({ weight }) => weight > 0),
  );
  return counted.flatMap(({ id }) => {
    const audit = audits[id];
    if (!audit || audit.score === null || audit.score === 1) return [];
    const items = audit.details && 'items' in audit.details ? (audit.details.items as unknown[]) : [];
    return [`${id}: ${audit.title} (${audit.score})`, ...items.map((item) => `    ${describeItem(item)}`)];
  });
}

function describeItem(item: unknown): string {
  const { node } = item as { node?: { snippet?: string; explanation?: string } };
  return node?.snippet ? `${node.snippet} ${node.explanation ?? ''}`.trim() : JSON.stringify(item).slice(0, 300);
}
