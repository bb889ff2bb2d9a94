/**
 * The deployment examples: checked by their own programs if installed, and by rules that always
 * apply.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parse } from 'yaml';
import { findOnPath } from '../../scripts/start/temporal/program.ts';

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

const SETTINGS = {
  BASE_URL: 'https://blog.example',
  POSTGRES_PASSWORD: 'given',
  COURANT_CREDENTIALS_KEY: 'given',
  COURANT_JWT_KEY: 'given',
};

/** Returns `docker compose` or the older program; null if there is neither. */
function findCompose(): string[] | null {
  if (spawnSync('docker', ['compose', 'version']).status === 0) return ['docker', 'compose'];
  return findOnPath(['docker-compose'], process.env) ? ['docker-compose'] : null;
}

const [program, ...first] = findCompose() ?? [];
const skipCompose = program ? false : 'docker compose is not installed: compose.yaml is only read as YAML here';
test('docker compose accepts compose.yaml and names missing secrets', { skip: skipCompose }, () => {
  const config = (env: Record<string, string>) =>
    spawnSync(program ?? '', [...first, '-f', 'compose.yaml', 'config'], {
      env: { PATH: process.env.PATH ?? '', HOME: folder, ...env },
      encoding: 'utf8',
    });
  const complete = config(SETTINGS);
  assert.equal(complete.status, 0, complete.stderr);
  for (const name of ['api-1', 'api-2', 'worker', 'migrate', 'balancer'])
    assert.match(complete.stdout, new RegExp(`^  ${name}:`, 'm'));
  const { COURANT_JWT_KEY: _, ...lacking } = SETTINGS;
  const refused = config(lacking);
  assert.notEqual(refused.status, 0);
  assert.match(refused.stderr, /COURANT_JWT_KEY/);
});

test('compose.yaml starts existing programs with existing settings after the migrations', () => {
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

test('the image has the Node.js of package.json, does not run as root, and copies existing files', () => {
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
  const ignored = readFileSync('.dockerignore', 'utf8').split('\n');
  for (const secret of ['.env', '.env.*', '.git', '.courant*', '**/node_modules'])
    assert.ok(ignored.includes(secret), secret);
});

const units = readdirSync('ops/systemd');
const analyze = findOnPath(['systemd-analyze'], process.env);
test('systemd accepts the units', { skip: analyze ? false : 'systemd-analyze is not installed' }, () => {
  for (const unit of units) {
    // The paths of Node.js and of the user depend on the machine of a deployment.
    const text = readFileSync(join('ops/systemd', unit), 'utf8').replace('/usr/bin/node', process.execPath);
    const file = join(folder, unit.replace('@.', '@3000.'));
    writeFileSync(file, text);
    const { status, stderr } = spawnSync(analyze ?? '', ['verify', '--man=no', file], { encoding: 'utf8' });
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' }, unit);
  }
});

test('units allow a process more time to stop than the process itself', () => {
  const read = (unit: string) =>
    Number(/^TimeoutStopSec=(\d+)$/m.exec(readFileSync(`ops/systemd/${unit}`, 'utf8'))?.[1]);
  assert.ok(read('courant-api@.service') > 8);
  assert.ok(read('courant-worker@.service') > 70);
});

const nginx = findOnPath(['nginx'], { PATH: `${process.env.PATH}:/usr/sbin` });
test('nginx accepts nginx.conf', { skip: nginx ? false : 'nginx is not installed' }, () => {
  const file = join(folder, 'nginx.conf');
  // The hosts exist only in the network of the load balancer.
  writeFileSync(file, readFileSync('ops/nginx.conf', 'utf8').replaceAll(/api-\d/g, '127.0.0.1'));
  const { status, stderr } = spawnSync(nginx ?? '', ['-t', '-g', `pid ${folder}/pid; error_log stderr;`, '-c', file], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
});

const caddy = findOnPath(['caddy'], process.env);
test('Caddy accepts the Caddyfile', { skip: caddy ? false : 'Caddy is not installed' }, () => {
  const file = join(folder, 'Caddyfile');
  copyFileSync('ops/Caddyfile', file);
  const { status, stderr } = spawnSync(caddy ?? '', ['validate', '--adapter', 'caddyfile', '--config', file], {
    env: { PATH: process.env.PATH ?? '', HOME: folder },
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
});
