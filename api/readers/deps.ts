/** What the forms of readers are given. */
import type { ApiDeps, AccountDeps } from '../deps.ts';

export type ReaderDeps = ApiDeps & AccountDeps;
