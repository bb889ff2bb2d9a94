/** Prompts on the terminal, on stderr because stdout is for results. Secrets are not echoed. */
import { createFailure, Interrupted } from '../failure.ts';

export interface TerminalStreams {
  stdin: NodeJS.ReadStream;
  stderr: NodeJS.WriteStream;
}

/** The part of a command's context that prompts use. */
export interface PromptContext {
  streams: TerminalStreams;
  signal: AbortSignal;
}

/** True if prompts are possible. */
export function isInteractive({ stdin, stderr }: TerminalStreams): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/** Throws `Interrupted` on Ctrl-C, and a `Failure` if the input ends (Ctrl-D). */
export function promptText(message: string, context: PromptContext): Promise<string> {
  return readAnswer<string>((prompts, io) => prompts.text({ message, ...io }), context);
}

export function promptSecret(message: string, context: PromptContext): Promise<string> {
  return readAnswer<string>((prompts, io) => prompts.password({ message, ...io }), context);
}

/** Returns the values of the selected options; empty without a selection. */
export function promptSelection(
  message: string,
  options: { value: string; label: string }[],
  context: PromptContext,
): Promise<string[]> {
  const more = { message, options, required: false };
  return readAnswer<string[]>((prompts, io) => prompts.multiselect({ ...more, ...io }), context);
}

type Prompts = typeof import('./prompts-library.ts');
interface PromptStreams {
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
  signal: AbortSignal;
}

async function readAnswer<T>(
  show: (prompts: Prompts, io: PromptStreams) => Promise<T | symbol>,
  { streams, signal }: PromptContext,
): Promise<T> {
  const { multiselect, password, text } = await import('./prompts-library.ts');
  const { stdin: input, stderr: output } = streams;
  // Some terminals have no known size: script(1), a serial line.
  output.columns ||= 80;
  output.rows ||= 24;
  // At the end of the input, the library would never resolve.
  const end = new AbortController();
  const finish = () => end.abort();
  const watch = (_text: string | undefined, key: { ctrl?: boolean; name?: string }) => {
    if (key.ctrl === true && key.name === 'd') finish();
  };
  signal.throwIfAborted();
  input.on('keypress', watch).once('end', finish);
  try {
    const answer = await show(
      { multiselect, password, text },
      { input, output, signal: AbortSignal.any([signal, end.signal]) },
    );
    signal.throwIfAborted();
    if (end.signal.aborted) throw createFailure('No input.');
    if (typeof answer === 'symbol') throw new Interrupted('SIGINT');
    return answer;
  } finally {
    input.off('keypress', watch).off('end', finish);
  }
}
