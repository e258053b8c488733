// A bucket that speaks as much S3 as recordings need: it holds whoever asks to signature version 4, worked out here anew.
import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { startFakeService } from "../support/fakeService.ts";
import type { BucketConfig, BucketKeys } from "../../src/config/recordingsConfig.ts";

export interface Bucket {
  config: BucketConfig;
  /** Those that it accepts now. */
  keys: BucketKeys;
  objects: Map<string, { body: Buffer; type: string; at: number }>;
  /** While it is set, every request is answered with it. */
  failing: { status: number | null };
  /** Asked for each request in its order, from 1. Null: the bucket answers as it should. */
  intercept(by: Interceptor): void;
  /** `PUT /bucket/prefix/name`, of all requests. */
  requests: string[];
}

export type Interceptor = (request: IncomingMessage, count: number) => Interception | null;
export interface Interception {
  /** Null: the connection is cut without an answer. */
  status: number | null;
  headers?: Record<string, string>;
  body?: string;
  /** The request is carried out all the same. */
  isDone?: boolean;
}

/** It goes with the test. */
export async function openBucket(): Promise<Bucket> {
  const bucket = await startBucket();
  onTestFinished(() => bucket[Symbol.asyncDispose]());
  return bucket;
}

export async function startBucket(): Promise<Bucket & AsyncDisposable> {
  const objects: Bucket["objects"] = new Map();
  const failing: Bucket["failing"] = { status: null };
  const requests: string[] = [];
  let intercept: Interceptor = () => null;
  const keys: BucketKeys & { region: string } = {
    accessKeyId: "AKIDEXAMPLE",
    secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
    region: "eu-x",
  };
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.writeHead(500).end());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    if (failing.status !== null) return void response.writeHead(failing.status).end();
    if (!isSigned(request, body, keys)) return void response.writeHead(403).end();
    const path = request.url ?? "";
    requests.push(`${request.method} ${path}`);
    const instead = intercept(request, requests.length);
    const isNew = request.headers["if-none-match"] !== "*" || !objects.has(path);
    if (instead?.isDone === true && request.method === "PUT" && isNew)
      objects.set(path, { body, type: "", at: Date.now() });
    if (instead?.status === null) return void request.socket.destroy();
    if (instead) return void response.writeHead(instead.status, instead.headers).end(instead.body);
    if (request.method === "PUT") {
      const md5 = createHash("md5").update(body).digest("base64");
      if ((request.headers["content-md5"] ?? md5) !== md5) return void response.writeHead(400).end();
      // https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html
      if (!isNew) return void response.writeHead(412).end();
      objects.set(path, { body, type: request.headers["content-type"] ?? "", at: Date.now() });
      return void response.writeHead(200, { etag: etagOf(body) }).end();
    }
    const found = objects.get(path);
    if (!found) return void response.writeHead(404).end();
    if (request.method === "DELETE") {
      objects.delete(path);
      return void response.writeHead(204).end();
    }
    const [, first = "0", last = ""] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    const part = found.body.subarray(Number(first), Number(last || found.body.length - 1) + 1);
    response.writeHead(request.headers.range ? 206 : 200, {
      etag: etagOf(found.body),
      "last-modified": new Date(found.at).toUTCString(),
      "content-length": part.length,
    });
    response.end(request.method === "HEAD" ? undefined : part);
  }

  const { url, [Symbol.asyncDispose]: close } = await startFakeService(server);
  return {
    config: { url: `${url}/bucket/prefix`, ...keys },
    keys,
    objects,
    failing,
    requests,
    intercept: (by) => void (intercept = by),
    [Symbol.asyncDispose]: close,
  };
}

const etagOf = (body: Buffer) => `"${createHash("md5").update(body).digest("hex")}"`;
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
const sha256 = (text: string | Buffer) => createHash("sha256").update(text).digest("hex");

/** As the signature has a part of the path: each character but letters, digits and -._~ encoded once. */
const encoded = (part: string) =>
  encodeURIComponent(decodeURIComponent(part)).replace(
    /[!'()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );

function isSigned(request: IncomingMessage, body: Buffer, keys: Omit<BucketConfig, "url">): boolean {
  const { authorization = "", "x-amz-date": date = "", "x-amz-content-sha256": bodyDigest = "" } = request.headers;
  const [, id, day = "", region, names = "", signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
      authorization,
    ) ?? [];
  if (id !== keys.accessKeyId || region !== keys.region || bodyDigest !== sha256(body)) return false;
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/create-signed-request.html: the token of temporary keys is a signed header.
  if (keys.sessionToken !== request.headers["x-amz-security-token"]) return false;
  const needed = ["host", "x-amz-content-sha256", "x-amz-date", ...(keys.sessionToken ? ["x-amz-security-token"] : [])];
  if (!needed.every((name) => names.split(";").includes(name))) return false;
  const lines = names.split(";").map((name) => `${name}:${String(request.headers[name] ?? "").trim()}\n`);
  const [path = "", query = ""] = (request.url ?? "").split("?");
  const canonical = [
    request.method,
    path.split("/").map(encoded).join("/"),
    query,
    lines.join(""),
    names,
    bodyDigest,
  ].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", date, scope, sha256(canonical)].join("\n");
  const key = [day, region, "s3", "aws4_request"].reduce<Buffer | string>(hmac, `AWS4${keys.secretAccessKey}`);
  return hmac(key, text).toString("hex") === signature;
}
