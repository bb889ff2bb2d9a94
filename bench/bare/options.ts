/** Options of the peer worker: minimal workflows, and an activity that only returns the time. */
import { fileURLToPath } from 'node:url';

export const BARE = {
  namespace: 'default',
  taskQueue: 'bare',
  workflowsPath: fileURLToPath(new URL('./workflows.ts', import.meta.url)),
  activities: { touch: async () => Date.now() },
};
