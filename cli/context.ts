/** The only access of commands to environment, streams and signals. */
import type { CliConfig } from './config.ts';
import type { Terminal } from './terminal/output.ts';
import type { TerminalStreams } from './terminal/prompt.ts';

export interface CliContext {
  config: CliConfig;
  terminal: Terminal;
  streams: TerminalStreams;
  /** Aborted by Ctrl-C, with an `Interrupted`. */
  signal: AbortSignal;
}
