/** Shows progress on stderr: a spinner on a terminal, else a line per change. */
import type { CliContext } from '../context.ts';

export interface Progress {
  update(sentence: string): void;
  stop(): void;
}

const FRAMES = ['◒', '◐', '◓', '◑'];
const FRAME_MS = 100;

/**
 * Only writes. The spinners of prompt libraries also read: they handle Ctrl-C as a key and exit
 * with success before a command can report its progress.
 */
export function startProgress(sentence: string, { terminal, config, streams: { stderr } }: CliContext): Progress {
  const { dim, yellow, plain } = terminal.notePaint;
  const isDrawn = stderr.isTTY === true && stderr.columns !== 0 && config.animations;
  let message = '';
  let frame = 0;
  const draw = () => {
    // The terminal may have become narrower; a wrapped line could not be cleared.
    const text = message.slice(0, Math.max(0, stderr.columns - 4));
    terminal.draw(`${yellow(FRAMES[frame % FRAMES.length] ?? '')}  ${plain(text)}`);
    frame += 1;
  };
  const update = (next: string) => {
    const isChanged = next !== message;
    message = next;
    if (isDrawn) draw();
    else if (isChanged) terminal.note(dim(next));
  };
  const timer = isDrawn ? setInterval(draw, FRAME_MS) : undefined;
  update(sentence);
  return {
    update,
    stop() {
      clearInterval(timer);
      terminal.draw('');
    },
  };
}
