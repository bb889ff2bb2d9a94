/** One row for each platform that fulfils the shared contract. */
import { foremRow } from './forem.ts';
import { ghostRow } from './ghost.ts';
import { hashnodeRow } from './hashnode.ts';
import { linkedinRow } from './linkedin.ts';
import { mediumRow } from './medium.ts';
import type { Row } from './types.ts';
import { wordpressRow } from './wordpress.ts';

export const ROWS: readonly Row[] = [foremRow, hashnodeRow, mediumRow, wordpressRow, ghostRow, linkedinRow];
