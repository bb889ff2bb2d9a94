/**
 * Parses annotations of a log by the rules of the runner (actions/runner, ActionCommand.cs), which
 * accepts more than its documentation.
 */

export interface Annotation {
  level: string;
  message: string;
  file?: string;
  line?: string;
  col?: string;
  title?: string;
}

export function readAnnotations(log: string): Annotation[] {
  return log.split(/\r\n|\r|\n/).flatMap(readCommand);
}

function readCommand(line: string): Annotation[] {
  const current = /^\s*::([^\s:]+)(?: (.*?))?::(.*)$/.exec(line);
  if (current !== null) {
    const [, level = '', properties = '', message = ''] = current;
    return [{ level, message: decode(message), ...readProperties(properties) }];
  }
  // The first form of commands, which may occur anywhere in a line.
  const old = /##\[([^\s\]]+)[^\]]*\](.*)$/.exec(line);
  return old === null ? [] : [{ level: String(old[1]), message: String(old[2]) }];
}

function readProperties(text: string): Record<string, string> {
  const pairs = text.split(',').filter((pair) => pair.includes('='));
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at).trim(), decode(pair.slice(at + 1), true)];
    }),
  );
}

function decode(text: string, isProperty = false): string {
  const codes = isProperty ? /%(25|0D|0A|3A|2C)/g : /%(25|0D|0A)/g;
  return text.replace(codes, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
