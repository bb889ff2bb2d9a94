/** The examples of a deployment: each is checked by the program that reads it, where that is there, and by what must hold in any case. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parse } from 'yaml';
import { findOnPath } from '../../scripts/check/debian.ts';

const folder = mkdtempSync(join(tmpdir(), 'courant-deployment-'));
after(() => rmSync(folder, { recursive: true }));

interface Service {
  image?: string;
  command?: string[];
  entrypoint?: string[];
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }> | string[];
  healthcheck?: object;
  user?: string;
}
const compose = parse(readFileSync('compose.yaml', 'utf8'), { merge: true }) as { services: Record<string, Service> };
const ours = Object.entries(compose.services).filter(([, { image }]) => image === 'courant:local');

const GIVEN = {
  BASE_URL: 'https://blog.example',
  POSTGRES_PASSWORD: 'given',
  COURANT_CREDENTIALS_KEY: 'given',
  COURANT_JWT_KEY: 'given',
};

/** `docker compose`, or the older program; null where there is neither. */
function findCompose(): string[] | null {
  if (spawnSync('docker', ['compose', 'version']).status === 0) return ['docker', 'compose'];
  return findOnPath(['docker-compose'], process.env) ? ['docker-compose'] : null;
}

const [program, ...first] = findCompose() ?? [];
const skipCompose = program ? false : 'docker compose is not installed: compose.yaml is only read as YAML here';
test('compose.yaml is taken by docker compose, and without its secrets it says which', { skip: skipCompose }, () => {
  const config = (env: Record<string, string>) =>
    spawnSync(program ?? '', [...first, '-f', 'compose.yaml', 'config'], {
      env: { PATH: process.env.PATH ?? '', HOME: folder, ...env },
      encoding: 'utf8',
    });
  const whole = config(GIVEN);
  assert.equal(whole.status, 0, whole.stderr);
  for (const name of ['api-1', 'api-2', 'worker', 'migrate', 'balancer'])
    assert.match(whole.stdout, new RegExp(`^  ${name}:`, 'm'));
  const { COURANT_JWT_KEY: _, ...lacking } = GIVEN;
  const refused = config(lacking);
  assert.notEqual(refused.status, 0);
  assert.match(refused.stderr, /COURANT_JWT_KEY/);
});

test('compose.yaml starts programs that there are, with settings that there are, after the migrations', () => {
  const known = readFileSync('.env.example', 'utf8');
  assert.deepEqual(ours.map(([name]) => name).sort(), ['admin', 'api-1', 'api-2', 'doctor', 'migrate', 'worker']);
  for (const [name, { command = [], entrypoint = [], environment = {}, depends_on }] of ours) {
    for (const file of [...command, ...entrypoint].filter((part) => part.endsWith('.ts')))
      assert.ok(existsSync(file), file);
    for (const variable of Object.keys(environment)) assert.ok(known.includes(`\n#${variable}=`), variable);
    if (!/^(?:api|worker)/.test(name)) continue;
    assert.ok(depends_on && !Array.isArray(depends_on));
    assert.equal(depends_on.migrate?.condition, 'service_completed_successfully');
  }
  for (const { image = '' } of Object.values(compose.services))
    assert.match(image, /:(?!latest$)[\w.-]+$/, 'a version by its tag');
});

test('the image has the Node.js of package.json, runs as another user than root, and copies what there is', () => {
  const lines = readFileSync('Dockerfile', 'utf8').split('\n');
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { devDependencies: { node: string } };
  const images = lines.flatMap((line) => /^FROM (\S+)/.exec(line)?.[1] ?? []);
  assert.deepEqual(new Set(images), new Set([`node:${devDependencies.node.split('.')[0]}-bookworm-slim`]));
  assert.equal(
    lines.findLast((line) => line.startsWith('USER ')),
    'USER node',
  );
  const named = lines
    .flatMap((line) => line.match(/[\w./-]+\.(?:ts|json)\b/g) ?? [])
    .filter((file) => !file.startsWith('./'));
  for (const file of named) assert.ok(existsSync(file), file);
  const left = readFileSync('.dockerignore', 'utf8').split('\n');
  for (const secret of ['.env', '.env.*', '.git', '.courant*', '**/node_modules'])
    assert.ok(left.includes(secret), secret);
});

const units = readdirSync('ops/systemd');
const analyze = findOnPath(['systemd-analyze'], process.env);
test('the units are taken by systemd', { skip: analyze ? false : 'systemd-analyze is not installed' }, () => {
  for (const unit of units) {
    // Where Node.js and the user are is for the machine of a deployment.
    const text = readFileSync(join('ops/systemd', unit), 'utf8').replace('/usr/bin/node', process.execPath);
    const file = join(folder, unit.replace('@.', '@3000.'));
    writeFileSync(file, text);
    const { status, stderr } = spawnSync(analyze ?? '', ['verify', '--man=no', file], { encoding: 'utf8' });
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' }, unit);
  }
});

test('units give a process longer to stop than it gives itself', () => {
  const read = (unit: string) =>
    Number(/^TimeoutStopSec=(\d+)$/m.exec(readFileSync(`ops/systemd/${unit}`, 'utf8'))?.[1]);
  assert.ok(read('courant-api@.service') > 8);
  assert.ok(read('courant-worker@.service') > 70);
});

const nginx = findOnPath(['nginx'], { PATH: `${process.env.PATH}:/usr/sbin` });
test('nginx.conf is taken by nginx', { skip: nginx ? false : 'nginx is not installed' }, () => {
  const file = join(folder, 'nginx.conf');
  // The hosts are those of the balancer's network.
  writeFileSync(file, readFileSync('ops/nginx.conf', 'utf8').replaceAll(/api-\d/g, '127.0.0.1'));
  const { status, stderr } = spawnSync(nginx ?? '', ['-t', '-g', `pid ${folder}/pid; error_log stderr;`, '-c', file], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
});

const caddy = findOnPath(['caddy'], process.env);
test('the Caddyfile is taken by Caddy', { skip: caddy ? false : 'Caddy is not installed' }, () => {
  const file = join(folder, 'Caddyfile');
  copyFileSync('ops/Caddyfile', file);
  const { status, stderr } = spawnSync(caddy ?? '', ['validate', '--adapter', 'caddyfile', '--config', file], {
    env: { PATH: process.env.PATH ?? '', HOME: folder },
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
});
