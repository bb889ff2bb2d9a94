/** Creates certificates for a test with openssl: an authority, a server and a client. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Certificate {
  certPath: string;
  keyPath: string;
}

export function makeAuthority(folder: string, name: string): Certificate {
  const certificate = buildPaths(folder, name);
  openssl(
    'req',
    '-x509',
    '-subj',
    `/CN=${name}`,
    '-keyout',
    certificate.keyPath,
    '-out',
    certificate.certPath,
    ...NEW_KEY,
  );
  return certificate;
}

/** Creates a certificate for a server with this host name, or for a client. */
export function makeCertificate(folder: string, name: string, authority: Certificate, host: string): Certificate {
  const certificate = buildPaths(folder, name);
  const request = join(folder, `${name}.csr`);
  const extensions = join(folder, `${name}.ext`);
  writeFileSync(extensions, `subjectAltName=DNS:${host}\n`);
  openssl('req', '-subj', `/CN=${name}`, '-keyout', certificate.keyPath, '-out', request, ...NEW_KEY);
  const signer = ['-CA', authority.certPath, '-CAkey', authority.keyPath, '-CAcreateserial', '-extfile', extensions];
  openssl('x509', '-req', '-days', '2', '-in', request, '-out', certificate.certPath, ...signer);
  return certificate;
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

function buildPaths(folder: string, name: string): Certificate {
  return { certPath: join(folder, `${name}.pem`), keyPath: join(folder, `${name}.key`) };
}

function openssl(...args: string[]): void {
  execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
}
