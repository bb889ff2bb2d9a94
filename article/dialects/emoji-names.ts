/** The names that GitHub gives to emoji. A file of its own, since the table is large and few texts have a code in them. */
import { nameToEmoji } from 'gemoji';

export function findEmoji(name: string): string | undefined {
  return Object.hasOwn(nameToEmoji, name) ? nameToEmoji[name] : undefined;
}
