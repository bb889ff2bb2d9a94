/** Names as notifications show them: one line of plain text, since they are written to streams, lists and terminals. */
import { cleanLine } from '../../article/text/clean-text.ts';

const LONGEST = 100;

/** The user name stands in for a name of which nothing is left. */
export function toActorName({ name, username }: { name: string; username: string }): string {
  return [...cleanLine(name)].slice(0, LONGEST).join('') || username;
}
