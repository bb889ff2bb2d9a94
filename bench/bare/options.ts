/** Options of the peer workers: minimal workflows and an activity without content. */
import { fileURLToPath } from 'node:url';

export const BARE = {
  namespace: 'default',
  taskQueue: 'bare',
  workflowsPath: fileURLToPath(new URL('./workflows.ts', import.meta.url)),
  activities: { touch: async () => Date.now() },
};
