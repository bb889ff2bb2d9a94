/**
 * Fills the demo once: articles through the public endpoint, comments and reactions through
 * GraphQL. Each step can be repeated. COURANT_HOME records completion, so that deleted content does
 * not return.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../../store/db/database.ts';
import type { Sealer } from '../../../store/secrets/sealing.ts';
import { writeAtomically } from '../home.ts';
import { addPastSubscriptions, backdateArticles } from './backdate.ts';
import { connectBrokenDestination } from './broken-destination.ts';
import { EXAMPLES, type Example, type Person, PROFILES, SERIES, SUBSCRIBERS } from './content.ts';
import { buildCoverPath, type Covers } from './covers.ts';
import type { DemoCredentials } from './demo-file.ts';
import { awaitDeliveries, type Published, publishArticle } from './first-publish.ts';
import { createTemporaryToken, type SignedInPerson, signIn } from './person.ts';
import { publishInteractions } from './publish-interactions.ts';

/** The broken delivery fails at once. Limits the wait of a start. */
const DELIVERY_TIMEOUT_MS = 8_000;
const PEOPLE = ['demo', 'second', 'third'] as const;

export interface ContentOptions {
  db: Database;
  sealer: Sealer;
  home: string;
  root: string;
  apiAddress: string;
  sandboxUrl: string;
  credentials: DemoCredentials;
  covers: Covers;
  first: Published;
  print: (line: string) => void;
  aborted: AbortSignal;
}

export async function provideContent(options: ContentOptions): Promise<void> {
  const { db, sealer, credentials, print, aborted } = options;
  const third = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', credentials.third.email)
    .executeTakeFirst();
  if (!third || isFilled(options.home, third.id)) return;
  const startedAt = Date.now();
  const now = new Date();
  await connectBrokenDestination(db, sealer, { userId: third.id, sandboxUrl: options.sandboxUrl });
  const logins = { demo: credentials, second: credentials.second, third: credentials.third };
  const people = Object.fromEntries(
    await Promise.all(
      PEOPLE.map(async (name) => [name, await signIn(options.apiAddress, logins[name], aborted)] as const),
    ),
  ) as Record<Person, SignedInPerson>;
  const published = (await Promise.all(PEOPLE.map((name) => publishAll(options, name, people[name], now)))).flat();

  const slugs = new Map(published.map(({ file, slug }) => [file, slug]));
  slugs.set('first-post.md', readSlug(options.first));
  const past = published.flatMap(({ id, slug, day, isScheduled, views }) =>
    day === null || isScheduled ? [] : [{ id, slug, day, views: views ?? 10 }],
  );
  await publishInteractions(people, slugs);
  await backdateArticles(db, [...past, { id: options.first.id, slug: readSlug(options.first), day: 0, views: 6 }], now);
  await Promise.all(PEOPLE.map((name) => addPastSubscriptions(db, logins[name].username, SUBSCRIBERS[name], now)));
  for (const { id, isCrossPosted } of published) {
    const quietly = { timeoutMs: DELIVERY_TIMEOUT_MS, print: () => undefined, aborted };
    if (isCrossPosted) await awaitDeliveries(db, id, quietly);
  }
  writeAtomically(buildMarkPath(options.home), `${JSON.stringify({ filledFor: third.id })}\n`);
  print(`${published.length} more articles of three authors (${((Date.now() - startedAt) / 1_000).toFixed(1)} s)`);
}

type PublishedExample = Example & { id: string; slug: string };

/** Publishes the examples of one person in sequence. */
async function publishAll(
  { root, apiAddress, covers, credentials, aborted }: ContentOptions,
  name: Person,
  person: SignedInPerson,
  now: Date,
): Promise<PublishedExample[]> {
  const profile = 'mutation ($input: ProfileInput!) { updateProfile(input: $input) { username } }';
  await person.request(profile, { input: PROFILES[name] });
  if (SERIES.author === name) await provideSeries(person);
  const { token, revoke } = await createTemporaryToken(person);
  const published: PublishedExample[] = [];
  for (const example of EXAMPLES.filter(({ author }) => author === name)) {
    const username = (name === 'demo' ? credentials : credentials[name]).username;
    const cover = await covers.store(example.file, username);
    const content = setCover(readFileSync(join(root, 'examples', example.file), 'utf8'), example.file, cover);
    const syndicationMode = example.isCrossPosted ? undefined : 'local';
    const sent = example.isScheduled ? addSchedule(content, example.day ?? 1, now) : content;
    const answer = await publishArticle(apiAddress, token, { content: sent, syndicationMode }, aborted);
    published.push({ ...example, id: answer.id, slug: readSlug(answer) });
  }
  await revoke();
  return published;
}

async function provideSeries(person: SignedInPerson): Promise<void> {
  const { mySeries } = await person.request<{ mySeries: { edges: { node: { title: string } }[] } }>(
    '{ mySeries { edges { node { title } } } }',
  );
  if (mySeries.edges.some(({ node }) => node.title === SERIES.title)) return;
  await person.request('mutation ($title: String!) { createSeries(title: $title) { id } }', { title: SERIES.title });
}

/** Replaces the local path in the file by the public address. */
function setCover(content: string, file: string, cover: string | null): string {
  return content.replace(`cover_image: ${buildCoverPath(file)}\n`, cover === null ? '' : `cover_image: ${cover}\n`);
}

/** Added at the start, because a fixed date in the file would be in the past one day. */
function addSchedule(content: string, days: number, now: Date): string {
  const at = new Date(now.getTime() + days * 86_400_000);
  return content.replace('---\n', `---\nscheduled_at: ${at.toISOString().slice(0, 10)}T09:00:00Z\n`);
}

function readSlug({ url }: Published): string {
  return decodeURIComponent(new URL(url).pathname.slice(1));
}

/** The mark contains the id of the third person, which another database does not have. */
function isFilled(home: string, id: string): boolean {
  const path = buildMarkPath(home);
  return existsSync(path) && readFileSync(path, 'utf8').includes(id);
}

function buildMarkPath(home: string): string {
  return join(home, 'demo-content.json');
}
