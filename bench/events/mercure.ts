/** Publishes to a Mercure hub over eight connections. `MERCURE_JWT` is the token of a publisher. */
import { Agent } from 'undici';

const CONNECTIONS = 8;
const MAX_DURATION_MS = 10_000;

/**
 * Publishes one event per topic until all are sent or ten seconds have passed. Returns the number.
 */
export async function publishToMercure(hub: string, topics: readonly string[], data: string): Promise<number> {
  const agent = new Agent({ connections: CONNECTIONS });
  const remaining = topics.values();
  const end = performance.now() + MAX_DURATION_MS;
  let published = 0;
  const publishSome = async () => {
    for (const topic of remaining) {
      const { statusCode, body } = await agent.request({
        origin: hub,
        path: '/.well-known/mercure',
        method: 'POST',
        headers: {
          authorization: `Bearer ${process.env.MERCURE_JWT ?? ''}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams({ topic, type: 'notification', data }).toString(),
      });
      await body.dump();
      if (statusCode !== 200) throw new Error(`the hub answered ${statusCode}`);
      published += 1;
      if (performance.now() > end) return;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, publishSome));
  await agent.close();
  return published;
}
