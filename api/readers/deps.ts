/** Dependencies of the routes for readers. */
import type { AccountDeps, ApiDeps } from '../deps.ts';

export type ReaderDeps = ApiDeps & AccountDeps;
