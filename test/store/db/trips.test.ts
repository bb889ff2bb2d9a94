/** Transactions with few round trips, prepared statements, and lost connections. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type CompiledQuery, sql } from 'kysely';
import { type Database, openDatabase } from '../../../store/db/database.ts';
import { isConnectionLost, isDatabaseUnavailable } from '../../../store/db/pg-errors.ts';
import { prepare } from '../../../store/db/prepared.ts';
import { runTogether, transactInTrips } from '../../../store/db/trips.ts';
import { startTcpProxy } from '../../api/support/tcp-proxy.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';
import { eventually } from '../../support/eventually.ts';

let database: OpenTestDatabase;
let db: Database;
before(async () => {
  database = await openTestDatabase();
  db = database.db;
  await sql`create table kept (word text primary key)`.execute(db);
});
after(() => database.close());

const compile = <Row>(statement: ReturnType<typeof sql<Row>>): CompiledQuery<Row> => statement.compile(db);
const keep = (word: string) => sql`insert into kept values (${word})`;
const listKept = async () => (await sql<{ word: string }>`select word from kept order by word`.execute(db)).rows;

test('statements sent with begin and commit are in one transaction with those in between', async () => {
  const before = [compile(sql<{ oneWord: string }>`select 'read' as one_word`)] as const;
  const rows = await transactInTrips(db, before, async ({ tx, commitWith }, [[first]]) => {
    assert.deepEqual(first, { oneWord: 'read' });
    await keep('between').execute(tx);
    assert.deepEqual(await listKept(), [], 'another connection sees it before the commit');
    return commitWith(
      compile(sql`insert into kept values ('last') returning word`),
      compile(sql`select count(*)::int as count from kept`),
    );
  });
  assert.deepEqual(rows, [[{ word: 'last' }], [{ count: 2 }]]);
  assert.deepEqual(await listKept(), [{ word: 'between' }, { word: 'last' }]);
  await sql`delete from kept`.execute(db);
});

test('statements sent together run in order, and a failure of one undoes all', async () => {
  const [, [seen]] = await transactInTrips(db, [], ({ send }) =>
    send(compile(keep('first')), compile(sql<{ word: string }>`select word from kept`)),
  );
  assert.deepEqual(seen, { word: 'first' });
  const failing = transactInTrips(db, [], ({ send }) =>
    send(compile(keep('second')), compile(sql`select 1 / 0`), compile(keep('third'))),
  );
  await assert.rejects(failing, { code: '22012' });
  assert.deepEqual(await listKept(), [{ word: 'first' }]);
  await sql`delete from kept`.execute(db);
});

test('statements sent together are sent before PostgreSQL has answered the first', async (t) => {
  let received = '';
  const proxy = await startTcpProxy({
    port: Number(new URL(database.url).port),
    stopAnswersAfter(sent) {
      received += sent.toString('latin1');
      return received.includes('begin');
    },
  });
  const address = new URL(database.url);
  address.port = String(proxy.port);
  const unanswered = openDatabase(address.href);
  t.after(async () => {
    await unanswered.destroy();
    await proxy.close();
  });
  const reading = transactInTrips(unanswered, [compile(sql`select 'sent with begin'`)], async () => undefined);
  const isRejected = assert.rejects(reading, isConnectionLost);
  try {
    await eventually('the statement after begin', async () => received.includes('sent with begin'), {
      withinMs: 10_000,
    });
  } finally {
    proxy.cut();
    await isRejected;
  }
});

test('work without last statements is committed, and work that throws is rolled back', async () => {
  await transactInTrips(db, [], async ({ tx }) => void (await keep('ended').execute(tx)));
  const failing = transactInTrips(db, [], async ({ tx }) => {
    await keep('thrown').execute(tx);
    throw new Error('changed its mind');
  });
  await assert.rejects(failing, /changed its mind/);
  assert.deepEqual(await listKept(), [{ word: 'ended' }]);
});

test('if a last statement fails, nothing is stored and its error is thrown', async () => {
  const failing = transactInTrips(db, [], async ({ tx, commitWith }) => {
    await keep('before it').execute(tx);
    return commitWith(keep('ended').compile(db));
  });
  await assert.rejects(failing, { code: '23505', constraint: 'kept_pkey' });
  assert.deepEqual(await listKept(), [{ word: 'ended' }]);
});

test('if a last statement cannot be serialised, nothing is stored', async () => {
  const circular: { self?: object } = {};
  circular.self = circular;
  const failing = transactInTrips(db, [], ({ commitWith }) =>
    commitWith(keep('half').compile(db), sql`select ${circular}::jsonb`.compile(db)),
  );
  await assert.rejects(failing, TypeError);
  assert.deepEqual(await listKept(), [{ word: 'ended' }]);
});

test('a failure among the first statements is thrown before any work', async () => {
  const opening = [sql`select 1 / 0`.compile(db), sql`select 1`.compile(db)] as const;
  const failing = transactInTrips(db, opening, () => assert.fail('the work began'));
  await assert.rejects(failing, { code: '22012' });
});

test('an error that the work ignores does not lead to a commit', async () => {
  const failing = transactInTrips(db, [], async ({ tx }) => {
    await keep('lost').execute(tx);
    await keep('ended')
      .execute(tx)
      .catch(() => undefined);
  });
  await assert.rejects(failing, { name: 'AbortedTransactionError' });
  assert.deepEqual(await listKept(), [{ word: 'ended' }]);
});

test('a statement after a lock in the same round trip sees what the lock holder committed', async () => {
  await sql`create table counter as select 1 as id, 0 as n`.execute(db);
  const opening = [
    sql`select from counter where id = 1 for no key update`.compile(db),
    compile(sql<{ n: number }>`select n from counter`),
  ] as const;
  const seen = await Promise.all(
    Array.from({ length: 20 }, () =>
      transactInTrips(db, opening, async ({ commitWith }, [, [row]]) => {
        await commitWith(sql`update counter set n = n + 1`.compile(db));
        return row?.n;
      }),
    ),
  );
  assert.deepEqual(
    seen.sort((a, b) => (a ?? 0) - (b ?? 0)),
    Array.from({ length: 20 }, (_, n) => n),
  );
});

test('a connection left in a transaction is not reused', async () => {
  const leftPid = await db.connection().execute(async (connection) => {
    await sql`begin`.execute(connection);
    return (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(connection)).rows[0]?.pid;
  });
  const pids = await Promise.all(
    Array.from(
      { length: 10 },
      async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid,
    ),
  );
  assert.ok(!pids.includes(leftPid));
});

test('a prepared statement is parsed once on each connection', async () => {
  await db.connection().execute(async (connection) => {
    for (const n of [1, 2]) {
      const { rows } = await connection.executeQuery(
        prepare('add_two', sql<{ sum: number }>`select ${n}::int + 2 as sum`.compile(db)),
      );
      assert.deepEqual(rows, [{ sum: n + 2 }]);
    }
    const { rows } = await sql`select name from pg_prepared_statements where name like 'add_two %'`.execute(connection);
    assert.equal(rows.length, 1);
  });
});

test('if PostgreSQL has lost a prepared statement, the transaction is repeated and stored once', async () => {
  const one = openDatabase(database.url, { maxConnections: 1 });
  const insert = (word: string) => prepare('keep_word', keep(word).compile(one));
  const select = () => prepare('count_words', sql<{ count: number }>`select count(*)::int from kept`.compile(one));
  const ways = {
    opening: (word: string) => transactInTrips(one, [select()], ({ commitWith }) => commitWith(insert(word))),
    send: (word: string) => transactInTrips(one, [], ({ send }) => send(insert(word))),
    commit: (word: string) => transactInTrips(one, [], ({ commitWith }) => commitWith(insert(word), select())),
  };
  try {
    for (const way of Object.values(ways)) await way(`before ${way.name}`);
    for (const way of Object.values(ways)) {
      await sql`deallocate all`.execute(one);
      await way(`lost ${way.name}`);
    }
    assert.deepEqual(
      (await listKept()).filter(({ word }) => word.startsWith('lost')).map(({ word }) => word),
      ['lost commit', 'lost opening', 'lost send'],
    );
  } finally {
    await one.destroy();
    await sql`delete from kept where word like 'before %' or word like 'lost %'`.execute(db);
  }
});

test('statements sent together outside a transaction are repeated if one is lost', async () => {
  const one = openDatabase(database.url, { maxConnections: 1 });
  const read = () => {
    const first = prepare('read_first', sql<{ word: string }>`select 'first' as word`.compile(one));
    const second = prepare('read_second', sql<{ word: string }>`select 'second' as word`.compile(one));
    return runTogether(one, first, second);
  };
  try {
    await read();
    const { rows } = await sql<{ name: string }>`select name from pg_prepared_statements
      where starts_with(name, 'read_second ')`.execute(one);
    assert.equal(rows.length, 1);
    await sql`deallocate ${sql.id(rows[0]?.name ?? '')}`.execute(one);
    assert.deepEqual(await read(), [[{ word: 'first' }], [{ word: 'second' }]]);
  } finally {
    await one.destroy();
  }
});

test('a transaction is repeated once only, and never after its commit', async () => {
  const lost = Object.assign(new Error('lost'), { code: '26000' });
  let tries = 0;
  const neverFound = transactInTrips(db, [], async () => {
    tries += 1;
    throw lost;
  });
  await assert.rejects(neverFound, lost);
  assert.equal(tries, 2);
  tries = 0;
  const afterwards = transactInTrips(db, [], async ({ commitWith }) => {
    tries += 1;
    await commitWith();
    throw lost;
  });
  await assert.rejects(afterwards, lost);
  assert.equal(tries, 1);
});

test('a commit with a lost response may have been stored, as its error shows; one that the server refused was not (F8)', async (t) => {
  const { port } = new URL(database.url);
  const proxy = await startTcpProxy({
    port: Number(port),
    stopAnswersAfter(sent) {
      if (!sent.includes('commit')) return false;
      setTimeout(() => proxy.cut(), 100);
      return true;
    },
  });
  const address = new URL(database.url);
  address.port = String(proxy.port);
  const cut = openDatabase(address.href);
  t.after(async () => {
    await cut.destroy();
    await proxy.close();
  });
  const unanswered = transactInTrips(cut, [], ({ commitWith }) => commitWith(keep('unanswered').compile(cut)));
  await assert.rejects(unanswered, (error) => isDatabaseUnavailable(error) && isConnectionLost(error));
  // The server may still be committing when the connection is cut.
  await eventually('the row of the lost commit', async () => (await listKept()).at(-1)?.word === 'unanswered');
  await assert.rejects(keep('cannot be sent').execute(cut), (error) => isDatabaseUnavailable(error));
  await assert.rejects(keep('unanswered').execute(db), (error) => !isConnectionLost(error));
});
