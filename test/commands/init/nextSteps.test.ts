import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../support/gateway.ts";
import { init, SERVICE, WITH_TOKEN } from "./initFolder.ts";

describe("What switchboard init says to do next", () => {
  it.each([
    [[], "http://127.0.0.1", null, false],
    [["--public-host", "a.example"], "https://a.example to 127.0.0.1:4000", "https://a.example/calllog", true],
    [
      ["--public-host", "https://a.example:8443/"],
      "https://a.example:8443 to 127.0.0.1:4000",
      "https://a.example:8443/calllog",
      true,
    ],
    [
      ["--public-host", "a.example", "--deploy", "compose"],
      "https://a.example to 127.0.0.1:4000",
      "https://a.example/calllog",
      true,
    ],
    [
      ["--public-host", "a.example", "--deploy", "kubernetes", "--database", "postgres://u@db/calls"],
      "https://a.example to the Service of switchboard.yaml",
      "https://a.example/calllog",
      true,
    ],
    [
      ["--public-host", "a.example", "--tls-proxy", "no"],
      "http://a.example:4000",
      "http://a.example:4000/calllog",
      false,
    ],
  ])(
    "is after the start the proxy, the test through it and the wait for a call: %j",
    async (args, forwards, address, isProxied) => {
      await using directory = await temporaryDirectory();
      const { out } = await init(directory.path, ["--yes", ...SERVICE, ...args], WITH_TOKEN);
      const [, next = ""] = out.split("Next:");
      const doctor = "SWITCHBOARD_KEY='<the key>' npx --no-install switchboard doctor --webhook";
      const lines = next
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => /proxy|doctor/.test(line));
      expect(lines).toEqual([
        ...(isProxied ? [expect.stringContaining(`A proxy with TLS that forwards ${forwards}: `)] : []),
        ...(address === null ? [] : [`${doctor} --address '${address}'`]),
        expect.stringContaining(`${doctor}    #`),
      ]);
    },
  );
});
