/** What every command is given: the outside world, so that no command reaches for it by itself. */
import type { CliConfig } from './config.ts';
import type { TerminalStreams } from './terminal/prompt.ts';
import type { Terminal } from './terminal/terminal.ts';

export interface CliContext {
  config: CliConfig;
  terminal: Terminal;
  streams: TerminalStreams;
  /** Aborted by Ctrl-C, with an `Interrupted`. */
  signal: AbortSignal;
}
