/** Import and export statements of a text that meant to be MDX and is not: no reader wants them as text. */

/** Lines keep their numbers. Only statements at the start of a block, outside of code. */
export function dropModuleLines(body: string): string {
  let fence: string | null = null;
  let isBlockStart = true;
  const lines = body.split('\n').map((line) => {
    const marker = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (marker !== undefined && (fence === null || marker.startsWith(fence))) fence = fence === null ? marker : null;
    const isStatement =
      fence === null &&
      isBlockStart &&
      /^(?:import\s.*['"][^'"]+['"];?\s*$|export\s+(?:const|let|default|function)\b.*;?\s*$)/.test(line);
    if (isStatement) return '';
    isBlockStart = line.trim() === '';
    return line;
  });
  return lines.join('\n');
}
