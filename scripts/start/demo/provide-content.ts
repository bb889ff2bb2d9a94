/**
 * Fills the demo once: articles through the public endpoint, comments and reactions through
 * GraphQL. Each step can be repeated. COURANT_HOME records completion, so that deleted content does
 * not return.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../../store/db/database.ts';
import type { Sealer } from '../../../store/secrets/sealing.ts';
import { createDeveloperToken, revokeDeveloperToken } from '../../../store/tokens/developer-tokens.ts';
import { replaceFile } from '../../replace-file.ts';
import { PRIVATE_MODE } from '../home.ts';
import { StartError } from '../start-error.ts';
import { connectBrokenDestination } from './author.ts';
import { addPastSubscriptions, backdateArticles } from './backdate.ts';
import { EXAMPLES, type Example, type Person, PROFILES, SERIES, SUBSCRIBERS } from './content.ts';
import { buildCoverPath, type StoreCover } from './covers.ts';
import type { DemoCredentials } from './demo-file.ts';
import { awaitDeliveries, type Published, publishArticle } from './first-publish.ts';
import { publishInteractions, type RunGraphql, signIn } from './publish-interactions.ts';

/** Limits the wait of a start. */
const DELIVERY_TIMEOUT_MS = 8_000;
const PEOPLE = ['demo', 'second', 'third'] as const;
const UPDATE_PROFILE = 'mutation ($input: ProfileInput!) { updateProfile(input: $input) { username } }';
const LIST_SERIES = '{ mySeries { edges { node { title } } } }';
const CREATE_SERIES = 'mutation ($title: String!) { createSeries(title: $title) { id } }';

export interface ContentOptions {
  db: Database;
  sealer: Sealer;
  home: string;
  root: string;
  apiAddress: string;
  sandboxUrl: string;
  credentials: DemoCredentials;
  storeCover: StoreCover;
  first: Published;
  print: (line: string) => void;
  aborted: AbortSignal;
}

export async function provideContent(options: ContentOptions): Promise<void> {
  const { db, sealer, credentials, first, print, aborted } = options;
  const logins = { demo: credentials, second: credentials.second, third: credentials.third };
  const users = await db.selectFrom('users').select(['id', 'email']).execute();
  const findId = (name: Person) => users.find(({ email }) => email === logins[name].email)?.id ?? '';
  // The mark contains the id of the third person, which another database does not have.
  const mark = join(options.home, 'demo-content.json');
  if (existsSync(mark) && readFileSync(mark, 'utf8').includes(findId('third'))) return;

  const startedAt = Date.now();
  const now = new Date();
  await connectBrokenDestination(db, sealer, { userId: findId('third'), sandboxUrl: options.sandboxUrl });
  const signedIn = PEOPLE.map(async (name) => [name, await signIn(options.apiAddress, logins[name], aborted)] as const);
  const people = Object.fromEntries(await Promise.all(signedIn)) as Record<Person, RunGraphql>;
  const publishing = PEOPLE.map(async (name) => {
    await introduce(name, people[name]);
    const { id: tokenId, token } = await createDeveloperToken(db, { userId: findId(name), name: 'Examples', now });
    const published = await publishAll(options, { name, username: logins[name].username, token, now });
    await revokeDeveloperToken(db, { userId: findId(name), tokenId, now });
    return published;
  });
  const published = (await Promise.all(publishing)).flat();

  const firstSlug = readSlug(first);
  await publishInteractions(
    people,
    new Map([['first-post.md', firstSlug], ...published.map(({ file, slug }) => [file, slug] as const)]),
  );
  const past = published.flatMap(({ id, slug, day, isScheduled, views = 10 }) =>
    day === null || isScheduled ? [] : [{ id, slug, day, views }],
  );
  await backdateArticles(db, [...past, { id: first.id, slug: firstSlug, day: 0, views: 6 }], now);
  for (const name of PEOPLE) await addPastSubscriptions(db, logins[name].username, SUBSCRIBERS[name], now);
  const quietly = { timeoutMs: DELIVERY_TIMEOUT_MS, print: () => undefined, aborted };
  const crossPosted = published.filter(({ isCrossPosted }) => isCrossPosted);
  await Promise.all(crossPosted.map(({ id }) => awaitDeliveries(db, id, quietly)));
  replaceFile(mark, `${JSON.stringify({ filledFor: findId('third') })}\n`, PRIVATE_MODE);
  print(`${published.length} more articles of three authors (${((Date.now() - startedAt) / 1_000).toFixed(1)} s)`);
}

async function introduce(name: Person, run: RunGraphql): Promise<void> {
  await run(UPDATE_PROFILE, { input: PROFILES[name] });
  if (SERIES.author !== name) return;
  const { mySeries } = await run<{ mySeries: { edges: { node: { title: string } }[] } }>(LIST_SERIES);
  if (!mySeries.edges.some(({ node }) => node.title === SERIES.title))
    await run(CREATE_SERIES, { title: SERIES.title });
}

/** Publishes the examples of one person in sequence. */
async function publishAll(
  { root, apiAddress, sandboxUrl, storeCover, aborted }: ContentOptions,
  { name, username, token, now }: { name: Person; username: string; token: string; now: Date },
): Promise<(Example & { id: string; slug: string })[]> {
  const published = [];
  for (const example of EXAMPLES.filter(({ author }) => author === name)) {
    const cover = await storeCover(example.file, username);
    // The path in the file is local. A fixed date in the file would be in the past one day.
    const content = readFileSync(join(root, 'examples', example.file), 'utf8')
      .replace(`cover_image: ${buildCoverPath(example.file)}\n`, cover === null ? '' : `cover_image: ${cover}\n`)
      .replace('---\n', example.isScheduled ? `---\n${formatSchedule(example.day ?? 1, now)}` : '---\n');
    if (example.isRejectedOnce) await setFaults(sandboxUrl, [REJECTED_POST], aborted);
    const syndicationMode = example.isCrossPosted ? undefined : ('local' as const);
    const answer = await publishArticle(apiAddress, token, { content, syndicationMode }, aborted);
    // An earlier start published it. The fault would reject the retry of its author.
    if (example.isRejectedOnce && answer.action !== 'created') await setFaults(sandboxUrl, [], aborted);
    published.push({ ...example, id: answer.id, slug: readSlug(answer) });
  }
  return published;
}

/** Only one example is sent to WordPress, so no other delivery gets this response. */
const REJECTED_POST = {
  ...{ platform: 'cms_site', action: 'create', times: 1, status: 403 },
  body: {
    code: 'rest_cannot_publish',
    message: 'Sorry, you are not allowed to publish posts in this post type.',
    data: { status: 403 },
  },
};

async function setFaults(sandboxUrl: string, faults: object[], signal: AbortSignal): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${sandboxUrl}/faults`, {
    method: 'PUT',
    headers,
    body: JSON.stringify(faults),
    signal,
  });
  if (!response.ok) throw new StartError(`The sandbox rejects its faults: ${await response.text()}`);
}

function formatSchedule(days: number, now: Date): string {
  const at = new Date(now.getTime() + days * 86_400_000);
  return `scheduled_at: ${at.toISOString().slice(0, 10)}T09:00:00Z\n`;
}

function readSlug({ url }: Published): string {
  return decodeURIComponent(new URL(url).pathname.slice(1));
}
