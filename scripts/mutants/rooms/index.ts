/** Lists all mutants. */
import { listMutants } from '../mutant.ts';
import { ACTORS } from './actors.ts';
import { RESPONSES } from './answers.ts';
import { ARTICLES } from './articles.ts';
import { DELIVERY } from './delivery.ts';
import { DESTINATIONS } from './destinations.ts';
import { GUARDS } from './guards.ts';
import { LEDGER } from './ledger.ts';
import { LIMITS } from './limits.ts';
import { LINES } from './lines.ts';
import { NOTIFICATIONS } from './notifications.ts';
import { PUBLISHING } from './publishing.ts';
import { TIME } from './time.ts';

export const MUTANTS = [
  ...[DELIVERY, ACTORS, LEDGER, LINES, PUBLISHING, TIME],
  ...[LIMITS, GUARDS, ARTICLES, DESTINATIONS, RESPONSES, NOTIFICATIONS],
].flatMap(listMutants);
