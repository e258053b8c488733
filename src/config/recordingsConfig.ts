// The configuration of recordings: where they are stored, and from which hosts they may be downloaded.
import { resolve } from "node:path";
import { z } from "zod";

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

export interface HostRule {
  /** Written as in WHATWG URLs: lower case, IPv6 in brackets. */
  host: string;
  /** Null: ports 80 and 443. */
  port: number | null;
}

const printable = z.string().regex(/^[\x21-\x7e]+$/, "must be printable ASCII without spaces");

export const recordingsVariables = {
  RECORDINGS_DIR: z.string().default("./data/recordings"),
  RECORDING_HOSTS: z
    .string()
    .transform((text) => text.split(",").map((part) => readHostRule(part.trim())))
    .refine((rules) => !rules.includes(null), "must be host or host:port, whole names, separated by commas")
    .transform((rules) => rules.filter((rule) => rule !== null))
    .optional(),
  RECORDINGS_S3_URL: z
    .string()
    .refine((text) => {
      const url = URL.parse(text);
      const isPlain = url !== null && !url.username && !url.password && !url.search && !url.hash;
      return isPlain && /^https?:$/.test(url.protocol) && url.pathname.length > 1;
    }, "must be the address of a bucket, such as https://s3.example/bucket, without credentials or query")
    .optional(),
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

/** A host name or address. Patterns such as *.example or .example are refused, because no host would ever match them. */
const HOST_NAME = /^(\[[\da-f:.]+\]|[\w-]+(\.[\w-]+)*\.?)$/;

/** Reads `host` or `host:port`. Null for other text. */
export function readHostRule(text: string): HostRule | null {
  const url = /^[^/\\@?#\s]+$/.test(text) ? URL.parse(`http://${text}`) : null;
  if (!url || !HOST_NAME.test(url.hostname)) return null;
  const port = /:(\d+)$/.exec(text)?.[1];
  return { host: url.hostname, port: port === undefined ? null : Number(port) };
}
