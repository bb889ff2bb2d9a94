/** One row a platform: who stands here fulfils the shared contract. */
import { foremRow } from './forem.ts';
import { ghostRow } from './ghost.ts';
import { hashnodeRow } from './hashnode.ts';
import type { Row } from './row.ts';

export const ROWS: readonly Row[] = [foremRow, hashnodeRow, ghostRow];
