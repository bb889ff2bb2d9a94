/** Questions on the terminal. Answers to secret ones are not shown. Questions go to stderr: stdout is for results. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { failed, Interrupted } from '../failure.ts';

export interface TerminalStreams {
  stdin: NodeJS.ReadStream;
  stderr: NodeJS.WriteStream;
}

/** True where somebody can be asked. */
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
  // readline itself shows what is typed (raw mode); with its output swallowed, nothing does.
  const swallow = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: secret ? swallow : stderr, terminal: true, historySize: 0 });
  return new Promise<string>((resolve, reject) => {
    let answer: string | null = null;
    lines.once('SIGINT', () => {
      reject(new Interrupted('SIGINT'));
      lines.close();
    });
    lines.once('close', () => {
      if (secret || answer === null) stderr.write('\n');
      if (answer === null) reject(failed('Nothing was entered.'));
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
