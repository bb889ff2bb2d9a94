/** Types shared by the parts of an import step. */
import type { SourceContext, SourceResult } from '../../sources/types.ts';
import type { ActivityDeps } from '../deps.ts';
import type { RequestSpacing } from './request-spacing.ts';
import type { UnavailableHosts } from './unavailable-hosts.ts';

export interface ImportStep {
  deps: ActivityDeps;
  context: SourceContext;
  pace: RequestSpacing;
  unavailableHosts: UnavailableHosts;
  /** The account of all posts at the source, for posts without one. Requested once per run. */
  findAccount: () => Promise<string | null>;
}

/** `ended`: the import has ended. `later`: a pause is needed. */
export type Advance = 'continue' | 'ended' | Extract<SourceResult<never>, { kind: 'later' }>;
