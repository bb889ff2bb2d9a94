/** Finds emoji by GitHub name. A separate file, because the table is large and rarely needed. */
import { nameToEmoji } from 'gemoji';

export function findEmoji(name: string): string | undefined {
  return Object.hasOwn(nameToEmoji, name) ? nameToEmoji[name] : undefined;
}
