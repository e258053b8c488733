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
  /** Temporary keys have one. */
  sessionToken?: string | undefined;
}

export interface BucketConfig extends BucketKeys {
  /** The bucket's address with an optional prefix: https://s3.example/bucket/prefix. */
  url: string;
  region: string;
}

export const printable = z.string().regex(/^[\x21-\x7e]+$/, "must be printable ASCII without spaces");

/**
 * Where the address of an S3-compatible bucket names it: in its path (https://s3.example/bucket/prefix), as every service but a few allows, or
 * in its host (https://bucket.s3.example/prefix). Amazon keeps the first one for the buckets of today and does not promise it for new ones:
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/VirtualHosting.html
 */
export const bucketAddressings = ["path", "virtual"] as const;
export type BucketAddressing = (typeof bucketAddressings)[number];

export interface BucketPlace {
  url: string;
  /** Undefined: by the host where it is one of Amazon, else in the path. */
  addressing?: BucketAddressing | undefined;
  /** Undefined: by the host where it is one of Amazon, else `us-east-1`. */
  region?: string | undefined;
}

export const BUCKET_RULE =
  "must be the address of a bucket, such as https://s3.example/bucket, without credentials or query";
const DEFAULT_REGION = "us-east-1";

/** `bucket.s3.eu-central-1.amazonaws.com`, with the forms of its services and of older regions. */
const AMAZON =
  /^(?:(?<bucket>.+)\.)?(?<service>s3(?:-fips|-website|-accelerate|-accesspoint|express[a-z0-9-]*)?)(?:\.dualstack)?(?:[.-](?<region>[a-z]{2,3}(?:-[a-z]+)+-\d))?(?<vpce>\.vpce)?\.amazonaws\.com(?:\.cn)?$/;
const ADDRESS_OF_A_MACHINE = /^\[|^[\d.]+$/;

function amazonHost(host: string): { bucket?: string | undefined; service: string; region?: string } | null {
  const groups = AMAZON.exec(host)?.groups as Record<"bucket" | "service" | "region" | "vpce", string> | undefined;
  if (groups === undefined) return null;
  // The endpoint of a private network is the same for all buckets: `bucket.vpce-1a2b.s3.eu-west-1.vpce.amazonaws.com`.
  return { ...groups, bucket: groups.vpce === undefined ? groups.bucket : undefined };
}

/** The same text for the same bucket and prefix, of an address without a fault. */
export function bucketIdentity({ url: text }: Pick<BucketPlace, "url">): string {
  const { origin, hostname, pathname } = new URL(text);
  const path = decodeURIComponent(pathname).replace(/^\/|\/+$/g, "");
  const amazon = amazonHost(hostname);
  if (!amazon) return `${origin}/${path}`;
  return `amazon ${amazon.bucket === undefined ? path : `${amazon.bucket}/${path}`.replace(/\/$/, "")}`;
}

/** The member that is wrong, and how, as the end of a sentence. Null: none is. */
export function bucketFault({ url: text, addressing, region }: BucketPlace): [keyof BucketPlace, string] | null {
  const url = URL.parse(text);
  const isPlain = url !== null && !url.username && !url.password && !url.search && !url.hash;
  if (!isPlain || !/^https?:$/.test(url.protocol)) return ["url", BUCKET_RULE];
  const { hostname, protocol } = url;
  const amazon = amazonHost(hostname);
  if (amazon?.service === "s3-website") return ["url", "is the address of a website, which takes no files"];
  if (amazon?.service.startsWith("s3express")) return ["url", "is one of a directory bucket, which is not supported"];
  const isVirtual = addressing === "virtual" || (addressing === undefined && amazon?.bucket !== undefined);
  if (!isVirtual && url.pathname.length < 2) return ["url", BUCKET_RULE];
  if (isVirtual) {
    const isNamed = amazon
      ? amazon.bucket !== undefined
      : hostname.includes(".") && !ADDRESS_OF_A_MACHINE.test(hostname);
    if (!isNamed) return ["url", "must name the bucket in its host, such as https://bucket.s3.example/prefix"];
    // A wildcard in a certificate stands for one word.
    if (protocol === "https:" && amazon?.bucket?.includes(".") && amazon.service !== "s3-accesspoint")
      return ["url", "has a bucket with dots in its host, for which Amazon has no certificate: name it in the path"];
  }
  if (isUndecodable(url.pathname)) return ["url", "has a % in its path that stands for no character of a name"];
  if (amazon?.service === "s3-accelerate" && region === undefined) return ["region", "is needed with this url"];
  if (region !== undefined && amazon?.region !== undefined && region !== amazon.region)
    return ["region", `is not ${amazon.region}, which the url names`];
  return null;
}

function isUndecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return /%2f/i.test(path);
  } catch {
    return true;
  }
}

/** The region to sign for. */
export const regionOf = ({ url, region }: BucketPlace): string =>
  region ?? amazonHost(URL.parse(url)?.hostname ?? "")?.region ?? DEFAULT_REGION;

export const recordingsVariables = {
  RECORDINGS_DIR: z.string().default("./data/recordings"),
  RECORDING_HOSTS: hostList.optional(),
  RECORDINGS_S3_URL: z.string().optional(),
  RECORDINGS_S3_ADDRESSING: z.enum(bucketAddressings).optional(),
  RECORDINGS_S3_REGION: printable.optional(),
  RECORDINGS_S3_ACCESS_KEY_ID: printable.optional(),
  RECORDINGS_S3_SECRET_ACCESS_KEY: printable.optional(),
  RECORDINGS_S3_SESSION_TOKEN: printable.optional(),
} satisfies Record<string, z.ZodType>;

const shape = z.object(recordingsVariables);
type Variables = z.output<typeof shape>;

export function recordingsConfigOf(vars: Variables): RecordingsConfig {
  const { RECORDINGS_S3_URL: url, RECORDINGS_S3_ACCESS_KEY_ID: id, RECORDINGS_S3_SECRET_ACCESS_KEY: secret } = vars;
  const { RECORDINGS_S3_REGION: region, RECORDINGS_S3_SESSION_TOKEN: sessionToken } = vars;
  return {
    directory: resolve(vars.RECORDINGS_DIR),
    bucket:
      url === undefined || id === undefined || secret === undefined
        ? null
        : {
            url,
            region: regionOf({ url, region }),
            accessKeyId: id,
            secretAccessKey: secret,
            ...(sessionToken === undefined ? {} : { sessionToken }),
          },
    hosts: vars.RECORDING_HOSTS ?? null,
    ownHosts: [],
  };
}
