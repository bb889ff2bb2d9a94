/** The entry point of the command line: streams, signals, exit code. */
import './node20.ts';
import { readConfig } from './config.ts';
import { describeOutputError, EXIT, Interrupted, readSystemCode } from './failure.ts';
import { runCommandLine } from './program.ts';
import { createTerminal } from './terminal/output.ts';

/** Operations that cannot be aborted, such as a read from a pipe, are abandoned after this time. */
const GRACE_MS = 500;

const config = readConfig(process.env);
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupt(signal));
process.stdout.on('error', failOutput);
process.stderr.on('error', (error) => {
  if (readSystemCode(error) !== 'EPIPE') process.exit(EXIT.failed);
});

// Until the command ends: a program that runs out of events has failed.
process.exitCode = EXIT.failed;
void runCommandLine(process.argv.slice(2), {
  config,
  terminal: createTerminal(process.stdout, process.stderr, config.colours),
  streams: process,
  signal: interruption.signal,
}).then((code) => {
  // Not process.exit, which would cut off output that a pipe has not accepted yet.
  process.exitCode = code;
});

function interrupt(signal: 'SIGINT' | 'SIGTERM'): void {
  const interrupted = new Interrupted(signal);
  if (interruption.signal.aborted) process.exit(interrupted.exitCode);
  interruption.abort(interrupted);
  setTimeout(() => process.exit(interrupted.exitCode), GRACE_MS).unref();
}

/**
 * `courant … | head` closes the pipe early, which is not a failure. Other errors (a full disk) are.
 */
function failOutput(error: Error): void {
  if (readSystemCode(error) === 'EPIPE') return;
  process.stderr.write(`${describeOutputError(error)}\n`);
  process.exit(EXIT.failed);
}
