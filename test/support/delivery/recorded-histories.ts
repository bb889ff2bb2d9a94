/**
 * Reads histories that earlier code recorded (`npm run histories`). They represent running
 * workflows.
 */
import { readdirSync, readFileSync } from 'node:fs';

export interface Recorded {
  events: { workflowExecutionStartedEventAttributes?: { workflowType: { name: string } } }[];
}

const folder = new URL('../../histories/', import.meta.url);

/**
 * The folders `generation-N` contain recordings of earlier workflow versions (`temporal/names.ts`).
 */
export function listHistories(): { workflowId: string; history: Recorded }[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'));
  return files.map((file) => ({
    workflowId: file.replace(/\.json$/, ''),
    history: JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Recorded,
  }));
}
