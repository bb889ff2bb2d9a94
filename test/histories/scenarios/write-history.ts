/** Writes a history to a file without machine names. Fails if it contains a secret. */
import { writeFile } from 'node:fs/promises';
import { homedir, hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { Run } from './story.ts';

export const HISTORIES = fileURLToPath(new URL('../', import.meta.url));

/**
 * `secrets` are strings of the scenarios that no history may contain. Returns the number of events.
 */
export async function writeHistory(client: Client, name: string, run: Run, secrets: string[]): Promise<number> {
  const history = await client.workflow.getHandle(run.workflowId, run.runId).fetchHistory();
  const json = JSON.parse(historyToJSON(history), removeMachineNames) as { events: unknown[] };
  // One event per line, so that a diff shows the effect of a code change on a workflow.
  const text = `{"events":[\n${json.events.map((event) => JSON.stringify(event)).join(',\n')}\n]}\n`;
  const searched = text + decodePayloads(json);
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  for (const secret of [...secrets, hostname(), homedir(), tmpdir(), root]) {
    if (searched.includes(secret)) throw new Error(`the history of ${name} holds ${JSON.stringify(secret)}`);
  }
  await writeFile(join(HISTORIES, `${name}.json`), text);
  return json.events.length;
}

/**
 * Removes worker names, which contain process and host, and task queues, which contain the process
 * of the test. A replay needs neither.
 */
function removeMachineNames(key: string, value: unknown): unknown {
  if (key === 'identity') return 'worker';
  // Stack traces contain paths.
  if (key === 'stackTrace') return '';
  if (key === 'taskQueue' && typeof value === 'object') return { name: 'courant', kind: 'TASK_QUEUE_KIND_NORMAL' };
  return value;
}

/** Returns the payloads as plain text. */
function decodePayloads(value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  const decoded = 'data' in value && typeof value.data === 'string' ? Buffer.from(value.data, 'base64').toString() : '';
  return decoded + Object.values(value).map(decodePayloads).join('\n');
}
