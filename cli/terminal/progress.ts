/** What goes on, while nothing else is to be seen: a line that changes on a terminal, a line for each change elsewhere. On stderr. */
import type { CliContext } from '../context.ts';

export interface Progress {
  say(sentence: string): void;
  stop(): void;
}

export function startProgress(sentence: string, { terminal, streams, config }: CliContext): Progress {
  const isLive = streams.stderr.isTTY === true && config.colours;
  let said = '';
  const say = (next: string) => {
    if (next === said) return;
    said = next;
    if (isLive) streams.stderr.write(`\r\u001b[K${terminal.notePaint.dim(next)}`);
    else terminal.note(terminal.notePaint.dim(next));
  };
  say(sentence);
  return { say, stop: () => void (isLive && streams.stderr.write('\r\u001b[K')) };
}
