/** The entry point of the command line: streams, signals, exit code. */
import './node20.ts';
import { readConfig } from './config.ts';
import { EXIT, Interrupted, readSystemCode } from './failure.ts';
import { runCommandLine } from './program.ts';
import { createTerminal } from './terminal/output.ts';

/** What cannot be aborted (a read from a pipe, for example) is abandoned after this time. */
const GRACE_MS = 500;

const config = readConfig(process.env);
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupt(signal));
for (const stream of [process.stdout, process.stderr]) stream.on('error', handleStreamError);

// Until the command has ended: a program that runs out of things to wait for has failed.
process.exitCode = EXIT.failed;
void runCommandLine(process.argv.slice(2), {
  config,
  terminal: createTerminal(process.stdout, process.stderr, config.colours),
  streams: {
    // Opened only where something is read from it, which few commands do.
    get stdin() {
      return process.stdin;
    },
    stderr: process.stderr,
  },
  signal: interruption.signal,
}).then((code) => {
  // Only set, because process.exit would cut off output that a pipe has not taken yet.
  process.exitCode = code;
});

function interrupt(signal: 'SIGINT' | 'SIGTERM'): void {
  const interrupted = new Interrupted(signal);
  if (interruption.signal.aborted) process.exit(interrupted.exitCode);
  interruption.abort(interrupted);
  setTimeout(() => process.exit(interrupted.exitCode), GRACE_MS).unref();
}

/** `courant … | head` closes the pipe early, which is not a failure. Any other error (a full disk) is one. */
function handleStreamError(error: Error): void {
  if (readSystemCode(error) === 'EPIPE') return;
  process.exit(EXIT.failed);
}
