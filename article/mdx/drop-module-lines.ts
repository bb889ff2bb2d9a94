/** Drops import and export statements from a text that looks like MDX but is not valid MDX: no reader wants them. */
import { mapLines } from './code-fences.ts';
import { isForeignImport } from './foreign-imports.ts';

const STATEMENT = /^(?:import\s.*['"][^'"]+['"];?\s*$|export\s+(?:const|let|default|function)\b.*;?\s*$)/;

/** Lines keep their numbers. Only statements at the start of a block are dropped, and none inside of code. */
export function dropModuleLines(body: string): string {
  let isBlockStart = true;
  const keep = (line: string): string => {
    isBlockStart = line.trim() === '';
    return line;
  };
  return mapLines(body, {
    text: (line) => (isBlockStart && STATEMENT.test(line) && !isForeignImport(line) ? '' : keep(line)),
    code: keep,
  });
}
