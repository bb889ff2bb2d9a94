/** What goes on, while nothing else is to be seen: a spinner on a terminal, a line for each change elsewhere. On stderr. */
import type { CliContext } from '../context.ts';

export interface Progress {
  say(sentence: string): void;
  stop(): void;
}

export function startProgress(sentence: string, context: CliContext): Progress {
  const { stderr } = context.streams;
  const isDrawn = stderr.isTTY === true && stderr.columns !== 0 && context.config.animations;
  const progress = isDrawn ? createSpinner(context) : createLines(context);
  progress.say(sentence);
  return progress;
}

function createLines({ terminal }: CliContext): Progress {
  let said = '';
  return {
    say(sentence) {
      if (sentence !== said) terminal.note(terminal.notePaint.dim(sentence));
      said = sentence;
    },
    stop: () => undefined,
  };
}

const FRAMES = ['◒', '◐', '◓', '◑'];
const FRAME_MS = 100;

/**
 * Only writes. The spinners of prompt libraries read as well: they take Ctrl-C as a key, and end the program as if all were well before a command can
 * say how far it came.
 */
function createSpinner({ terminal, streams: { stderr } }: CliContext): Progress {
  let said = '';
  let frame = 0;
  const draw = () => {
    // The terminal may have become narrower; what wraps would stay on the line above.
    const text = said.slice(0, Math.max(0, stderr.columns - 4));
    const { yellow, plain } = terminal.notePaint;
    terminal.draw(`${yellow(FRAMES[frame % FRAMES.length] ?? '')}  ${plain(text)}`);
    frame += 1;
  };
  const timer = setInterval(draw, FRAME_MS);
  return {
    say(sentence) {
      said = sentence;
      draw();
    },
    stop() {
      clearInterval(timer);
      terminal.draw('');
    },
  };
}
