/** Tells `import "fmt"` of a Go or Dart article, pasted as text, from an import of MDX. */

const IMPORT = /^import\s+(["'])([^"'\n]+)\1;?$/;
/** Packages of Go's own (`net/http`) and of hosts (`github.com/a/b`), libraries of Dart. JavaScript needs a name for what it imports from these. */
const FOREIGN = /^(?:[a-z][a-z\d]*(?:\/[a-z\d]+)*|[a-z\d-]+\.[a-z]{2,6}\/[\w./-]+|(?:dart|package):[\w./-]+)$/;

export function isForeignImport(line: string): boolean {
  const name = IMPORT.exec(line.trim())?.[2];
  return name !== undefined && FOREIGN.test(name);
}
