/** Maps Temporal connection errors to a cause and a remedy, because gRPC's messages are obscure. */
import type { TemporalConfig } from './connection.ts';

export interface TemporalFailure {
  message: string;
  remedy: string;
}

const RULES: [pattern: RegExp, cause: string, remedy: string][] = [
  [
    /self[- ]signed|unable to (?:get|verify).*(?:issuer|certificate|first)|UnknownIssuer|unknown issuer|invalid peer certificate: (?:BadSignature|Other)/i,
    'its certificate is signed by an unknown authority',
    'Set TEMPORAL_TLS_SERVER_CA_CERT_PATH to the file of that authority.',
  ],
  [
    /altnames|hostname\/ip does not match|NotValidForName|not valid for name/i,
    'its certificate is for another host name',
    'Use the host name of the certificate in TEMPORAL_ADDRESS, or set it in TEMPORAL_TLS_SERVER_NAME.',
  ],
  [
    /certificate has expired|CertificateExpired|cert(?:ificate)?[ _]?expired|not yet valid/i,
    'its certificate has expired or is not valid yet',
    'Renew it, and check the clocks of both machines.',
  ],
  [
    /certificate required|bad certificate|unknown ca\b|UnknownCA|alert.*certificate|decrypt error|CertificateRequired/i,
    'it rejects the client certificate',
    'Set TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH to a certificate and key from an authority that it trusts.',
  ],
  [
    /key values mismatch|PEM|no start line|asn1|DECODER/i,
    'the client certificate or its key cannot be used',
    'Both must be PEM and belong together: see TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH.',
  ],
  [
    /UNAUTHENTICATED|invalid api key|jwt|Request unauthorized|PERMISSION_DENIED/i,
    'it refuses access',
    'Check that TEMPORAL_API_KEY is valid and allowed for this namespace. In Temporal Cloud the namespace is name.account.',
  ],
  [
    /Namespace .*not found|NOT_FOUND/i,
    'the namespace does not exist',
    'Create it (temporal operator namespace create), or correct TEMPORAL_NAMESPACE.',
  ],
  [
    /wrong version number|EPROTO|packet length too long|socket hang ?up|ECONNRESET|Connection dropped|Protocol error|received corrupt message/i,
    'only one side uses TLS, or it rejects the client certificate',
    'Set TEMPORAL_TLS=true, with TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH if it requires a certificate; or set none of them.',
  ],
];

export function describeTemporalFailure(error: unknown, config: TemporalConfig): TemporalFailure {
  const message = collectMessages(error);
  const address = config.connectionOptions?.address ?? 'localhost:7233';
  const rule = RULES.find(([pattern]) => pattern.test(message));
  const reason = message.replaceAll(/\s+/g, ' ').slice(0, 300);
  const server = `Temporal at ${address}, namespace ${config.namespace}`;
  if (rule) return { message: `${server}: ${rule[1]} (${reason}).`, remedy: rule[2] };
  return {
    message: `${server} cannot be reached: ${reason}.`,
    remedy: 'Check that it is running and that TEMPORAL_ADDRESS is its host and port.',
  };
}

/** gRPC puts the reason into a cause or into `details`. */
function collectMessages(error: unknown): string {
  const parts: string[] = [];
  for (let at: unknown = error; at instanceof Error && parts.length < 8; at = at.cause) {
    const { code, details } = at as { code?: unknown; details?: unknown };
    parts.push(at.message, ...[code, details].filter((part) => typeof part === 'string'));
  }
  return [...new Set(parts)].join(': ') || String(error);
}
