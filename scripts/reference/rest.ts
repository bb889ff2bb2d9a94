/**
 * Writes the page of the REST interface from its OpenAPI document, which a test compares with the
 * app.
 */
import { readFileSync } from 'node:fs';
import { wrapText, writeCode, writeHead, writeTable } from './markdown.ts';

interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  format?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
}
type Content = Record<string, { schema: Schema }>;
interface Operation {
  summary: string;
  description?: string;
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
  security?: Record<string, unknown>[];
}
interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const path = new URL('../../test/api/plugins/openapi.json', import.meta.url);
const AUTHENTICATION: Record<string, string> = {
  developerToken: 'Requires a developer token: `Authorization: Bearer <token>`.',
  session: 'Requires the access token of a session: `Authorization: Bearer <token>`.',
};

export function writeRestPage(): string {
  const document = JSON.parse(readFileSync(path, 'utf8')) as OpenApi;
  const head = writeHead(
    'REST',
    'After reading this page you can publish, read and search articles over HTTP. Every server offers the same as an ' +
      'OpenAPI document at `/api/v1/openapi.json`. The codes of problems are in [errors](errors.md#rest-problems).',
  );
  const operations = Object.entries(document.paths).flatMap(([url, methods]) =>
    Object.entries(methods).map(([method, operation]) => writeOperation(`${method.toUpperCase()} ${url}`, operation)),
  );
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) =>
    [`### ${name}`, wrapText(schema.description ?? ''), writeFields(schema)].join('\n\n'),
  );
  return [head, EXAMPLE, ...operations, '## Schemas', ...schemas].join('\n\n');
}

const EXAMPLE = `\`\`\`sh
curl --fail-with-body http://localhost:3000/api/v1/articles \\
  -H "Authorization: Bearer $SERVICE_TOKEN" -H 'Content-Type: application/json' \\
  -d '{"content": "---\\ntitle: Hello\\n---\\n\\nFrom curl."}'
\`\`\``;

function writeOperation(
  call: string,
  { summary, description, parameters, requestBody, responses, security }: Operation,
) {
  const parts = [`## ${summary}`, writeCode(call)];
  const authentication = (security ?? []).flatMap((scheme) => Object.keys(scheme)).map((name) => AUTHENTICATION[name]);
  parts.push(wrapText([description ?? '', ...authentication].join(' ')));
  if (parameters?.length) {
    const rows = parameters.map(({ name, in: place, required, description: meaning, schema }) => [
      `${writeCode(name)}${required ? ' (required)' : ''}`,
      place,
      describeType(schema),
      meaning ?? schema.description ?? '',
    ]);
    parts.push(writeTable(['Parameter', 'In', 'Type', 'Meaning'], rows));
  }
  const [body] = Object.values(requestBody?.content ?? {});
  if (body) parts.push('Body:', writeFields(body.schema));
  const rows = Object.entries(responses).map(([status, { description: meaning, content }]) => [
    status,
    Object.entries(content ?? {})
      .map(([type, { schema }]) => (schema.$ref ? describeType(schema) : type))
      .join(', '),
    // What Fastify writes without a description.
    meaning === 'Default Response' ? '' : meaning,
  ]);
  parts.push('Responses:', writeTable(['Status', 'Body', 'Meaning'], rows));
  const [success] = Object.entries(responses);
  const fields = Object.values(success?.[1].content ?? {}).flatMap(({ schema }) => (schema.properties ? [schema] : []));
  if (success && fields[0]) parts.push(`Fields of the response ${success[0]}:`, writeFields(fields[0]));
  return parts.filter((part) => part !== '').join('\n\n');
}

function writeFields(schema: Schema): string {
  return writeTable(['Field', 'Type', 'Meaning'], listFields(schema, ''));
}

function listFields({ properties = {}, required = [] }: Schema, prefix: string): string[][] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const isOptional = !required.includes(name);
    const row = [
      writeCode(`${prefix}${name}`),
      `${describeType(field)}${isOptional ? ', optional' : ''}`,
      field.description ?? '',
    ];
    const inner = field.items ?? field;
    return [row, ...(inner.properties ? listFields(inner, `${prefix}${name}${field.items ? '[]' : ''}.`) : [])];
  });
}

function describeType(schema: Schema): string {
  if (schema.$ref) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
    return `[${name}](#${name.toLowerCase()})`;
  }
  if (schema.const !== undefined) return writeCode(JSON.stringify(schema.const));
  if (schema.enum) return schema.enum.map((value) => writeCode(JSON.stringify(value))).join(', ');
  if (schema.anyOf) return [...new Set(schema.anyOf.map(describeType))].join(' or ');
  if (schema.items) return `array of ${describeType(schema.items)}`;
  const type = [schema.type ?? 'any'].flat().join(' or ');
  const limits = [
    ...(schema.format ? [schema.format] : []),
    ...(schema.minimum === undefined ? [] : [`≥ ${schema.minimum}`]),
    ...(schema.maximum === undefined ? [] : [`≤ ${schema.maximum}`]),
    ...(schema.maxLength === undefined ? [] : [`at most ${schema.maxLength} characters`]),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ];
  return limits.length === 0 ? type : `${type} (${limits.join(', ')})`;
}
