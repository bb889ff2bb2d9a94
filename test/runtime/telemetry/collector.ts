/** An OpenTelemetry collector that stores what it receives by OTLP over HTTP as JSON. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: Record<string, unknown> }[];
  status?: { code: number };
  service: string;
}

interface Attribute {
  key: string;
  value: { stringValue?: string };
}

interface Export {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: Omit<SentSpan, 'service'>[] }[] }[];
}

export async function startCollector() {
  const spans: SentSpan[] = [];
  const server = createServer(async (request, response) => {
    if (request.url !== '/v1/traces') return void response.writeHead(404).end();
    for (const { resource, scopeSpans } of ((await json(request)) as Export).resourceSpans) {
      const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
      for (const scope of scopeSpans) spans.push(...scope.spans.map((span) => ({ ...span, service })));
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
