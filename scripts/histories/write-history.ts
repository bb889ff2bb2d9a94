/** A history as a file: what is of this machine is left out, and what must never be in one stops the recording. */
import { writeFile } from 'node:fs/promises';
import { homedir, hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { Run } from './story.ts';

export const HISTORIES = fileURLToPath(new URL('../../test/histories/', import.meta.url));

/** `secrets`: what the scenarios had in hand, and no history may hold. */
export async function writeHistory(client: Client, name: string, run: Run, secrets: string[]): Promise<number> {
  const history = await client.workflow.getHandle(run.workflowId, run.runId).fetchHistory();
  const json = JSON.parse(historyToJSON(history), leaveOutMachine) as { events: unknown[] };
  // A line an event: what a change of the code did to a workflow can be read in the difference.
  const text = `{"events":[\n${json.events.map((event) => JSON.stringify(event)).join(',\n')}\n]}\n`;
  const told = text + payloadsOf(json);
  const root = fileURLToPath(new URL('../../', import.meta.url));
  for (const secret of [...secrets, hostname(), homedir(), tmpdir(), root]) {
    if (told.includes(secret)) throw new Error(`the history of ${name} holds ${JSON.stringify(secret)}`);
  }
  await writeFile(join(HISTORIES, `${name}.json`), text);
  return json.events.length;
}

/** Workers are called by process and host, task queues after the test's process. A replay asks for none of it. */
function leaveOutMachine(key: string, value: unknown): unknown {
  if (key === 'identity') return 'worker';
  // Full of paths.
  if (key === 'stackTrace') return '';
  if (key === 'taskQueue' && typeof value === 'object') return { name: 'courant', kind: 'TASK_QUEUE_KIND_NORMAL' };
  return value;
}

/** What the payloads say, in the clear. */
function payloadsOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  const said = 'data' in value && typeof value.data === 'string' ? Buffer.from(value.data, 'base64').toString() : '';
  return said + Object.values(value).map(payloadsOf).join('\n');
}
