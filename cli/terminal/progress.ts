/** What goes on, while nothing else is to be seen: a spinner on a terminal, a line for each change elsewhere. On stderr. */
import './style-text.ts';
import { spinner } from '@clack/prompts';
import type { CliContext } from '../context.ts';

export interface Progress {
  say(sentence: string): void;
  /** Makes room for other output; the next `say` goes on. */
  pause(): void;
  stop(): void;
}

export function startProgress(sentence: string, { terminal, streams, config, signal }: CliContext): Progress {
  if (streams.stderr.isTTY !== true || streams.stderr.columns === 0 || !config.animations) {
    let said = sentence;
    terminal.note(terminal.notePaint.dim(sentence));
    return {
      say(next) {
        if (next !== said) terminal.note(terminal.notePaint.dim(next));
        said = next;
      },
      pause: () => undefined,
      stop: () => undefined,
    };
  }
  const create = () => spinner({ output: streams.stderr, signal, withGuide: false });
  let running: ReturnType<typeof create> | null = null;
  const say = (next: string) => {
    if (running !== null) running.message(next);
    else {
      running = create();
      running.start(next);
    }
  };
  const pause = () => {
    running?.clear();
    running = null;
  };
  say(sentence);
  return { say, pause, stop: pause };
}
