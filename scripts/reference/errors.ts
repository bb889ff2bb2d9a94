/** Writes the page of error codes and warnings. */
import { CODE_REGISTRIES } from './code-registries.ts';
import { wrapText, writeCode, writeHead, writeTable } from './markdown.ts';

export function writeErrorPage(): string {
  const sections = CODE_REGISTRIES.map(({ title, about, entries }) => {
    const codes = Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1));
    const rows = codes.map(([code, [meaning, nextStep]]) => [writeCode(code), meaning, nextStep]);
    return `## ${title}\n\n${wrapText(about)}\n\n${writeTable(['Code', 'Meaning', 'Next step'], rows)}`;
  });
  const head = writeHead(
    'Errors and warnings',
    'After reading this page you can handle each code in a program. Codes are stable within a major version; ' +
      'messages are for people and can change.',
  );
  return [head, EXAMPLE, ...sections].join('\n\n');
}

const EXAMPLE = `\`\`\`json
{
  "success": false,
  "type": "urn:courant:problem:missing_token",
  "title": "Unauthorized",
  "status": 401,
  "detail": "Send a developer token: Authorization: Bearer courant_…",
  "code": "missing_token",
  "errors": [],
  "requestId": "6e1f0c0e-6b1c-4a0e-9d53-0f3f0f9c1a7b"
}
\`\`\``;
