/**
 * Backup, further publishes, data loss and restore, like an operator: with the programs of
 * PostgreSQL and our own.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { nameImage } from '../../article/images/image-name.ts';
import { explainAbsence, findTool } from '../../scripts/check/set-up.ts';
import { migrateToLatest } from '../../store/db/migrate.ts';
import { wakeStalled } from '../../store/deliveries/stalled.ts';
import { createFileImages } from '../../store/images/files/file-images.ts';
import { startApiProcess } from '../api/support/api-process.ts';
import { makePng } from '../store/images/files/pictures.ts';
import { markdown, type TestAuthor } from '../support/api/api.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../support/delivery/delivery.ts';
import { countCreates, createConnectedAuthor, listEvents } from '../support/delivery/publishing.ts';
import { prepareWorker, type WorkerProcess } from '../support/delivery/worker-process.ts';
import { readTemporalAddress } from '../support/environment.ts';
import { type OperatedCluster, prepareOperatedCluster } from './support/cluster.ts';
import { publishPatiently } from './support/publish.ts';

const POSTGRES_PROGRAMS = findTool('POSTGRES_PROGRAMS') ?? '';
const skip = POSTGRES_PROGRAMS === '' && explainAbsence('POSTGRES_PROGRAMS');
const run = promisify(execFile);

let cluster: OperatedCluster;
let world: DeliveryWorld;
let worker: WorkerProcess;
let env: Record<string, string>;
before(async () => {
  if (skip) return;
  cluster = await prepareOperatedCluster(POSTGRES_PROGRAMS);
  await cluster.create();
  await migrateToLatest(cluster.url);
  world = await startDeliveryWorld({ api: { databaseUrl: cluster.url }, worker: false });
  // APIs are processes here, so that they can be stopped like an operator does.
  await world.api.app.close();
  worker = prepareWorker(world, { env: { DELIVERY_PACING: 'off' } });
  env = {
    ...(process.env as Record<string, string>),
    POSTGRES_PROGRAMS,
    DATABASE_URL: cluster.url,
    COURANT_HOME: world.api.home,
    BASE_URL: `http://localhost:${new URL(world.api.url).port}`,
    ALLOW_PRIVATE_DESTINATIONS: 'true',
  };
});
after(async () => {
  if (skip) return;
  await worker.kill();
  await world.close();
  await cluster.close();
});

const openApi = () => startApiProcess({ like: world.api, temporal: readTemporalAddress() });
const images = () => createFileImages(join(world.api.home, 'images'));
const npm = async (script: string, ...args: string[]) =>
  (await run(process.execPath, [script, ...args], { env })).stdout;

async function publish(url: string, author: TestAuthor, title: string): Promise<string> {
  const cross_post = { blogsite_a: false, blogsite_b: true };
  const { body } = await publishPatiently(url, author.token, markdown({ title, cross_post }));
  assert.ok(body.data, JSON.stringify(body));
  return body.data.id;
}

const WAYS = {
  'npm run backup and pg_restore': {
    async backUp(target: string) {
      await npm('scripts/backup.ts', target);
    },
    async bringBack(target: string) {
      const [name = ''] = readdirSync(target);
      // Only the owner may read the dump; the user of the server must read it here.
      chmodSync(target, 0o755);
      for (const path of [join(target, name), join(target, name, 'database.dump')]) chmodSync(path, 0o755);
      await cluster.create();
      await cluster.program('pg_restore', '--dbname=courant', '--exit-on-error', join(target, name, 'database.dump'));
      cpSync(join(target, name, 'images'), join(world.api.home, 'images'), { recursive: true });
    },
  },
  'pg_basebackup and a copy of the pictures': {
    async backUp(target: string) {
      await cluster.program(
        'pg_basebackup',
        '--pgdata',
        join(target, 'base'),
        '--wal-method=stream',
        '--checkpoint=fast',
      );
      cpSync(join(world.api.home, 'images'), join(target, 'images'), { recursive: true });
    },
    async bringBack(target: string) {
      await run('cp', ['-a', join(target, 'base'), cluster.data]);
      await cluster.start();
      cpSync(join(target, 'images'), join(world.api.home, 'images'), { recursive: true });
    },
  },
};

for (const [n, [what, way]] of Object.entries(WAYS).entries()) {
  test(`with ${what}: posts from after the backup are found again, and nothing is posted twice (F31)`, {
    skip,
  }, async (t) => {
    const author = await createConnectedAuthor(world, 'blogsite_b');
    const title = (name: string) => `${name} ${n}`;
    const first = await openApi();
    t.after(() => first.kill());
    await worker.start();
    const known = await publish(first.url, author, title('Delivered before'));
    await world.reaches(known, 'blogsite_b', 'delivered', 180_000);
    await worker.stop();
    // Accepted, but not delivered at the time of the backup.
    const accepted = await publish(first.url, author, title('Taken before'));
    const picture = makePng(`backup ${n}`);
    const image = nameImage(picture, 'png');
    await images().put(image, picture);

    const target = join(cluster.folder, `backup-${n}`);
    await run('install', ['-d', '-o', process.getuid?.() === 0 ? 'postgres' : `${process.getuid?.()}`, target]);
    await way.backUp(target);

    await worker.start();
    await world.reaches(accepted, 'blogsite_b', 'delivered', 180_000);
    const later = await publish(first.url, author, title('Published after'));
    await world.reaches(later, 'blogsite_b', 'delivered', 180_000);

    await first.kill();
    await worker.stop();
    await cluster.lose();
    rmSync(join(world.api.home, 'images'), { recursive: true });
    await way.bringBack(target);
    const restored = await npm('worker/restore-main.ts');
    assert.match(restored, new RegExp(`“${title('Taken before')}”: was created after the backup`));

    const second = await openApi();
    t.after(() => second.kill());
    await worker.start();
    // The search for stalled deliveries wakes adopted ones within eight minutes. The test does not
    // wait for that.
    await wakeStalled(world.api.db, { now: new Date(Date.now() + 10 * 60_000), limit: 100 });
    await world.reaches(accepted, 'blogsite_b', 'delivered', 180_000);
    // Not in the backup: its author publishes it again, and the existing post is adopted.
    const again = await publish(second.url, author, title('Published after'));
    await world.reaches(again, 'blogsite_b', 'delivered', 180_000);
    for (const name of ['Delivered before', 'Taken before', 'Published after']) {
      assert.equal(await countCreates(world, title(name)), 1, name);
    }
    const events = await listEvents(world, author);
    assert.deepEqual(events, ['CROSS_POST_SUCCESS', 'CROSS_POST_SUCCESS', 'CROSS_POST_SUCCESS']);
    assert.ok(await images().has(image), 'the picture is there again');
    await worker.stop();
  });
}
