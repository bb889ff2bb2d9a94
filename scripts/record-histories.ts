/**
 * `npm run histories`: plays every scenario against real servers and writes its history to `test/histories/`, which `npm test` replays.
 * With names (`npm run histories -- delivery-updated`) it keeps the others as they are. See docs/workflows.md for when to run it.
 */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { destinationFor } from '../destinations/registry.ts';
import type { Destination, Platform } from '../destinations/types.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../test/support/delivery.ts';
import { type DigestWorld, startDigestWorld } from '../test/support/digest.ts';
import { startTestServices, type TestServices } from './check/services.ts';
import { articleScenarios } from './histories/articles.ts';
import { clockworkScenarios } from './histories/clockwork.ts';
import { decisionScenarios } from './histories/decisions.ts';
import { deliveryScenarios } from './histories/deliveries.ts';
import type { Scenario } from './histories/story.ts';
import { HISTORIES, writeHistory } from './histories/write-history.ts';
import { describeError } from './start/start-error.ts';

const wanted = process.argv.slice(2);
/** The stand-ins' credentials. */
const SECRETS = ['sandbox-', 'no such key'];

let services: TestServices | null = null;
let deliveries: DeliveryWorld | null = null;
let digests: DigestWorld | null = null;
try {
  services = await provideServices();
  deliveries = await startDeliveryWorld({ pacing: true, deps: { destinationFor: impatient } });
  digests = await startDigestWorld();
  const scenarios = [
    ...articleScenarios(deliveries),
    ...deliveryScenarios(deliveries),
    ...decisionScenarios(deliveries),
  ];
  const clockwork = clockworkScenarios(digests);
  refuseUnknown([...scenarios, ...clockwork]);
  await mkdir(HISTORIES, { recursive: true });
  await record(scenarios, deliveries.client);
  await record(clockwork, digests.client);
  if (wanted.length === 0) await removeOthers([...scenarios, ...clockwork]);
} catch (error) {
  process.stderr.write(`${describeError(error)}\n`);
  process.exitCode = 1;
} finally {
  await digests?.close();
  await deliveries?.close();
  await services?.stop();
}

async function provideServices(): Promise<TestServices | null> {
  if (process.env.TEST_DATABASE_URL && process.env.TEST_TEMPORAL_ADDRESS) return null;
  const started = await startTestServices((step) => process.stdout.write(`${step}\n`));
  process.env.TEST_DATABASE_URL = started.databaseUrl;
  process.env.TEST_TEMPORAL_ADDRESS = started.temporalAddress;
  return started;
}

/** One after the other, also those that are not wanted: some go on with the story of the one before. */
async function record(scenarios: Scenario[], client: Client): Promise<void> {
  for (const { name, play } of scenarios) {
    const run = await play();
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const events = await writeHistory(client, name, run, SECRETS);
    process.stdout.write(`${name}: ${events} events\n`);
  }
}

function refuseUnknown(scenarios: Scenario[]): void {
  const names = scenarios.map(({ name }) => name);
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`no scenario is called ${unknown.join(', ')}; there are ${names.join(', ')}`);
}

/** What no scenario makes any more would be replayed for ever. */
async function removeOthers(scenarios: Scenario[]): Promise<void> {
  const names = new Set(scenarios.map(({ name }) => `${name}.json`));
  for (const file of await readdir(HISTORIES)) if (!names.has(file)) await rm(join(HISTORIES, file));
}

/** The repeat that LinkedIn is given after a minute comes at once, and Hashnode takes one post in a second and a half. */
function impatient(platform: Platform): Destination | null {
  const destination = destinationFor(platform);
  if (!destination) return null;
  const { repeat, pacing } = destination.limits;
  const limits = {
    ...destination.limits,
    repeat: repeat && { ...repeat, afterMs: 300 },
    pacing: platform === 'hashnode' ? { intervalMs: 1_500, burst: 1 } : pacing,
  };
  return { ...destination, limits };
}
