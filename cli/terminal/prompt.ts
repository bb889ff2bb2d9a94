/** Asks questions on the terminal; secret answers are not shown. Questions go to stderr, because stdout is for results. */
import { createFailure, Interrupted } from '../failure.ts';

export interface TerminalStreams {
  stdin: NodeJS.ReadStream;
  stderr: NodeJS.WriteStream;
}

/** What asking needs of a command's context. */
export interface Asking {
  streams: TerminalStreams;
  signal: AbortSignal;
}

/** True if there is a person to ask. */
export function isInteractive({ stdin, stderr }: TerminalStreams): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/** Throws `Interrupted` on Ctrl-C, and a `Failure` where the input ends (Ctrl-D) instead of an answer. */
export function ask(question: string, asking: Asking): Promise<string> {
  return readAnswer<string>((prompts, io) => prompts.text({ message: question, ...io }), asking);
}

export function askSecretly(question: string, asking: Asking): Promise<string> {
  return readAnswer<string>((prompts, io) => prompts.password({ message: question, ...io }), asking);
}

/** Returns the values of the selected options; none where nothing is selected. */
export function chooseSeveral(
  question: string,
  options: { value: string; label: string }[],
  asking: Asking,
): Promise<string[]> {
  return readAnswer<string[]>(
    (prompts, io) => prompts.multiselect({ message: question, options, required: false, ...io }),
    asking,
  );
}

type Prompts = typeof import('@clack/prompts');
interface PromptStreams {
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
  signal: AbortSignal;
}

async function readAnswer<T>(
  show: (prompts: Prompts, io: PromptStreams) => Promise<T | symbol>,
  { streams, signal }: Asking,
): Promise<T> {
  await import('./style-text.ts');
  const prompts = await import('@clack/prompts');
  const { stdin: input, stderr: output } = streams;
  // Some terminals have no known size: script(1), a serial line.
  output.columns ||= 80;
  output.rows ||= 24;
  const end = new AbortController();
  const interrupt = () => end.abort();
  // The library waits for ever where the input ends.
  const watch = (_text: string | undefined, key: { ctrl?: boolean; name?: string }) => {
    if (key.ctrl === true && key.name === 'd') end.abort(END);
  };
  const finish = () => end.abort(END);
  signal.throwIfAborted();
  signal.addEventListener('abort', interrupt, { once: true });
  input.on('keypress', watch).once('end', finish);
  try {
    const answer = await show(prompts, { input, output, signal: end.signal });
    signal.throwIfAborted();
    if (end.signal.reason === END) throw createFailure('Nothing was entered.');
    if (typeof answer === 'symbol') throw new Interrupted('SIGINT');
    return answer;
  } finally {
    input.off('keypress', watch).off('end', finish);
    signal.removeEventListener('abort', interrupt);
  }
}

const END = 'the input has ended';
