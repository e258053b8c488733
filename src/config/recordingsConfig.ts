// What is configured of recordings: where they are kept, and from where they may be fetched.
import { z } from "zod";

export interface RecordingsConfig {
  /** Where they are kept; with a bucket, where they pass through. */
  directory: string;
  bucket: BucketConfig | null;
  /** Null: any public https host. */
  hosts: readonly HostRule[] | null;
  /** Allowed besides, whatever `hosts` says. */
  ownHosts: readonly HostRule[];
}

export interface BucketConfig {
  /** The bucket's address, path style, with a prefix or without: https://s3.example/bucket/prefix. */
  url: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

export interface HostRule {
  /** As WHATWG URLs have it: lower case, IPv6 in brackets. */
  host: string;
  /** Null: 80 and 443. */
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
    directory: vars.RECORDINGS_DIR,
    bucket:
      url === undefined || id === undefined || secret === undefined
        ? null
        : { url, region: vars.RECORDINGS_S3_REGION, accessKeyId: id, secretAccessKey: secret },
    hosts: vars.RECORDING_HOSTS ?? null,
    ownHosts: [],
  };
}

/** What one variable asks of another. */
export function recordingsConflicts(vars: Partial<Variables>): string[] {
  const names = ["RECORDINGS_S3_URL", "RECORDINGS_S3_ACCESS_KEY_ID", "RECORDINGS_S3_SECRET_ACCESS_KEY"] as const;
  const given = names.filter((name) => vars[name] !== undefined);
  if (given.length === 0) return [];
  return names.filter((name) => !given.includes(name)).map((name) => `${name} is needed with ${given.join(" and ")}`);
}

/** A pattern, such as *.example, or a domain with a dot before it is none: no host would ever fit it. */
const NAME = /^(\[[\da-f:.]+\]|[\w-]+(\.[\w-]+)*\.?)$/;

/** `host` or `host:port` as a rule; null for what is neither. */
export function readHostRule(text: string): HostRule | null {
  const url = /^[^/\\@?#\s]+$/.test(text) ? URL.parse(`http://${text}`) : null;
  if (!url || !NAME.test(url.hostname)) return null;
  const port = /:(\d+)$/.exec(text)?.[1];
  return { host: url.hostname, port: port === undefined ? null : Number(port) };
}
