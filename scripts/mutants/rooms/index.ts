/** Every mutant, room by room. */
import { listMutants } from '../mutant.ts';
import { ANSWERS } from './answers.ts';
import { ARTICLES } from './articles.ts';
import { DELIVERY } from './delivery.ts';
import { DESTINATIONS } from './destinations.ts';
import { GUARDS } from './guards.ts';
import { LIMITS } from './limits.ts';
import { NOTIFICATIONS } from './notifications.ts';
import { STORE } from './store.ts';
import { TIME } from './time.ts';

export const MUTANTS = [
  ...[DELIVERY, STORE, TIME, LIMITS, GUARDS],
  ...[ARTICLES, DESTINATIONS, ANSWERS, NOTIFICATIONS],
].flatMap(listMutants);
