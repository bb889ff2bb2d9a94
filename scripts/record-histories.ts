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
import { anewStage } from './histories/anew.ts';
import { articleScenarios } from './histories/articles.ts';
import { clockworkScenarios } from './histories/clockwork.ts';
import { credentialScenarios } from './histories/credentials.ts';
import { databaseScenarios } from './histories/database.ts';
import { dayStage } from './histories/days.ts';
import { decisionScenarios } from './histories/decisions.ts';
import { deliveryScenarios } from './histories/deliveries.ts';
import { inFlightScenarios } from './histories/in-flight.ts';
import { lostWorkerStage } from './histories/lost-workers.ts';
import { refusalScenarios } from './histories/refusals.ts';
import type { Scenario, Stage } from './histories/story.ts';
import { turnScenarios } from './histories/turns.ts';
import { HISTORIES, writeHistory } from './histories/write-history.ts';
import { describeError } from './start/start-error.ts';

const wanted = process.argv.slice(2);
/** The stand-ins' credentials. */
const SECRETS = ['sandbox-', 'sandbox app pass word', 'no such key'];
/** The clock of the destinations, which knows nothing of ours. */
const there = { aheadMs: 0 };

let services: TestServices | null = null;
let deliveries: DeliveryWorld | null = null;
let digests: DigestWorld | null = null;
const stages: Stage[] = [
  anewStage({ pacing: true, deps: { destinationFor: impatient } }),
  dayStage(),
  lostWorkerStage(),
];
try {
  services = await provideServices();
  deliveries = await startDeliveryWorld({
    pacing: true,
    deps: { destinationFor: impatient },
    sandbox: { now: () => new Date(Date.now() + there.aheadMs) },
  });
  digests = await startDigestWorld();
  const { client: digestClient } = digests;
  const acts = [
    articleScenarios(deliveries),
    deliveryScenarios(deliveries),
    decisionScenarios(deliveries),
    credentialScenarios(deliveries),
    turnScenarios(deliveries),
    inFlightScenarios(deliveries),
    databaseScenarios(deliveries),
    refusalScenarios(deliveries, there),
  ];
  const clockwork = clockworkScenarios(digests);
  const all = [...acts.flat(), ...clockwork, ...stages.flatMap(({ scenarios }) => scenarios)];
  refuseUnknown(all);
  await mkdir(HISTORIES, { recursive: true });
  const { client } = deliveries;
  for (const act of acts) await record(act, async () => client);
  await record(clockwork, async () => digestClient);
  for (const stage of stages) await record(stage.scenarios, stage.client);
  if (wanted.length === 0) await removeOthers(all);
} catch (error) {
  process.stderr.write(`${describeError(error)}\n`);
  process.exitCode = 1;
} finally {
  for (const stage of stages) await stage.close();
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

/** One after the other up to the last that is wanted, also those that are not: some go on with the story of the one before. */
async function record(scenarios: Scenario[], client: () => Promise<Client>): Promise<void> {
  const isWanted = ({ name }: Scenario) => wanted.length === 0 || wanted.includes(name);
  for (const scenario of scenarios.slice(0, scenarios.findLastIndex(isWanted) + 1)) {
    const run = await scenario.play();
    if (!isWanted(scenario)) continue;
    const events = await writeHistory(await client(), scenario.name, run, SECRETS);
    process.stdout.write(`${scenario.name}: ${events} events\n`);
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
