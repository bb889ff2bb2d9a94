/** Runs command lines in this process, with captured output and a scripted GraphQL server. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { type CliConfig, readConfig } from '../../cli/config.ts';
import type { CliContext } from '../../cli/context.ts';
import { writeCredentials } from '../../cli/credentials/credentials-file.ts';
import type { Credentials } from '../../cli/credentials/stored-credentials.ts';
import { runCommandLine } from '../../cli/program.ts';
import { createTerminal } from '../../cli/terminal/output.ts';
import type { CliResult } from './cli-home.ts';

export interface GraphqlCall {
  query: string;
  variables: Record<string, unknown>;
  authorization: string | undefined;
  /** The body of a publish. */
  document?: object;
}

type Answer = { data?: unknown; errors?: unknown; status?: number } & Record<string, unknown>;

export interface InProcessCli {
  folder: string;
  endpoint: string;
  origin: string;
  /** All requests, in order. */
  calls: GraphqlCall[];
  run(args: string[], changes?: { config?: Partial<CliConfig>; input?: string }): Promise<CliResult>;
}

/** The answers by a text that the query or the path contains. */
export async function openCli(
  t: TestContext,
  answers: Record<string, Answer | ((call: GraphqlCall) => Answer)> = {},
  stored?: (endpoint: string) => Credentials,
): Promise<InProcessCli> {
  const folder = await mkdtemp(join(tmpdir(), 'courant-cli-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const calls: GraphqlCall[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      // A request of the publish endpoint has its path instead of a query.
      const { query = request.url ?? '', variables = {}, ...document } = body as Partial<GraphqlCall>;
      const { authorization } = request.headers;
      const call = { query, variables, authorization, document };
      calls.push(call);
      const [, answer] = Object.entries(answers).find(([name]) => call.query.includes(name)) ?? [];
      const { status = 200, ...result } = typeof answer === 'function' ? answer(call) : (answer ?? { status: 404 });
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(result));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const endpoint = `${origin}/graphql`;
  const basic = { ...readConfig({}), configFolder: folder, endpoint: undefined };
  if (stored) await writeCredentials(basic, stored(endpoint));
  return {
    ...{ folder, endpoint, origin, calls },
    async run(args, { config = {}, input = '' } = {}) {
      const text = { stdout: '', stderr: '' };
      const capture = (name: 'stdout' | 'stderr') => ({ write: (chunk: string) => (text[name] += chunk) });
      const context: CliContext = {
        config: { ...basic, ...config },
        terminal: createTerminal(capture('stdout'), capture('stderr'), false),
        streams: { stdin: Readable.from([input]), stderr: {} } as unknown as CliContext['streams'],
        signal: new AbortController().signal,
      };
      const code = await runCommandLine(args, context);
      const hide = (shown: string) => shown.replaceAll(origin, '<server>').replaceAll(folder, '<folder>');
      return { code, stdout: hide(text.stdout), stderr: hide(text.stderr) };
    },
  };
}

const encode = (claims: object) => Buffer.from(JSON.stringify(claims)).toString('base64url');
/** A token that expires in 2100. */
export const ACCESS_TOKEN = `x.${encode({ exp: Date.UTC(2100, 0) / 1000 })}.x`;

export const withSession = (endpoint: string): Credentials => ({
  endpoint,
  origins: {
    [new URL(endpoint).origin]: {
      session: { accessToken: ACCESS_TOKEN, refreshToken: 'r', email: 'ada@example.org', endpoint },
    },
  },
});

export function assertLines(shown: string, lines: readonly string[]): void {
  assert.deepEqual(shown.trimEnd().split('\n'), lines);
}

/** A page of a GraphQL list. */
export const page = (nodes: object[], endCursor: string | null = null) => ({
  edges: nodes.map((node) => ({ node })),
  pageInfo: { hasNextPage: endCursor !== null, endCursor },
});
