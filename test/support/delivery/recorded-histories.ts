/** Reads workflow histories that earlier versions of the code recorded (`npm run histories`). */
import { readdirSync, readFileSync } from 'node:fs';

export interface Recorded {
  events: { workflowExecutionStartedEventAttributes?: { workflowType: { name: string } } }[];
}

const FOLDER = new URL('../../histories/', import.meta.url);

export function listHistories(): { workflowId: string; history: Recorded }[] {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));
  return files.map((file) => ({
    workflowId: file.replace(/\.json$/, ''),
    history: JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Recorded,
  }));
}
