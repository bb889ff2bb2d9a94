/** Types shared by the parts of an import step. */
import type { Reading, SourceContext } from '../../sources/types.ts';
import type { ActivityDeps } from '../deps.ts';
import type { AwayHosts } from './away-hosts.ts';
import type { Pace } from './pace.ts';

export interface ImportStep {
  deps: ActivityDeps;
  context: SourceContext;
  pace: Pace;
  awayHosts: AwayHosts;
  /** The account of all posts at the source, for posts without one. Requested once per run. */
  whose: () => Promise<string | null>;
}

/** `gone`: the import has ended. `later`: a pause is needed. */
export type Advance = 'on' | 'gone' | Extract<Reading<never>, { kind: 'later' }>;
