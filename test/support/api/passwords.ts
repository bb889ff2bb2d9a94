/**
 * Hashes passwords at a low cost for tests: a real hash takes a third of a second of processor time
 * and 64 MiB.
 */
import { type HashCost, hashPassword } from '../../../store/users/passwords.ts';

export const CHEAP: HashCost = { memoryCost: 1_024, timeCost: 2, parallelism: 1 };

export function hashCheaply(password: string): Promise<string> {
  return hashPassword(password, CHEAP);
}
