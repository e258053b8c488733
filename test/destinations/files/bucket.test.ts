// A bucket of files: what people met at S3-compatible services, and that no secret shows.
import { describe, expect, it } from "vitest";
import { createBucketTarget } from "../../../src/destinations/files/bucketTarget.ts";
import { TargetError } from "../../../src/destinations/files/fileTarget.ts";
import { createHourParts } from "../../../src/destinations/files/hourParts.ts";
import { createHostRules } from "../../../src/upstream/outside/hostRules.ts";
import type { Interception } from "../../recordings/bucket.ts";
import { allIds, bucketDestination, bucketPlace } from "./targets.ts";

const HOUR = "2026-11-20T09";
const { signal } = new AbortController();
const line = (id: string) => ({ id, text: JSON.stringify({ id, timestamp: "2026-11-20T09:30:00.000Z" }) });
const errorBody = (code: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>canary</Message><Resource>/canary-key</Resource></Error>`;
const isFile = (url = "") => url.endsWith(".gz");

describe("A bucket of files", () => {
  // The answer was lost, and the repeat met its own object: https://github.com/aws/aws-sdk-java-v2/issues/6580
  it.each([
    ["none", { status: null, isDone: true }],
    // https://repost.aws/knowledge-center/s3-resolve-200-internalerror
    ["200 and an error", { status: 200, body: errorBody("InternalError"), isDone: true }],
    ["500", { status: 500, isDone: true }],
  ] satisfies [string, Interception][])(
    "takes an object as its own that was put though the answer was %s",
    async (_, instead) => {
      const place = await bucketPlace();
      const parts = createHourParts(place.open());
      let isLost = false;
      place.bucket.intercept(({ url, method }) => {
        if (isLost || method !== "PUT" || !isFile(url)) return null;
        isLost = true;
        return instead;
      });
      await expect(parts.write(HOUR, [line("a")], signal)).rejects.toThrow(TargetError);
      await parts.write(HOUR, [line("a"), line("b")], signal);
      expect(allIds(place)).toEqual(["a", "b"]);
      const manifests = [...place.files().keys()].filter((name) => name.endsWith(".manifest.json"));
      expect(manifests).toHaveLength(2);
    },
  );

  it("doubles nothing where the event looks different at each attempt", async () => {
    const place = await bucketPlace();
    const parts = createHourParts(place.open());
    let lost = 0;
    place.bucket.intercept(({ url, method }) =>
      method === "PUT" && isFile(url) && (lost += 1) < 4 ? { status: 500, isDone: true } : null,
    );
    const changing = (at: number) =>
      ["a", "b"].map((id) => ({ id, text: JSON.stringify({ ...JSON.parse(line(id).text), at }) }));
    await expect(parts.write(HOUR, changing(1), signal)).rejects.toThrow(TargetError);
    await expect(parts.write(HOUR, changing(2), signal)).rejects.toThrow(TargetError);
    await expect(parts.write(HOUR, changing(3), signal)).rejects.toThrow(TargetError);
    await parts.write(HOUR, changing(4), signal);
    expect(allIds(place)).toEqual(["a", "b"]);
  });

  it("puts an object again of which the error came with 200", async () => {
    const place = await bucketPlace();
    const parts = createHourParts(place.open());
    let isOver = false;
    place.bucket.intercept(({ url }) => (isFile(url) && !isOver ? { status: 200, body: errorBody("SlowDown") } : null));
    await expect(parts.write(HOUR, [line("a")], signal)).rejects.toThrow("The bucket answered 200 SlowDown.");
    isOver = true;
    await parts.write(HOUR, [line("a")], signal);
    expect(allIds(place)).toEqual(["a"]);
  });

  // A proxy or a page of maintenance in its place: an upload without the tag in its answer was none at
  // https://github.com/pgbackrest/pgbackrest/pull/1438
  it.each([
    ["a page without a tag", { headers: {}, body: "" }],
    ["a page with a tag", { headers: { etag: '"5f1c"' }, body: "<html>Back at noon</html>" }],
  ])("has not stored what %s answers with 200, and keeps its names", async (_, page) => {
    const place = await bucketPlace();
    const parts = createHourParts(place.open());
    await parts.write(HOUR, [line("a")], signal);
    let isAway = true;
    place.bucket.intercept(({ url }) => (isFile(url) && isAway ? { status: 200, ...page } : null));
    await expect(parts.write(HOUR, [line("a"), line("b")], signal)).rejects.toThrow(
      "The bucket answered 200: a bucket answers with an ETag alone.",
    );
    isAway = false;
    await parts.write(HOUR, [line("a"), line("b")], signal);
    expect(allIds(place)).toEqual(["a", "b"]);
  });

  it("takes no page with 200 for a file that it holds", async () => {
    const place = await bucketPlace();
    const parts = createHourParts(place.open());
    await parts.write(HOUR, [line("a")], signal);
    place.bucket.intercept(({ url, method }) =>
      isFile(url) && method === "GET" ? { status: 200, body: "<html>Back at noon</html>" } : null,
    );
    await expect(parts.write(HOUR, [line("a")], signal)).rejects.toThrow("a bucket answers with an ETag alone");
    expect(allIds(place)).toEqual(["a"]);
  });

  it("is refused before the first file if its key may not read", async () => {
    const place = await bucketPlace();
    place.bucket.intercept(({ method }) =>
      method === "GET" ? { status: 403, body: errorBody("AccessDenied") } : null,
    );
    await expect(place.open().test(signal)).rejects.toThrow(/needs s3:PutObject and s3:GetObject/);
    await expect(createHourParts(place.open()).write(HOUR, [line("a")], signal)).rejects.toThrow(/AccessDenied/);
    expect([...place.files().keys()]).toEqual([]);
  });

  // Before https://github.com/minio/minio/issues/20346 and https://github.com/ceph/s3-tests/issues/583 the header was ignored.
  it("is refused before the first file if it overwrites what is there", async () => {
    const place = await bucketPlace();
    place.bucket.intercept(({ headers }) => {
      delete headers["if-none-match"];
      return null;
    });
    const parts = createHourParts(place.open());
    const refusal = /^The bucket overwrites what is there/;
    await expect(parts.write(HOUR, [line("a")], signal)).rejects.toThrow(refusal);
    await expect(place.open().test(signal)).rejects.toThrow(refusal);
    expect([...place.files().keys()]).toEqual([]);
  });

  it.each([
    // https://github.com/ceph/s3-tests/issues/218
    [501, "NotImplemented", /^The bucket answered 501 NotImplemented: it does not know `If-None-Match`/],
    // https://github.com/apache/opendal/issues/6741
    [409, "ConditionalRequestConflict", /^The bucket answered 409 ConditionalRequestConflict\.$/],
    // https://github.com/aws/aws-sdk-php/issues/612
    [
      403,
      "RequestTimeTooSkewed",
      /^The bucket answered 403 RequestTimeTooSkewed: the clock of this machine is wrong\.$/,
    ],
    [403, "AccessDenied", /needs s3:PutObject and s3:GetObject/],
    [403, "SignatureDoesNotMatch", /secretAccessKey or the region is wrong/],
    [404, "NoSuchBucket", /create it, or mend the url/],
    [301, "PermanentRedirect", /another region or address/],
    [307, "TemporaryRedirect", /another region or address/],
    [503, "SlowDown", /^The bucket answered 503 SlowDown\.$/],
    [502, "<html>", /^The bucket answered 502\.$/],
  ])("says what to do where it answers %i %s, and quotes no more of it", async (status, code, message) => {
    const place = await bucketPlace();
    place.bucket.intercept(() => ({
      status,
      headers: { location: "http://127.0.0.1:1/canary", "retry-after": "7" },
      body: errorBody(code),
    }));
    const error = await createHourParts(place.open())
      .write(HOUR, [line("a")], signal)
      .catch((each: unknown) => each);
    expect(error).toBeInstanceOf(TargetError);
    const refused = error as TargetError;
    expect(refused.message).toMatch(message);
    expect(refused.message).not.toMatch(/canary/);
    expect(refused.problem).toEqual({ status, retryAfterMs: 7000 });
    expect(place.bucket.requests).toHaveLength(1);
  });

  it("shows neither its key nor its address where it cannot be reached or refuses the key", async () => {
    const { bucket, open } = await bucketPlace();
    bucket.keys.secretAccessKey = "another";
    await expect(open().test(signal)).rejects.toThrow(/^The bucket answered 403\.$/);
    const rules = createHostRules([{ host: "127.0.0.1", port: 1 }], [], "DESTINATION_HOSTS");
    await using away = createBucketTarget(
      { ...bucketDestination(bucket), url: "http://127.0.0.1:1/bucket" },
      { rules },
    );
    await expect(away.test(signal)).rejects.toThrow(/^The bucket could not be reached \(ECONNREFUSED\)\.$/);
  });

  // https://github.com/romange/helio/issues/15
  it("takes temporary keys, and says that they have expired", async () => {
    const { bucket } = await bucketPlace();
    bucket.keys.sessionToken = "canary-session";
    const { hostname, port, origin } = new URL(bucket.config.url);
    const rules = createHostRules([{ host: hostname, port: Number(port) }], [], "DESTINATION_HOSTS");
    const own = { ...bucketDestination(bucket), url: origin, addressing: "virtual" as const };
    await using target = createBucketTarget({ ...own, sessionToken: "canary-session" }, { rules });
    await target.test(signal);
    expect(bucket.requests).toContain("GET /.switchboard-check");
    bucket.intercept(() => ({ status: 400, body: errorBody("ExpiredToken") }));
    await expect(target.test(signal)).rejects.toThrow(
      "The bucket answered 400 ExpiredToken: the sessionToken has expired: put new keys into the file.",
    );
  });

  it("is not connected to at a private address unless its host is listed", async () => {
    const { bucket } = await bucketPlace();
    const url = "https://bucket.example/bucket";
    const resolve = (_: string, done: (error: null, addresses: { address: string; family: number }[]) => void) =>
      done(null, [{ address: "10.0.0.1", family: 4 }]);
    const rules = createHostRules(null, [], "DESTINATION_HOSTS");
    await using target = createBucketTarget({ ...bucketDestination(bucket), url }, { rules, resolve });
    await expect(target.test(signal)).rejects.toThrow("The link is refused: its address is not public.");
    expect(bucket.requests).toEqual([]);
  });

  it("gives up where it does not answer in time, and at once where the gateway stops", async () => {
    const { bucket, open } = await bucketPlace();
    const { hostname, port } = new URL(bucket.config.url);
    const rules = createHostRules([{ host: hostname, port: Number(port) }], [], "DESTINATION_HOSTS");
    let waiting = Promise.withResolvers<void>();
    bucket.intercept((request) => {
      waiting.resolve();
      // It never answers.
      request.socket.pause();
      return { status: 200, headers: { "content-length": "5" }, body: "" };
    });
    const limits = { connectMs: 10_000, requestMs: 50 };
    await using slow = createBucketTarget(bucketDestination(bucket), { rules, limits });
    await expect(slow.test(signal)).rejects.toThrow("The bucket did not answer in time.");
    waiting = Promise.withResolvers<void>();
    const stopping = new AbortController();
    const asked = open().test(stopping.signal);
    await waiting.promise;
    stopping.abort(new Error("stopped"));
    await expect(asked).rejects.toThrow("stopped");
  });
});
