import { gzipSync } from "node:zlib";
import type { RequestListener } from "node:http";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createHostRules } from "../../src/upstream/outside/hostRules.ts";
import { isPublicAddress } from "../../src/upstream/outside/hostRules.ts";
import { createRecordingAddressSigner } from "../../src/recordings/recordingAddress.ts";
import { readHostRule } from "../../src/config/hostList.ts";
import { createSigner } from "../../src/util/hmac.ts";
import { BAD_LINKS, PRIVATE, PUBLIC, WRITTEN } from "./links.ts";
import { allNamed, audio, fetcherWith, host, noRules, outcomeOf, SOUND } from "./hosts.ts";
import { sha256 } from "./world.ts";

const anyPublic = createHostRules(null);

function refusalOf(url: string, rules = anyPublic): string {
  const judged = rules.check(url);
  return typeof judged === "string" ? judged : "allowed";
}

describe("createHostRules()", () => {
  it.each(PRIVATE)("A49: refuses the private address %s", (address) => {
    expect(refusalOf(`https://${address}/1.wav`)).toBe("The link is refused: its address is not public.");
    expect(isPublicAddress(address.replace(/^\[|\]$/g, ""))).toBe(false);
  });

  it.each([...PUBLIC, "[2606:4700::1]", "[2a00:1450::1]"])("allows the public address %s", (address) => {
    expect(refusalOf(`https://${address}/1.wav`)).toBe("allowed");
  });

  it.each([...WRITTEN, "[::1]", "[::ffff:7f00:1]", "localhost"])("A50: opens no socket to %s", async (name) => {
    const four = await host(audio);
    const six = await host(audio, "::1");
    const fetcher = fetcherWith({ rules: noRules });
    for (const { port } of [four, six]) {
      expect(await outcomeOf(fetcher, `http://${name}:${port}/1.wav`)).toMatch(/^The link is refused: its address/);
    }
    expect([four.dialled(), six.dialled()]).toEqual([0, 0]);
    if (!name.startsWith("localhost")) expect(refusalOf(`https://${name}/1.wav`)).toMatch(/refused/);
  });

  it.each(BAD_LINKS)("A50, A53: refuses the link %j", (url, why) => {
    expect(refusalOf(url)).toBe(`The link is refused: ${why}.`);
  });

  it("A54: allows only listed hosts with RECORDING_HOSTS, on their ports, with http, private ones too", () => {
    const named = ["files.example", "10.0.0.1:8080"].map(readHostRule).filter((rule) => rule !== null);
    const rules = createHostRules(named, [{ host: "127.0.0.1", port: 4010 }]);
    for (const url of [
      "http://files.example/1",
      "https://FILES.example/1",
      "http://10.0.0.1:8080/1",
      "http://127.0.0.1:4010/1",
    ])
      expect(refusalOf(url, rules)).toBe("allowed");
    for (const url of [
      "https://other.example/1",
      "https://a.files.example/1",
      "https://files.example:8443/1",
      "http://10.0.0.1/1",
    ])
      expect(refusalOf(url, rules)).toBe("The link is refused: its host is not one of RECORDING_HOSTS.");
  });
});

describe("A51: the connection to a host name", () => {
  // On loopback, one address stands for the public internet and another for a machine of ours.
  const isAllowed = (address: string) => address === "127.0.0.2";
  const resolveTo =
    (...answers: string[][]) =>
    (_: string, done: (error: null, addresses: { address: string; family: number }[]) => void) => {
      const addresses = answers.length > 1 ? (answers.shift() ?? []) : (answers[0] ?? []);
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      );
    };

  it("is made to a public address", async () => {
    const good = await host(audio, "127.0.0.2");
    const fetcher = fetcherWith({ rules: noRules, isAllowed, resolve: resolveTo(["127.0.0.2"]) });
    expect(await outcomeOf(fetcher, `http://files.example:${good.port}/1.wav`)).toBe(sha256(SOUND));
  });

  it.each([[["127.0.0.1"]], [["127.0.0.2", "127.0.0.1"]], [["::1", "127.0.0.2"]]])(
    "is refused if the name has the addresses %j",
    async (addresses) => {
      const bad = await host(audio);
      const fetcher = fetcherWith({ rules: noRules, isAllowed, resolve: resolveTo(addresses) });
      expect(await outcomeOf(fetcher, `http://files.example:${bad.port}/1.wav`)).toMatch(
        /^The link is refused: its address/,
      );
      expect(bad.dialled()).toBe(0);
    },
  );

  it("uses the checked lookup, so that DNS cannot change in between", async () => {
    const bad = await host(audio);
    const good = await host((_, response) => response.writeHead(503, { connection: "close" }).end(), "127.0.0.2");
    const fetcher = fetcherWith({ rules: noRules, isAllowed, resolve: resolveTo(["127.0.0.2"], ["127.0.0.1"]) });
    expect(await outcomeOf(fetcher, `http://files.example:${good.port}/1.wav`)).toMatch(/answered 503/);
    for (const { port } of [bad, good]) {
      expect(await outcomeOf(fetcher, `http://files.example:${port}/1.wav`)).toMatch(/^The link is refused/);
    }
    expect(bad.dialled()).toBe(0);
  });
});

describe("a response of a recording's host", () => {
  const limits = { bytes: 100_000, totalMs: 1500, idleMs: 400 };
  const gateway = () => fetcherWith({ rules: allNamed, limits });
  const asAudio = { "content-type": "audio/wav" };
  const typed = (type: string, body: string | Buffer) => [{ "content-type": type }, body] as const;

  it("is requested without credentials and without encodings", async () => {
    const files = await host(audio);
    expect(await outcomeOf(gateway(), `${files.url}/1.wav`)).toBe(sha256(SOUND));
    const [headers] = files.seen;
    expect(headers).toMatchObject({ "accept-encoding": "identity" });
    expect(Object.keys(headers ?? {}).filter((name) => /authorization|cookie|referer/.test(name))).toEqual([]);
  });

  it.each(["http://127.0.0.1/", "file:///etc/passwd", "http://files.example/", "/1.wav"])(
    "A52: with a redirect to %s is not followed",
    async (location) => {
      const files = await host((_, response) => response.writeHead(302, { location }).end());
      expect(await outcomeOf(gateway(), `${files.url}/1.wav`)).toBe("The file's host answered 302. (briefly)");
      expect(files.seen).toHaveLength(1);
    },
  );

  const endless: RequestListener = (_, response) => {
    response.writeHead(200, asAudio).write(SOUND);
    const more = () => {
      while (response.write(Buffer.alloc(16_384)));
    };
    response.on("drain", more);
    more();
  };
  const trickling: RequestListener = (_, response) => {
    response.writeHead(200, asAudio).write(SOUND);
    const timer = setInterval(() => response.write("."), 50);
    response.on("close", () => clearInterval(timer));
  };
  const bomb = gzipSync(gzipSync(Buffer.concat([SOUND, Buffer.alloc(50_000_000)])));
  it.each<[string, RequestListener, RegExp]>([
    [
      "announced as 10 GB",
      (_, response) => response.writeHead(200, { ...asAudio, "content-length": 1e10 }).write(SOUND),
      /larger than 100000 bytes. \(never\)/,
    ],
    ["endless", endless, /larger than 100000 bytes. \(never\)/],
    ["a trickle", trickling, /longer than 1.5 s. \(forADay\)/],
    [
      "silent after its head",
      (_, response) => response.writeHead(200, asAudio).write(SOUND),
      /sent nothing for 0.4 s. \(forADay\)/,
    ],
    ["silent from the start", () => undefined, /sent nothing for 0.4 s. \(forADay\)/],
    [
      "gzip in gzip of 50 MB",
      (_, response) => response.writeHead(200, { ...asAudio, "content-encoding": "gzip, gzip" }).end(bomb),
      /larger than 100000 bytes. \(never\)/,
    ],
    [
      "cut short",
      (_, response) =>
        void response
          .writeHead(200, { ...asAudio, "content-length": SOUND.length })
          .write(SOUND.subarray(0, 99), () => response.destroy()),
      /could not be fetched \(UND_ERR_SOCKET\). \(forADay\)/,
    ],
  ])("A55: is given up if its body is %s", async (_, answer, failure) => {
    const files = await host(answer);
    expect(await outcomeOf(gateway(), `${files.url}/1.wav`)).toMatch(failure);
  });

  it.each([
    ["a page", typed("text/html", "<script>alert(1)</script>"), /Content-Type is not audio. \(forADay\)/],
    ["a message", typed("application/json", '{"status":"processing"}'), /Content-Type is not audio. \(forADay\)/],
    ["a page said to be audio", typed("audio/wav", "<html><script>alert(1)</script>"), /does not begin .* \(forADay\)/],
    ["a picture with scripts", typed("image/svg+xml", "<svg onload='alert(1)'/>"), /Content-Type is not audio/],
    ["a picture", typed("image/png", "\x89PNG\r\n\x1a\n"), /Content-Type is not audio. \(never\)/],
    ["a program said to be audio", typed("audio/mpeg", "MZ\x90\0\x03\0\0\0\x04\0\0\0"), /does not begin .* \(never\)/],
    ["an archive", typed("application/zip", "PK\x03\x04"), /Content-Type is not audio. \(never\)/],
    ["a program of any type", typed("application/octet-stream", "\x7fELF\x02\x01\x01\0\0\0\0\0"), /does not begin/],
    ["nothing", typed("audio/wav", ""), /does not begin .* \(forADay\)/],
    ["a list of files", typed("audio/x-mpegurl", "#EXTM3U"), /does not begin/],
  ])("A56: is refused as audio if it is %s", async (_, [headers, body], failure) => {
    const files = await host((_request, response) => response.writeHead(200, headers).end(body));
    expect(await outcomeOf(gateway(), `${files.url}/1.wav`)).toMatch(failure);
  });

  it.each([
    [202, "forADay"],
    [204, "forADay"],
    [403, "forADay"],
    [404, "forADay"],
    [409, "forADay"],
    [423, "forADay"],
    [429, "forADay"],
    [500, "forADay"],
    [401, "briefly"],
    [410, "never"],
    [451, "never"],
  ])("A57: with status %i is retried: %s", async (status, retry) => {
    const files = await host((_, response) => response.writeHead(status).end("canary"));
    const url = `${files.url}/..%2F..%2F%00canary.wav`;
    expect(await outcomeOf(gateway(), url)).toBe(`The file's host answered ${status}. (${retry})`);
  });
});

describe("A58: a signed recording address", () => {
  const NOW = Date.parse("2026-11-20T09:30:00.000Z");
  const grant = { sessionId: "s", viewer: "web", byToken: false, expiresAt: NOW + 60_000 };
  const addresses = (now = NOW, key = 7) =>
    createRecordingAddressSigner(createSigner(Buffer.alloc(32, key)), () => now);

  it("is refused if it was changed, is for another recording, has another key or is expired", () => {
    const address = addresses().create(grant);
    expect(addresses().verify(address)).toEqual(grant);
    expect(addresses(NOW + 59_999).verify(address)).toEqual(grant);
    expect(addresses(NOW + 60_000).verify(address)).toBeNull();
    expect(addresses(NOW, 8).verify(address)).toBeNull();
    const other = addresses().create({ ...grant, sessionId: "t" });
    expect(addresses().verify(`${other.split("?")[0]}?${address.split("?")[1]}`)).toBeNull();
    expect(addresses().verify(address.split("?")[0] ?? "")).toBeNull();
    expect(addresses().verify(`${address}&${address.split("?")[1]}`)).toBeNull();
    fc.assert(
      fc.property(fc.nat(address.length - 1), fc.constantFrom("A", "a", "0", "-", "_", "=", "%", "."), (at, letter) => {
        const changed = address.slice(0, at) + letter + address.slice(at + 1);
        fc.pre(changed !== address && at >= "/recordings/".length && !changed.startsWith(`${address}&`));
        expect(addresses().verify(changed)).toBeNull();
      }),
    );
  });
});
