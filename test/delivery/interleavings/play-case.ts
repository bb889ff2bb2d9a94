/**
 * Plays one case: an author, a run of a delivery and a command at one point, with the real code
 * paths.
 */
import { sql } from 'kysely';
import { deleteArticle, unpublishArticle } from '../../../store/articles/commands.ts';
import { connectDestination } from '../../../store/connections/connect.ts';
import { disconnectDestination } from '../../../store/connections/disconnect.ts';
import { listOwnDeliveries } from '../../../store/deliveries/list.ts';
import { deleteAccount } from '../../../store/users/delete-account.ts';
import { setSuspended } from '../../../store/users/operator-actions.ts';
import { markdown } from '../../support/api/api.ts';
import { type Command as DeliveryCommand, sendCommand } from '../../support/api/graphql.ts';
import { prepareRun, type Write } from './interrupted-run.ts';
import { ACTIONS, type Answer, type Command, type Run, type Shown } from './model.ts';
import type { World } from './world.ts';

/** The time of the command: before the run, before the write with this index, or after the run. */
export type Point = 'before' | 'after' | number;

export interface Played {
  writes: Write[];
  isRefused: boolean;
  observed: Observed;
}

interface Counts {
  creates: number;
  updates: number;
  withdrawals: number;
  successes: number;
  failures: number;
}

export interface Observed extends Counts {
  /** Texts of the live posts at the account: `v1`, `v2` … or `edited`. */
  live: string[];
  /** Posts at the other account. */
  atOther: number;
  /** Requests that were sent only after a search for stalled deliveries. */
  bySweep: number;
  shown: Shown | 'delivering';
}

const PLATFORMS = {
  forem: { destination: 'blogsite_a', path: '/forem/api', secret: 'apiKey' },
  medium: { destination: 'blogsite_c', path: '/medium/v1', secret: 'token' },
} as const;
const OTHER_TITLE = 'Another article';

export async function playCase(world: World, run: Run, command: Command, point: Point): Promise<Played> {
  const { api } = world;
  const number = world.nextCaseNumber();
  const author = await api.createAuthor(`case-${number}`);
  const { destination, path, secret } = PLATFORMS[run.platform];
  const sandbox = openSandbox(world.sandboxUrl, number);
  let articleId = '';
  let revision = 1;

  const send = async (id: string, title: string) => {
    const selected = { blogsite_a: false, blogsite_b: false, [destination]: true };
    const content = markdown({ id, slug: id, title, cross_post: selected });
    const { body } = await api.publish({ content }, { token: author.token });
    if (!body.data) throw new Error(JSON.stringify(body));
    return body.data.id;
  };
  const publish = async () => {
    articleId = await send(`case-${number}`, `Case ${number} v${revision}`);
  };
  const trigger = async (kind: Run['trigger']) => {
    if (kind === 'unpublish') return unpublishArticle(api.db, { authorId: author.id, articleId, now: new Date() });
    if (kind === 'revise') revision += 1;
    return publish();
  };
  const connect = (which: 'this' | 'other') => {
    const name = `${which}-${number}`;
    return connectDestination(api.db, world.sealer, {
      ...{ userId: author.id, destination, platform: run.platform, baseUrl: `${world.sandboxUrl}${path}` },
      ...{ credentials: { [secret]: `key-${name}`, userId: name }, account: { identity: name, name } },
    });
  };
  const disconnect = () => disconnectDestination(api.db, author.id, destination);
  const prepare = (id: string, interruption?: { index: number; run: () => Promise<void> }) =>
    prepareRun(
      { articleId: id, destination },
      {
        activities: world.activities,
        pass: (ms) => world.pass(author.id, ms),
        takeSignals: () => takeSignals(world, id, destination),
      },
      interruption,
    );
  /** The 401 is detected by the delivery of another article. */
  const refuseKey = async () => {
    const refused = { platform: destination, action: 'any', status: 401, times: 1_000 };
    await sandbox.changeFaults((faults) => [sandbox.faultHere(refused), ...faults]);
    await prepare(await send(`other-${number}`, `${OTHER_TITLE} ${number}`)).work();
    await sandbox.changeFaults(([_, ...faults]) => faults);
  };
  const runCommand = async (name: DeliveryCommand) => {
    // The author reports the actual post, if there is one.
    const [post] = name === 'settle' ? await sandbox.posts('this') : [];
    const target = { articleId, destination, ...(post && { url: `https://medium.com/p/${post.remoteId}` }) };
    return (await sendCommand(api, author.id, name, target)).code !== undefined;
  };
  const now = () => new Date();
  const commands: Record<Command, () => Promise<unknown>> = {
    none: async () => undefined,
    revise: () => trigger('revise'),
    repeat: () => trigger('repeat'),
    unpublish: () => trigger('unpublish'),
    delete: () => deleteArticle(api.db, { authorId: author.id, articleId, now: now() }),
    retry: () => runCommand('retry'),
    skip: () => runCommand('skip'),
    withdraw: () => runCommand('withdraw'),
    overwrite: () => runCommand('overwrite'),
    settle: () => runCommand('settle'),
    disconnect,
    reconnect: () => connect('this').then(sandbox.acceptKey),
    connectOther: () => connect('other'),
    otherAndBack: () => connect('other').then(() => connect('this').then(sandbox.acceptKey)),
    suspend: () => setSuspended(api.db, { operator: 'test', account: author.username, now: now() }, true),
    refuseKey,
    erase: () => deleteAccount(api.db, { userId: author.id, passwordHash: 'no password opens this', now: now() }),
  };
  const count = async (): Promise<Counts> => {
    const log = (await sandbox.log()).filter(({ title }) => !title.startsWith(OTHER_TITLE));
    const notifications = api.db
      .selectFrom('notifications')
      .select(['type', 'payload'])
      .where('userId', '=', author.id);
    const events = (await notifications.execute()).filter(
      (notification) => !JSON.stringify(notification.payload).includes(OTHER_TITLE),
    );
    return {
      creates: log.filter(({ action }) => action === 'create').length,
      updates: log.filter(({ action }) => action === 'update').length,
      withdrawals: log.filter(({ action }) => action === 'withdraw').length,
      successes: events.filter(({ type }) => type === 'CROSS_POST_SUCCESS').length,
      failures: events.filter(({ type }) => type === 'CROSS_POST_FAILED').length,
    };
  };

  await connect('this');
  if (run.before !== 'nothing') {
    await publish();
    await prepare(articleId).work();
  }
  if (run.before === 'edited') {
    world.moveSandboxClock(EDITED_AFTER_MS);
    await sandbox.editByHand();
  }
  if (run.before === 'disconnected') await disconnect();
  const start = await count();
  const answerFaults = run.answers.flatMap((answer) => FAULTS[answer] ?? []);
  const action = ACTIONS[run.trigger];
  await sandbox.changeFaults(() =>
    answerFaults.map((fault) => sandbox.faultHere({ platform: destination, action, ...fault })),
  );
  await trigger(run.trigger);

  let isRefused = false;
  const applyCommand = async () => {
    isRefused = (await commands[command]()) === true && DELIVERY_COMMANDS.has(command);
  };
  if (point === 'before') await applyCommand();
  const work = prepare(articleId, typeof point === 'number' ? { index: point, run: applyCommand } : undefined);
  await work.work();
  if (point === 'after') await applyCommand();
  await work.work();
  const sentWithoutSweeps = countRequests(await count());
  for (let sweeps = 0; sweeps < 2; sweeps++) {
    await world.pass(author.id, SWEEP_AFTER_MS);
    await world.sweep();
    await work.work();
  }

  const end = await count();
  const rows = await listOwnDeliveries(api.db, { authorId: author.id, articleIds: [articleId] });
  const row = rows.find((one) => one.destination === destination);
  const live = (await sandbox.posts('this')).filter(({ status }) => status === 'published');
  const observed = {
    ...subtract(end, start),
    live: live.map(({ title }) => title.split(' ').at(-1) ?? ''),
    atOther: (await sandbox.posts('other')).length,
    bySweep: countRequests(end) - sentWithoutSweeps,
    shown: row ? categorise(row) : ('nothing' as const),
  };
  return { writes: work.writes(), isRefused, observed };
}

const DELIVERY_COMMANDS: ReadonlySet<Command> = new Set(['retry', 'skip', 'withdraw', 'overwrite', 'settle']);
/** Longer than the time in which a change counts as part of our own write. */
const EDITED_AFTER_MS = 60_000;
const SWEEP_AFTER_MS = 10 * 60_000;

/** Empties the outbox, and returns the signals for this delivery's workflow. */
async function takeSignals({ api }: World, articleId: string, destination: string): Promise<('deliver' | 'command')[]> {
  const deletion = sql<{
    articleId: string;
    destination: string | null;
  }>`delete from outbox returning article_id, destination`;
  const { rows } = await deletion.execute(api.db);
  const entries = rows.filter((row) => row.articleId === articleId && (row.destination ?? destination) === destination);
  return entries.map((row) => (row.destination === null ? 'deliver' : 'command'));
}

function countRequests({ creates, updates, withdrawals }: Counts): number {
  return creates + updates + withdrawals;
}

/** Not below 0, because deleting an account deletes its notifications. */
function subtract(end: Counts, start: Counts): Counts {
  const names = Object.keys(end) as (keyof Counts)[];
  return Object.fromEntries(names.map((name) => [name, Math.max(0, end[name] - start[name])])) as unknown as Counts;
}

type OwnDelivery = Awaited<ReturnType<typeof listOwnDeliveries>>[number];

function categorise({ state, errorCode, withdrawnAt, remoteUrl }: OwnDelivery): Observed['shown'] {
  if (errorCode === 'skipped') return 'skipped';
  if (state === 'pending') return 'nothing';
  if (withdrawnAt !== null && (state === 'stale' || state === 'delivered')) return 'withdrawn';
  if (state === 'stale') return remoteUrl === null ? 'nothing' : 'outdated';
  return state;
}

interface Fault {
  platform: string;
  action: string;
  account?: string;
  times?: number;
  status?: number;
  drop?: 'before' | 'after';
}

const FAULTS: Record<Answer, Partial<Fault> | null> = {
  done: null,
  drifted: null,
  refused: { status: 422 },
  later: { status: 429 },
  made: { drop: 'after' },
  lost: { drop: 'before' },
  unauthorised: { action: 'any', status: 401, times: 1_000 },
};

interface Post {
  account: string;
  action: string;
  title: string;
  status: string;
  remoteId: string;
}

/** The sandbox, limited to the accounts of one case. */
function openSandbox(url: string, number: number) {
  const request = async <T>(path: string, init?: RequestInit & { body: string }): Promise<T> => {
    const headers = { 'content-type': 'application/json', 'api-key': `key-this-${number}` };
    const answer = await fetch(`${url}${path}`, { ...init, headers });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as T;
  };
  const changeFaults = async (change: (faults: Fault[]) => Fault[]) => {
    const body = JSON.stringify(change(await request<Fault[]>('/faults')));
    await request('/faults', { method: 'PUT', body });
  };
  const posts = async (which: 'this' | 'other') =>
    (await request<Post[]>('/posts')).filter(({ account }) => account === `${which}-${number}`);
  return {
    changeFaults,
    posts,
    log: async () => (await request<Post[]>('/log')).filter(({ account }) => account.endsWith(`-${number}`)),
    faultHere: (fault: Fault): Fault => ({ times: 1, account: `this-${number}`, ...fault }),
    /** As if the author had entered a valid key. */
    acceptKey: () => changeFaults((faults) => faults.filter(({ status }) => status !== 401)),
    async editByHand() {
      const [post] = await posts('this');
      const body = JSON.stringify({ article: { title: 'edited' } });
      await request(`/forem/api/articles/${post?.remoteId}`, { method: 'PUT', body });
    },
  };
}
