/** The last lines of a start, and demo.json, which names the same addresses and logins. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  type DemoFile,
  restoreDemoFile,
  setAsideDemoFile,
  withDemo,
  writeDemoFile,
} from '../../../../scripts/start/demo/demo-file.ts';
import { describeNextSteps } from '../../../../scripts/start/demo/demonstrate.ts';

const login = (username: string) => ({
  username,
  email: `${username}@courant.localhost`,
  password: `${username}-pass`,
});
const DEMO: DemoFile = {
  ...{ ...login('demo'), second: login('second'), third: login('third'), token: 'courant_1' },
  ...{ baseUrl: 'http://localhost:3000', apiUrl: 'http://localhost:3000', graphqlUrl: 'http://localhost:3000/graphql' },
  ...{ temporalUi: null, temporalAddress: '127.0.0.1:7233', sandboxUrl: 'http://127.0.0.1:4010' },
  ...{ databaseUrl: 'postgres://courant@127.0.0.1:5433/courant', sandboxAccounts: [] },
  pids: { api: 1, worker: 2, temporal: null, postgres: 3, sandbox: 4 },
};

function createHome(t: TestContext) {
  const home = mkdtempSync(join(tmpdir(), 'courant-demo-'));
  t.after(() => rmSync(home, { recursive: true }));
  return { home, file: join(home, 'demo.json'), last: join(home, 'demo.last.json') };
}

test('the next steps name every address and login, and a command that publishes the example again', () => {
  const text = describeNextSteps(DEMO, { home: '/state', keepsMails: true, first: null });
  assert.deepEqual(text.split('\n'), [
    '',
    '  Site          http://localhost:3000',
    '  Desk          http://localhost:3000/desk',
    '  Destinations  http://127.0.0.1:4010   (local sandbox, with accounts to connect)',
    '  Mails         http://localhost:3000/dev/mails',
    '  GraphQL       http://localhost:3000/graphql',
    '  Demo login    demo@courant.localhost   password demo-pass   (the operator)',
    '  Second login  second@courant.localhost   password second-pass   (no destination)',
    '  Third login   third@courant.localhost   password third-pass   (one destination is broken on purpose)',
    '  Demo token    courant_1',
    '  All values    /state/demo.json',
    '',
    '  Try next: change examples/first-post.md, then',
    '    npx courant publish examples/first-post.md --token courant_1 --endpoint http://localhost:3000/graphql',
    '',
    '  Ctrl-C stops everything.',
    '',
  ]);
});

test('a mail server hides the stored mails; the cover and the Temporal UI are named if they exist', () => {
  const first = { action: 'created', id: '1', url: 'http://localhost:3000/x' };
  const describe = (coverImage: string | undefined, demo = DEMO) =>
    describeNextSteps(demo, { home: '/state', keepsMails: false, first: { ...first, coverImage } });
  assert.doesNotMatch(describe(undefined), /Mails|--cover|Temporal/);
  assert.match(
    describe('http://localhost:3000/images/a.png'),
    /\/graphql --cover http:\/\/localhost:3000\/images\/a\.png$/m,
  );
  const lines = describe(undefined, { ...DEMO, temporalUi: 'http://localhost:8233' }).split('\n');
  const start = lines.indexOf('  Temporal UI   http://localhost:8233; deliveries by state:');
  const queries = lines.slice(start + 1, lines.indexOf('', start));
  const prefix = 'http://localhost:8233/namespaces/default/workflows?query=';
  assert.ok(queries.length > 3);
  for (const line of queries) assert.match(line, /^ {4}\S.{11}http/);
  for (const line of queries) assert.equal(line.slice(16, 16 + prefix.length), prefix);
  assert.match(queries.at(-1) ?? '', /^ {4}Of demo .*CourantAuthor/);
});

test('demo.json of the last run is set aside during a start, and its credentials are kept', (t) => {
  const { home, file, last } = createHome(t);
  assert.deepEqual(setAsideDemoFile(home), {});
  writeDemoFile(home, DEMO);
  assert.equal(readFileSync(file, 'utf8'), `${JSON.stringify(DEMO, null, 2)}\n`);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(setAsideDemoFile(home), DEMO);
  assert.deepEqual([existsSync(file), existsSync(last)], [false, true]);
  // After another failed start, the file is still there.
  assert.deepEqual(setAsideDemoFile(home), DEMO);
  restoreDemoFile(home);
  assert.deepEqual([existsSync(file), existsSync(last)], [true, false]);
  restoreDemoFile(home);
  assert.ok(existsSync(file));
});

test('a file of this run replaces the one that was set aside', (t) => {
  const { home, file, last } = createHome(t);
  writeFileSync(last, '{"username":"old"}');
  writeDemoFile(home, DEMO);
  assert.equal(existsSync(last), false);
  writeFileSync(last, '{"username":"old"}');
  restoreDemoFile(home);
  assert.equal(JSON.parse(readFileSync(file, 'utf8')).username, 'demo');
});

test('commands use the database of demo.json unless DATABASE_URL names another', (t) => {
  const { home, file } = createHome(t);
  const variables = { COURANT_HOME: ` ${home} `, LOG_LEVEL: 'warn' };
  assert.deepEqual(withDemo(variables), variables);
  writeDemoFile(home, DEMO);
  const added = { DATABASE_URL: DEMO.databaseUrl, BASE_URL: DEMO.baseUrl };
  assert.deepEqual(withDemo(variables), { ...variables, ...added });
  assert.deepEqual(withDemo({ ...variables, DATABASE_URL: '' }), { ...variables, ...added });
  const chosen = { ...variables, BASE_URL: 'https://courant.example' };
  assert.deepEqual(withDemo(chosen), { ...chosen, DATABASE_URL: DEMO.databaseUrl });
  const configured = { ...variables, DATABASE_URL: 'postgres://db.example/x' };
  assert.deepEqual(withDemo(configured), configured);
  writeFileSync(file, '{"databaseUrl": ');
  assert.deepEqual(withDemo(variables), variables);
});
