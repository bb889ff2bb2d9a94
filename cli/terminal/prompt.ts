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
  return readAnswer('text', question, asking);
}

export function askSecretly(question: string, asking: Asking): Promise<string> {
  return readAnswer('password', question, asking);
}

async function readAnswer(kind: 'text' | 'password', message: string, { streams, signal }: Asking): Promise<string> {
  await import('./style-text.ts');
  const prompts = await import('@clack/prompts');
  const { stdin: input, stderr: output } = streams;
  // Some terminals do not say how wide they are: script(1), a serial line.
  output.columns ||= 80;
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
    const answer = await prompts[kind]({ message, input, output, signal: end.signal });
    signal.throwIfAborted();
    if (end.signal.reason === END) throw createFailure('Nothing was entered.');
    if (prompts.isCancel(answer)) throw new Interrupted('SIGINT');
    return answer ?? '';
  } finally {
    input.off('keypress', watch).off('end', finish);
    signal.removeEventListener('abort', interrupt);
  }
}

const END = 'the input has ended';
