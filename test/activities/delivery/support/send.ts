/** Sends articles of new authors to a destination that answers as a test chooses. */
import { randomBytes } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createDeliveryActivities } from '../../../../activities/delivery/index.ts';
import type { ActivityDeps } from '../../../../activities/deps.ts';
import type { SendOutcome } from '../../../../delivery/types.ts';
import { forem } from '../../../../destinations/forem/index.ts';
import type { DestinationClient, Limits, RemotePost } from '../../../../destinations/types.ts';
import { connectDestination } from '../../../../store/connections/connect.ts';
import { createSealer } from '../../../../store/secrets/sealing.ts';
import type { AddedDelivery, TestLedger } from '../../../support/database/ledger.ts';

const sealer = createSealer(randomBytes(32));

export const REMOTE: RemotePost = { remoteId: '7', url: 'https://there.example/7', changedAt: null };
export const DONE = { kind: 'done', value: REMOTE } as const;
export const BUG = 'Courant failed, not the destination. The operator of this site finds the details in the log.';

export interface Options {
  client?: Partial<DestinationClient<unknown>>;
  limits?: Partial<Limits>;
  format?: () => Promise<unknown>;
  delivery?: AddedDelivery;
  article?: object;
  author?: string;
  /** Cancels the activity before it calls the destination. */
  isCancelled?: boolean;
}

/** Runs `sendDelivery` for a new article. Returns its outcome and the calls to the destination. */
export async function sendTo(ledger: TestLedger, expected: string, set: Options = {}) {
  const userId = set.author ?? (await ledger.addAuthor());
  await connectDestination(ledger.db, sealer, {
    ...{ userId, destination: 'blogsite_a', platform: 'forem', baseUrl: 'https://forem.example/api' },
    ...{ credentials: { apiKey: 'a key' }, account: { identity: userId, name: null } },
  });
  const articleId = await ledger.addArticle(userId, { dispatch: 1, title: 'A title', ...set.article });
  const deliveryId = await ledger.addDelivery(articleId, { dueAt: new Date(), ...set.delivery });
  const calls: unknown[][] = [];
  const watch =
    (name: string, answer: (...input: never[]) => unknown) =>
    (...input: unknown[]) => {
      calls.push([name, ...input.map((value) => (value === undefined ? null : value))]);
      return answer(...(input as never[]));
    };
  const base = {
    find: async () => ({ kind: 'done', value: null }),
    create: async () => DONE,
    update: async () => DONE,
  };
  const client = {
    ...base,
    withdraw: async () => ({ kind: 'done', value: null }),
    probe: async () => DONE,
    ...set.client,
  };
  const watched = Object.fromEntries(Object.entries(client).map(([name, call]) => [name, watch(name, call as never)]));
  const adapter = { ...forem, limits: { ...forem.limits, ...set.limits }, createClient: () => watched };
  const format = set.format ?? (async () => ({ payload: 'payload', losses: [], refusal: null }));
  const deps = { db: ledger.db, sealer, formats: { format }, findDestination: () => adapter, now: () => new Date() };
  const rest = { pacing: true, baseUrl: 'https://here.example', httpTimeoutMs: 15_000, lateArrivalMs: 90_000 };
  const { sendDelivery, lookUpDelivery, probeConnection } = createDeliveryActivities({
    ...deps,
    ...rest,
  } as unknown as ActivityDeps);
  const environment = new MockActivityEnvironment();
  if (set.isCancelled) environment.cancel();
  const key = { articleId, destination: 'blogsite_a' } as const;
  const outcome = (await environment.run(sendDelivery, { ...key, expected })) as SendOutcome;
  const names = () => calls.map(([name]) => name);
  const attempts = await ledger.attempts(deliveryId);
  const again = new MockActivityEnvironment();
  return {
    ...{ userId, articleId, deliveryId, calls, names, attempts, outcome },
    lookUp: (attemptId: string | null) => again.run(lookUpDelivery, { ...key, attemptId }),
    probe: () => again.run(probeConnection, key),
  };
}
