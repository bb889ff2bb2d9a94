/** The API's dependencies; `main` or a test creates them once. */
import type { FastifyBaseLogger } from 'fastify';
import type { PublishResult } from '../store/articles/publish/publish.ts';
import type { ImageStore } from '../store/images/files/image-store.ts';
import type { Sealer } from '../store/secrets/sealing.ts';
import type { WorkflowTarget } from '../temporal/signals.ts';
import type { AccountDeps } from './auth/account-deps.ts';
import type { KeyRing } from './auth/keys/key-ring.ts';
import type { ApiConfig } from './config.ts';
import type { DocumentPool } from './documents/pool.ts';
import type { PublishQueue } from './documents/publish-queue.ts';
import type { PublicResponder } from './http-cache/public-responder.ts';
import type { ApiMetrics } from './plugins/telemetry/api-metrics.ts';
import type { ApiTracing } from './plugins/telemetry/api-tracing.ts';

export interface ApiDeps extends Omit<AccountDeps, 'onOutboxWrite'> {
  config: ApiConfig;
  /** Only for the dispatcher; no request waits for it. */
  workflowTarget: WorkflowTarget;
  /** Reads and renders documents outside the event loop. */
  documents: DocumentPool;
  /** For the deriver, which closes it. */
  derivingDocuments: DocumentPool;
  /** Seals and opens the credentials of connections. */
  sealer: Sealer;
  /** Verifies links that unsubscribe from a digest or newsletter. */
  unsubscribeKey: Buffer;
  /** Copied pictures, as served to readers. */
  images: ImageStore;
  keyRing: KeyRing;
  /** Absent if metrics are turned off. */
  metrics?: ApiMetrics | undefined;
  /** Absent if tracing is turned off. */
  tracing?: ApiTracing | undefined;
  log: FastifyBaseLogger;
}

/** Dependencies of routes that send public responses. */
export type PublicDeps = ApiDeps & { responder: PublicResponder };

export type ConnectDeps = Pick<ApiDeps, 'db' | 'sealer' | 'now'> & {
  config: Pick<ApiConfig, 'allowPrivate' | 'baseUrl'>;
};

export type PublishDeps = Pick<ApiDeps, 'config' | 'db' | 'documents' | 'tracing' | 'log' | 'now'> & {
  publishQueue: PublishQueue;
  onPublished: (published: Pick<PublishResult, 'signalsWorkflow' | 'article'>) => void;
};

/** Dependencies of the routes for readers. */
export type ReaderDeps = ApiDeps & AccountDeps;

/** Dependencies of every section of the desk. */
export type DeskDeps = ReaderDeps & Pick<PublishDeps, 'publishQueue' | 'onPublished'>;
