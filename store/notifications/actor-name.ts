/** Names in notifications: one line of plain text, for streams, lists and terminals. */
import { cleanLine } from '../../article/text/clean-text.ts';

const MAX_NAME_LENGTH = 100;

/** Falls back to the user name if the cleaned name is empty. */
export function toActorName({ name, username }: { name: string; username: string }): string {
  return [...cleanLine(name)].slice(0, MAX_NAME_LENGTH).join('') || username;
}
