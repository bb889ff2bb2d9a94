/** What the forms of readers are given. */
import type { AccountDeps } from '../../accounts/deps.ts';
import type { ApiDeps } from '../../deps.ts';

export type ReaderDeps = ApiDeps & AccountDeps;
