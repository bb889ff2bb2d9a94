/**
 * `node scripts/smoke.ts <address>`: uses a site that has just started, like a new author: waits
 * until it is ready, reads its first page, registers an account. Needs no package. Exit code 1 with
 * the reason if a step fails.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isWebAddress } from '../runtime/config/web-address.ts';

const READY_TIMEOUT_MS = 180_000;
const REQUEST_TIMEOUT_MS = 10_000;

const [address, ...more] = process.argv.slice(2);
if (address === undefined || !isWebAddress(address) || more.length > 0) {
  console.error('Usage: node scripts/smoke.ts <address of the site>');
  process.exit(2);
}
try {
  await waitUntilReady(address, Number(process.env.SMOKE_TIMEOUT_MS ?? READY_TIMEOUT_MS));
  console.log('ready');
  await readFirstPage(address);
  console.log('the first page is served');
  console.log(`registered ${await register(address)}`);
} catch (error) {
  console.error(`The site at ${address} does not work: ${(error as Error).message}`);
  process.exitCode = 1;
}

async function request(path: string, base: string, init: RequestInit = {}): Promise<Response> {
  return fetch(new URL(path, base), { ...init, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
}

async function waitUntilReady(base: string, timeoutMs: number): Promise<void> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const result = await request('/health/ready', base).then(
      ({ status }) => `status ${status}`,
      (error: Error) => error.message,
    );
    if (result === 'status 200') return;
    if (Date.now() > end) throw new Error(`/health/ready: ${result}`);
    await sleep(1_000);
  }
}

async function readFirstPage(base: string): Promise<void> {
  const response = await request('/', base);
  const type = response.headers.get('content-type');
  if (response.status !== 200 || !type?.startsWith('text/html')) throw new Error(`/: ${response.status}, ${type}`);
}

/**
 * Returns the user name. The mail that this causes goes through the outbox, Temporal and a worker.
 */
async function register(base: string): Promise<string> {
  const username = `smoke-${randomBytes(4).toString('hex')}`;
  const query = `mutation ($username: String!, $email: String!, $password: String!) {
    register(username: $username, name: "Smoke test", email: $email, password: $password) { accessToken }
  }`;
  const variables = { username, email: `${username}@example.com`, password: randomBytes(18).toString('base64url') };
  const response = await request('/graphql', base, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const text = await response.text();
  // Not parsed: a proxy may respond with a page.
  if (!/"accessToken":"[^"]/.test(text)) throw new Error(`/graphql: ${response.status}, ${text.slice(0, 500)}`);
  return username;
}
