/** Writes a history to a file without the names of this machine, and fails where it holds a secret. */
import { writeFile } from 'node:fs/promises';
import { homedir, hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { Run } from './story.ts';

export const HISTORIES = fileURLToPath(new URL('../../test/histories/', import.meta.url));

/** `secrets` are strings that the scenarios used and that no history may hold. Returns the number of events. */
export async function writeHistory(client: Client, name: string, run: Run, secrets: string[]): Promise<number> {
  const history = await client.workflow.getHandle(run.workflowId, run.runId).fetchHistory();
  const json = JSON.parse(historyToJSON(history), removeMachineNames) as { events: unknown[] };
  // One event per line, so that a diff shows what a change of the code did to a workflow.
  const text = `{"events":[\n${json.events.map((event) => JSON.stringify(event)).join(',\n')}\n]}\n`;
  const searched = text + decodePayloads(json);
  const root = fileURLToPath(new URL('../../', import.meta.url));
  for (const secret of [...secrets, hostname(), homedir(), tmpdir(), root]) {
    if (searched.includes(secret)) throw new Error(`the history of ${name} holds ${JSON.stringify(secret)}`);
  }
  await writeFile(join(HISTORIES, `${name}.json`), text);
  return json.events.length;
}

/** Names of workers hold a process and a host, names of task queues the test's process. A replay needs neither. */
function removeMachineNames(key: string, value: unknown): unknown {
  if (key === 'identity') return 'worker';
  // Stack traces hold paths.
  if (key === 'stackTrace') return '';
  if (key === 'taskQueue' && typeof value === 'object') return { name: 'courant', kind: 'TASK_QUEUE_KIND_NORMAL' };
  return value;
}

/** The payloads as plain text. */
function decodePayloads(value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  const own = 'data' in value && typeof value.data === 'string' ? Buffer.from(value.data, 'base64').toString() : '';
  return own + Object.values(value).map(decodePayloads).join('\n');
}
