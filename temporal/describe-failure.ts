/** Maps Temporal connection errors to a cause and a remedy, because gRPC's messages are obscure. */
import type { TemporalConfig } from './connection.ts';

export interface TemporalFailure {
  message: string;
  remedy: string;
}

const RULES: [pattern: RegExp, cause: string, next: string][] = [
  [
    /self[- ]signed|unable to (?:get|verify).*(?:issuer|certificate|first)|UnknownIssuer|unknown issuer|invalid peer certificate: (?:BadSignature|Other)/i,
    'its certificate is of an authority that we do not know',
    'Name the file of that authority in TEMPORAL_TLS_SERVER_CA_CERT_PATH.',
  ],
  [
    /altnames|hostname\/ip does not match|NotValidForName|not valid for name/i,
    'its certificate is for another host name',
    'Use the host name of the certificate in TEMPORAL_ADDRESS, or name it in TEMPORAL_TLS_SERVER_NAME.',
  ],
  [
    /certificate has expired|CertificateExpired|cert(?:ificate)?[ _]?expired|not yet valid/i,
    'its certificate is not valid today',
    'Renew it, and look at the clocks of both machines.',
  ],
  [
    /certificate required|bad certificate|unknown ca\b|UnknownCA|alert.*certificate|decrypt error|CertificateRequired/i,
    'it does not take our certificate',
    'Name certificate and key of an authority that it knows in TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH.',
  ],
  [
    /key values mismatch|PEM|no start line|asn1|DECODER/i,
    'our certificate or its key cannot be used',
    'Both have to be PEM, and belong to each other: see TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH.',
  ],
  [
    /UNAUTHENTICATED|invalid api key|jwt|Request unauthorized|PERMISSION_DENIED/i,
    'it refuses us',
    'Is TEMPORAL_API_KEY valid still, and allowed for this namespace? In Temporal Cloud the namespace is name.account.',
  ],
  [
    /Namespace .*not found|NOT_FOUND/i,
    'it has no such namespace',
    'Create it (temporal operator namespace create), or correct TEMPORAL_NAMESPACE.',
  ],
  [
    /wrong version number|EPROTO|packet length too long|socket hang ?up|ECONNRESET|Connection dropped|Protocol error|received corrupt message/i,
    'one side speaks TLS and the other does not, or it does not take our certificate',
    'Set TEMPORAL_TLS=true, with TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH where it asks for a certificate; or none of them.',
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
    remedy: 'Is it running, and is TEMPORAL_ADDRESS its host and port?',
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
