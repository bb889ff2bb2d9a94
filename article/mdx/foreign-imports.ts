/** Distinguishes `import "fmt"` in an article about Go or Dart from an import of MDX. */

const IMPORT = /^import\s+(["'])([^"'\n]+)\1;?$/;
/**
 * Packages of Go (`net/http`) and of hosts (`github.com/a/b`), libraries of Dart. JavaScript
 * imports from these with a name.
 */
const FOREIGN = /^(?:[a-z][a-z\d]*(?:\/[a-z\d]+)*|[a-z\d-]+\.[a-z]{2,6}\/[\w./-]+|(?:dart|package):[\w./-]+)$/;

export function isForeignImport(line: string): boolean {
  const name = IMPORT.exec(line.trim())?.[2];
  return name !== undefined && FOREIGN.test(name);
}
