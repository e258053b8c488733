// The configuration of recordings: where they are stored, and from which hosts they may be downloaded.
import { resolve } from "node:path";
import { z } from "zod";
import { hostList, type HostRule } from "./hostList.ts";

export interface RecordingsConfig {
  /** Where recordings are stored. With a bucket, they are here only until they are uploaded. */
  directory: string;
  bucket: BucketConfig | null;
  /** Null: any public https host. */
  hosts: readonly HostRule[] | null;
  /** Hosts that are allowed in addition to `hosts`: the sandbox. */
  ownHosts: readonly HostRule[];
}

export interface BucketKeys {
  accessKeyId: string;
  secretAccessKey: string;
}

export interface BucketConfig extends BucketKeys {
  /** The bucket's address in path style, with an optional prefix: https://s3.example/bucket/prefix. */
  url: string;
  region: string;
}

export const printable = z.string().regex(/^[\x21-\x7e]+$/, "must be printable ASCII without spaces");

export const BUCKET_RULE =
  "must be the address of a bucket, such as https://s3.example/bucket, without credentials or query";

/** Whether a text can be `BucketConfig.url`. */
export function isBucketAddress(text: string): boolean {
  const url = URL.parse(text);
  const isPlain = url !== null && !url.username && !url.password && !url.search && !url.hash;
  return isPlain && /^https?:$/.test(url.protocol) && url.pathname.length > 1;
}

export const recordingsVariables = {
  RECORDINGS_DIR: z.string().default("./data/recordings"),
  RECORDING_HOSTS: hostList.optional(),
  RECORDINGS_S3_URL: z.string().refine(isBucketAddress, BUCKET_RULE).optional(),
  RECORDINGS_S3_REGION: printable.default("us-east-1"),
  RECORDINGS_S3_ACCESS_KEY_ID: printable.optional(),
  RECORDINGS_S3_SECRET_ACCESS_KEY: printable.optional(),
} satisfies Record<string, z.ZodType>;

const shape = z.object(recordingsVariables);
type Variables = z.output<typeof shape>;

export function recordingsConfigOf(vars: Variables): RecordingsConfig {
  const { RECORDINGS_S3_URL: url, RECORDINGS_S3_ACCESS_KEY_ID: id, RECORDINGS_S3_SECRET_ACCESS_KEY: secret } = vars;
  return {
    directory: resolve(vars.RECORDINGS_DIR),
    bucket:
      url === undefined || id === undefined || secret === undefined
        ? null
        : { url, region: vars.RECORDINGS_S3_REGION, accessKeyId: id, secretAccessKey: secret },
    hosts: vars.RECORDING_HOSTS ?? null,
    ownHosts: [],
  };
}
