/** Asks questions on the terminal; secret answers are not shown. Questions go to stderr, because stdout is for results. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { createFailure, Interrupted } from '../failure.ts';

export interface TerminalStreams {
  stdin: NodeJS.ReadStream;
  stderr: NodeJS.WriteStream;
}

/** True if there is a person to ask. */
export function isInteractive({ stdin, stderr }: TerminalStreams): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

export function ask(question: string, streams: TerminalStreams): Promise<string> {
  return readAnswer(question, streams, false);
}

export function askSecretly(question: string, streams: TerminalStreams): Promise<string> {
  return readAnswer(question, streams, true);
}

function readAnswer(question: string, { stdin, stderr }: TerminalStreams, secret: boolean): Promise<string> {
  // In raw mode it is readline that shows what is typed; if its output is discarded, nothing is shown.
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: secret ? discard : stderr, terminal: true, historySize: 0 });
  return new Promise<string>((resolve, reject) => {
    let answer: string | null = null;
    lines.once('SIGINT', () => {
      reject(new Interrupted('SIGINT'));
      lines.close();
    });
    lines.once('close', () => {
      if (secret || answer === null) stderr.write('\n');
      if (answer === null) reject(createFailure('Nothing was entered.'));
      else resolve(answer);
    });
    lines.once('line', (line) => {
      answer = line;
      lines.close();
    });
    if (secret) stderr.write(question);
    else {
      lines.setPrompt(question);
      lines.prompt();
    }
  });
}
