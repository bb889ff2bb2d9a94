/** A database that a version before 1.0.0 migrated is named, and neither used nor changed. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';

let database: OpenTestDatabase;
const home = mkdtempSync(join(tmpdir(), 'courant-earlier-'));
before(async () => {
  database = await openTestDatabase();
  await sql`delete from kysely_migration`.execute(database.db);
  await sql`insert into kysely_migration (name, timestamp) values ('0001-first', ''), ('0040-copies', '')`.execute(
    database.db,
  );
});
after(async () => {
  rmSync(home, { recursive: true });
  await database.close();
});

for (const [command, program] of Object.entries({
  'npm run migrate': 'store/db/migrate-main.ts',
  'npm run restore': 'worker/restore-main.ts',
})) {
  test(`${command} names the database of a version before 1.0.0, without its password, and changes nothing`, async () => {
    const env = { ...process.env, DATABASE_URL: database.url, COURANT_HOME: home };
    const { status, stdout, stderr } = spawnSync(process.execPath, [program], { env, encoding: 'utf8' });
    const { host, pathname, password } = new URL(database.url);
    assert.equal(status, 1);
    assert.match(stderr, new RegExp(`The database ${host}${pathname} contains the data of a version before 1\\.0\\.0`));
    assert.match(stderr, /Nothing in it was changed\./);
    assert.ok(!(stdout + stderr).includes(password));
    const { rows } = await sql`select (select string_agg(name, ' ' order by name) from kysely_migration) as migrations,
      (select count(*)::int from restores) as restores`.execute(database.db);
    assert.deepEqual(rows, [{ migrations: '0001-first 0040-copies', restores: 0 }]);
  });
}
