/** Starts the load balancers of `ops/` as programs in front of the APIs of a test. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../../scripts/start/ports.ts';
import { findOnPath } from '../../../scripts/start/temporal/program.ts';
import { eventually } from '../../support/eventually.ts';
import { canConnect } from './ports.ts';

export interface Balancer {
  url: string;
  close(): Promise<void>;
}

type Start = (program: string, place: { folder: string; port: number; apis: readonly string[] }) => ChildProcess;

export const BALANCERS: Record<'nginx' | 'caddy', Start> = {
  nginx(program, { folder, port, apis }) {
    // Replaces hosts and port by local ones. All else is unchanged.
    const [one = '', other = ''] = apis;
    const text = readFileSync('ops/nginx.conf', 'utf8')
      .replace('listen 80;', `listen 127.0.0.1:${port};`)
      .replace('api-1:3000', one)
      .replace('api-2:3000', other);
    const file = join(folder, 'nginx.conf');
    writeFileSync(file, text);
    const own = `daemon off; pid ${folder}/pid; error_log ${folder}/log; user root;`;
    return spawn(program, ['-g', own, '-c', file], { stdio: 'ignore' });
  },
  caddy(program, { folder, port, apis }) {
    const env = { HOME: folder, SITE_ADDRESS: `http://127.0.0.1:${port}`, API_ADDRESSES: apis.join(' ') };
    const args = ['run', '--adapter', 'caddyfile', '--config', 'ops/Caddyfile'];
    return spawn(program, args, { stdio: 'ignore', env: { PATH: process.env.PATH ?? '', ...env } });
  },
};

export function findBalancer(name: keyof typeof BALANCERS): string | undefined {
  return findOnPath([name], { PATH: `${process.env.PATH}:/usr/sbin` });
}

/** `apis` contains host and port of each. */
export async function startBalancer(name: keyof typeof BALANCERS, apis: readonly string[]): Promise<Balancer> {
  const folder = mkdtempSync(join(tmpdir(), 'courant-balancer-'));
  const port = await findFreePort();
  const child = BALANCERS[name](findBalancer(name) ?? name, { folder, port, apis });
  await eventually(`${name} to listen`, () => canConnect(port), { withinMs: 180_000 });
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
