/** What the parts of an import's step share. */
import type { Reading, SourceContext } from '../../sources/types.ts';
import type { ActivityDeps } from '../deps.ts';
import type { AwayHosts } from './away-hosts.ts';
import type { Pace } from './pace.ts';

export interface ImportStep {
  deps: ActivityDeps;
  context: SourceContext;
  pace: Pace;
  awayHosts: AwayHosts;
  /** At whose account everything there stands, where posts do not say it; asked once for each portion. */
  whose: () => Promise<string | null>;
}

/** `gone`: the import has ended. `later`: nothing more before a pause. */
export type Advance = 'on' | 'gone' | Extract<Reading<never>, { kind: 'later' }>;
