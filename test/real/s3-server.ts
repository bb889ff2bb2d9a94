/**
 * A real S3 server for the picture store: the Versity S3 gateway, which stores objects as files.
 * `GOBIN=$PWD go install github.com/versity/versitygw/cmd/versitygw@v1.8.0` builds it;
 * REAL_S3_SERVER is its path.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AwsClient } from 'aws4fetch';
import { findFreePort } from '../../scripts/start/ports.ts';
import type { S3Settings } from '../../store/images/files/s3-images.ts';
import { eventually } from '../support/eventually.ts';

const program = process.env.REAL_S3_SERVER;
export const skip =
  program === undefined ? 'REAL_S3_SERVER does not name a program (test/real/s3-server.ts says which)' : false;

export interface RealS3 {
  /** The settings of an existing bucket. */
  settings: S3Settings;
  start(): Promise<void>;
  kill(): Promise<void>;
  /** Sends a request like the operator, without the tested code. */
  request(method: string, path: string): Promise<Response>;
  close(): Promise<void>;
}

export async function prepareRealS3(): Promise<RealS3> {
  const folder = mkdtempSync(join(tmpdir(), 'courant-s3-'));
  const port = await findFreePort();
  const keys = { accessKeyId: 'operator', secretAccessKey: 'not+a/secret=' };
  const region = 'eu-north-7';
  const origin = `http://127.0.0.1:${port}`;
  const client = new AwsClient({ ...keys, region, service: 's3', retries: 0 });
  const request = (method: string, path: string) => client.fetch(`${origin}${path}`, { method });
  let child: ChildProcess | undefined;
  mkdirSync(join(folder, 'data'));

  async function start(): Promise<void> {
    const args = ['--port', `127.0.0.1:${port}`, '--region', region, 'posix', join(folder, 'data')];
    const env = { ...process.env, ROOT_ACCESS_KEY: keys.accessKeyId, ROOT_SECRET_KEY: keys.secretAccessKey };
    child = spawn(program ?? '', args, { env, stdio: 'ignore' });
    await eventually('the S3 server', () =>
      request('GET', '/').then(
        ({ ok }) => ok,
        () => false,
      ),
    );
  }

  async function kill(): Promise<void> {
    if (child === undefined || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    child = undefined;
  }

  return {
    settings: { url: `${origin}/pictures`, region, ...keys },
    ...{ start, kill, request },
    async close() {
      await kill();
      rmSync(folder, { recursive: true });
    },
  };
}
