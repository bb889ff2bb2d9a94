/** For workers of tests that import nothing. */
import type { ActivityDeps } from '../../activities/deps.ts';

export const NO_IMPORTS: Pick<ActivityDeps, 'conversions' | 'storageLimit'> = {
  conversions: { readFeed: async () => 'busy', convert: async () => 'busy', close: async () => undefined },
  storageLimit: 1024 * 1024,
};
