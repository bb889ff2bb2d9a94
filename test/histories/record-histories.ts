/**
 * `npm run histories`: plays all scenarios against real servers and writes their histories to
 * `test/histories/`, which `npm test` replays. With names (`npm run histories -- delivery-updated`)
 * writes only those. See docs/internals/workflows.md.
 */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { findDestination } from '../../destinations/clients.ts';
import type { Destination, Platform } from '../../destinations/types.ts';
import { provideTestServices } from '../../scripts/check/services.ts';
import { describeError } from '../../scripts/start/start-error.ts';
import { type DigestWorld, startDigestWorld } from '../support/api/digest.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../support/delivery/delivery.ts';
import { createArticleScenarios } from './scenarios/articles.ts';
import { createAuthorActionScenarios } from './scenarios/author-actions.ts';
import { createContinuedAsNewScenarios } from './scenarios/continued-as-new.ts';
import { createCredentialScenarios } from './scenarios/credentials.ts';
import { createDatabaseScenarios } from './scenarios/database.ts';
import { createDeliveryScenarios } from './scenarios/deliveries.ts';
import { createImportScenarios } from './scenarios/imports.ts';
import { createInFlightScenarios } from './scenarios/in-flight.ts';
import { createLedgerScenarios } from './scenarios/ledger.ts';
import { createLostWorkerScenarios } from './scenarios/lost-workers.ts';
import { createMailScenarios } from './scenarios/mails.ts';
import { createRateSlotScenarios } from './scenarios/rate-slots.ts';
import { createRefusalScenarios } from './scenarios/refusals.ts';
import { createScheduledWorkflowScenarios } from './scenarios/scheduled-workflows.ts';
import type { IsolatedScenarios, Scenario } from './scenarios/story.ts';
import { createTimeSkippingScenarios } from './scenarios/time-skipping.ts';
import { HISTORIES, writeHistory } from './scenarios/write-history.ts';

const requested = process.argv.slice(2);
/** Credentials of the sandbox. */
const SECRETS = ['sandbox-', 'sandbox app pass word', 'no such key'];
/** The time that the destinations' clock is ahead of ours. */
const sandboxClock = { aheadMs: 0 };

const services = await provideTestServices((step) => void process.stdout.write(`${step}\n`));
Object.assign(process.env, services.env);
let deliveries: DeliveryWorld | null = null;
let digests: DigestWorld | null = null;
const isolated: IsolatedScenarios[] = [
  createContinuedAsNewScenarios({ pacing: true, deps: { findDestination: findQuickDestination } }),
  createTimeSkippingScenarios(),
  createLostWorkerScenarios(),
];
try {
  deliveries = await startDeliveryWorld({
    pacing: true,
    deps: { findDestination: findQuickDestination },
    sandbox: { now: () => new Date(Date.now() + sandboxClock.aheadMs) },
  });
  digests = await startDigestWorld();
  const { client: digestClient } = digests;
  const shared = [
    createArticleScenarios(deliveries),
    createDeliveryScenarios(deliveries),
    createAuthorActionScenarios(deliveries),
    createCredentialScenarios(deliveries),
    createRateSlotScenarios(deliveries),
    createInFlightScenarios(deliveries),
    createDatabaseScenarios(deliveries),
    createRefusalScenarios(deliveries, sandboxClock),
    createLedgerScenarios(deliveries),
    createImportScenarios(deliveries),
  ];
  const scheduled = [...createScheduledWorkflowScenarios(digests), ...createMailScenarios(digests)];
  const all = [...shared.flat(), ...scheduled, ...isolated.flatMap(({ scenarios }) => scenarios)];
  assertKnown(all);
  await mkdir(HISTORIES, { recursive: true });
  const { client } = deliveries;
  for (const scenarios of shared) await record(scenarios, async () => client);
  await record(scheduled, async () => digestClient);
  for (const { scenarios, client } of isolated) await record(scenarios, client);
  if (requested.length === 0) await removeOthers(all);
} catch (error) {
  process.stderr.write(`${describeError(error)}\n`);
  process.exitCode = 1;
} finally {
  for (const { close } of isolated) await close();
  await digests?.close();
  await deliveries?.close();
  await services.stop();
}

/**
 * Plays the scenarios in order up to the last requested one, because some continue the story of the
 * previous one.
 */
async function record(scenarios: Scenario[], client: () => Promise<Client>): Promise<void> {
  const isRequested = ({ name }: Scenario) => requested.length === 0 || requested.includes(name);
  for (const scenario of scenarios.slice(0, scenarios.findLastIndex(isRequested) + 1)) {
    const run = await scenario.play();
    if (!isRequested(scenario)) continue;
    const events = await writeHistory(await client(), scenario.name, run, SECRETS);
    process.stdout.write(`${scenario.name}: ${events} events\n`);
  }
}

function assertKnown(scenarios: Scenario[]): void {
  const names = scenarios.map(({ name }) => name);
  const unknown = requested.filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new Error(`unknown scenarios: ${unknown.join(', ')}. Known scenarios: ${names.join(', ')}`);
}

/** Removes histories without a scenario, which would otherwise be replayed forever. */
async function removeOthers(scenarios: Scenario[]): Promise<void> {
  const names = new Set(scenarios.map(({ name }) => `${name}.json`));
  const present = (await readdir(HISTORIES)).filter((file) => file.endsWith('.json'));
  for (const file of present) if (!names.has(file)) await rm(join(HISTORIES, file));
}

/**
 * Repeats LinkedIn's requests at once instead of after a minute, and allows Hashnode one post per
 * 1.5 seconds.
 */
function findQuickDestination(platform: Platform): Destination | null {
  const destination = findDestination(platform);
  if (!destination) return null;
  const { repeat, pacing } = destination.limits;
  const limits = {
    ...destination.limits,
    repeat: repeat && { ...repeat, afterMs: 300 },
    pacing: platform === 'hashnode' ? { intervalMs: 1_500, burst: 1 } : pacing,
  };
  return { ...destination, limits };
}
