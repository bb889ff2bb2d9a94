/** Histories that were recorded from workflows of earlier code (`npm run histories`), which stand for those that are running. */
import { readdirSync, readFileSync } from 'node:fs';

export interface Recorded {
  events: { workflowExecutionStartedEventAttributes?: { workflowType: { name: string } } }[];
}

const folder = new URL('../histories/', import.meta.url);

/** The folders `generation-N` hold what an earlier generation of the workflows' code recorded (`temporal/names.ts`). */
export function listHistories(): { workflowId: string; history: Recorded }[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'));
  return files.map((file) => ({
    workflowId: file.replace(/\.json$/, ''),
    history: JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Recorded,
  }));
}
