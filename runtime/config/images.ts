/** Reads the settings of a bucket for pictures. Either all are set or none. */
import type { EnvironmentReader } from './environment.ts';

export interface S3Config {
  /**
   * The address of the bucket, such as `https://s3.eu-central-1.amazonaws.com/bucket`, with an
   * optional folder.
   */
  url: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

const URL_NAME = 'IMAGES_S3_URL';
const KEYS = ['IMAGES_S3_ACCESS_KEY_ID', 'IMAGES_S3_SECRET_ACCESS_KEY'] as const;

/** Returns null if none is set; pictures are then stored as files. */
export function readS3Config(env: EnvironmentReader): S3Config | null {
  const names = [URL_NAME, 'IMAGES_S3_REGION', ...KEYS];
  if (names.every((name) => env.optional(name) === undefined)) return null;
  const [accessKeyId, secretAccessKey] = KEYS.map((name) => env.matching(name, EXPECTED_KEY, isKey) ?? env.text(name));
  const url = env.matching(URL_NAME, EXPECTED_URL, isBucketUrl) ?? env.text(URL_NAME);
  const region = env.matching('IMAGES_S3_REGION', 'a region, such as eu-central-1', isRegion) ?? 'us-east-1';
  return {
    url: url.replace(/\/+$/, ''),
    region,
    accessKeyId: accessKeyId ?? '',
    secretAccessKey: secretAccessKey ?? '',
  };
}

const EXPECTED_KEY = 'a key without spaces';
const EXPECTED_URL = 'the HTTP or HTTPS URL of a bucket, without user name, query or fragment';

function isKey(text: string): boolean {
  return /^[\x21-\x7e]{1,512}$/.test(text);
}

function isRegion(text: string): boolean {
  return /^[a-z\d-]{1,60}$/.test(text);
}

/** The bucket may be in the path or in the first label of the host. */
function isBucketUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  return url.username === '' && url.password === '' && url.search === '' && url.hash === '';
}
