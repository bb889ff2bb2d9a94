/** Drops import and export statements from invalid MDX, because they are no text for readers. */
import { mapLines } from './code-fences.ts';
import { isForeignImport } from './foreign-imports.ts';

const STATEMENT = /^(?:import\s.*['"][^'"]+['"];?\s*$|export\s+(?:const|let|default|function)\b.*;?\s*$)/;

/**
 * Line numbers stay the same. Drops only statements at the start of a block and outside of code.
 */
export function dropModuleLines(body: string): string {
  let isBlockStart = true;
  const passThrough = (line: string): string => {
    isBlockStart = line.trim() === '';
    return line;
  };
  return mapLines(body, {
    text: (line) => (isBlockStart && STATEMENT.test(line) && !isForeignImport(line) ? '' : passThrough(line)),
    code: passThrough,
  });
}
