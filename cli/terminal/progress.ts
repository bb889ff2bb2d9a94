/** Shows progress on stderr: a spinner on a terminal, else a line per change. */
import type { CliContext } from '../context.ts';

export interface Progress {
  update(sentence: string): void;
  stop(): void;
}

export function startProgress(sentence: string, context: CliContext): Progress {
  const { stderr } = context.streams;
  const isDrawn = stderr.isTTY === true && stderr.columns !== 0 && context.config.animations;
  const progress = isDrawn ? createSpinner(context) : createLines(context);
  progress.update(sentence);
  return progress;
}

function createLines({ terminal }: CliContext): Progress {
  let message = '';
  return {
    update(sentence) {
      if (sentence !== message) terminal.note(terminal.notePaint.dim(sentence));
      message = sentence;
    },
    stop: () => undefined,
  };
}

const FRAMES = ['◒', '◐', '◓', '◑'];
const FRAME_MS = 100;

/**
 * Only writes. The spinners of prompt libraries also read: they handle Ctrl-C as a key and exit
 * with success before a command can report its progress.
 */
function createSpinner({ terminal, streams: { stderr } }: CliContext): Progress {
  let message = '';
  let frame = 0;
  const draw = () => {
    // The terminal may have become narrower; a wrapped line could not be cleared.
    const text = message.slice(0, Math.max(0, stderr.columns - 4));
    const { yellow, plain } = terminal.notePaint;
    terminal.draw(`${yellow(FRAMES[frame % FRAMES.length] ?? '')}  ${plain(text)}`);
    frame += 1;
  };
  const timer = setInterval(draw, FRAME_MS);
  return {
    update(sentence) {
      message = sentence;
      draw();
    },
    stop() {
      clearInterval(timer);
      terminal.draw('');
    },
  };
}
