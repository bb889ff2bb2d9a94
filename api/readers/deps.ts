/** Dependencies of the routes for readers. */
import type { AccountDeps } from '../auth/account-deps.ts';
import type { ApiDeps } from '../deps.ts';

export type ReaderDeps = ApiDeps & AccountDeps;
