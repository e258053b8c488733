import { describe, expect, it } from "vitest";
import { readConfig } from "../../../src/config/config.ts";
import { acceptsCallback, readCallback } from "../../../src/server/callbacks/callbackRequest.ts";

const ALLOWED = "https://allowed.example/callback, http://10.0.0.1:8080/, https://other.example";
const { callbackUrls } = readConfig({ FEDERATION: "on", SUBSCRIPTION_CALLBACK_URLS: ALLOWED });

const read = (subscription: unknown, allowed = callbackUrls) => readCallback({ extensions: { subscription } }, allowed);
const named = { subscriptionId: "one", verifier: "v", heartbeatIntervalMs: 5000 };
const urlOf = (callbackUrl: string) => {
  const target = read({ ...named, callbackUrl });
  return typeof target === "string" ? null : target.url;
};

describe("A callback URL", () => {
  it.each([
    ["https://allowed.example/callback", "https://allowed.example/callback"],
    ["https://allowed.example/callback/1-a_b", "https://allowed.example/callback/1-a_b"],
    ["https://allowed.example/callback/", "https://allowed.example/callback/"],
    ["HTTPS://ALLOWED.example:443/callback/1", "https://allowed.example/callback/1"],
    ["https://allowed.example/callback/../callback/1", "https://allowed.example/callback/1"],
    ["http://10.0.0.1:8080/any/path", "http://10.0.0.1:8080/any/path"],
    ["https://other.example", "https://other.example/"],
  ])("%s is called as %s", (text, called) => expect(urlOf(text)).toBe(called));

  it.each([
    ["another host", "https://evil.example/callback/1"],
    ["a host that begins with an allowed one", "https://allowed.example.evil.com/callback/1"],
    ["a host that ends with an allowed one", "https://notallowed.example/callback/1"],
    ["a subdomain", "https://a.allowed.example/callback/1"],
    ["an allowed host as the user", "https://allowed.example@evil.com/callback/1"],
    ["an allowed host with its path as the user", "https://allowed.example/callback/@evil.com/callback/1"],
    ["a user", "https://user@allowed.example/callback/1"],
    ["an empty user", "https://@allowed.example/callback/1"],
    ["a user and a password", "https://a:b@allowed.example/callback/1"],
    ["another scheme", "http://allowed.example/callback/1"],
    ["no web address", "file:///callback/1"],
    ["no scheme", "//allowed.example/callback/1"],
    ["another port", "https://allowed.example:8443/callback/1"],
    ["a host with a last dot", "https://allowed.example./callback/1"],
    ["a path that only begins alike", "https://allowed.example/callback-of-others/1"],
    ["the path's parent", "https://allowed.example/"],
    ["dot segments that leave the path", "https://allowed.example/callback/../admin"],
    ["encoded dots", "https://allowed.example/callback/%2e%2e/admin"],
    ["a mix of dots", "https://allowed.example/callback/.%2E/admin"],
    ["dots encoded twice", "https://allowed.example/callback/%252e%252e/admin"],
    ["an encoded slash", "https://allowed.example/callback/..%2fadmin"],
    ["an encoded backslash", "https://allowed.example/callback/..%5cadmin"],
    ["a backslash", "https://allowed.example/callback/..\\admin"],
    ["a backslash behind the host", "https://evil.com\\@allowed.example/callback/1"],
    ["a path parameter", "https://allowed.example/callback/..;/admin"],
    ["an empty segment", "https://allowed.example/callback//admin"],
    ["a query", "https://allowed.example/callback/1?to=admin"],
    ["a fragment", "https://allowed.example/callback/1#x"],
    ["a tab, which a parser removes", "https://allowed.example/callback/.\t./admin"],
    ["a line end", "https://allowed.example/callback/1\r\nhost: evil.com"],
    ["a space", " https://allowed.example/callback/1"],
    ["letters of full width", "https://ａllowed.example/callback/1"],
    ["an IPv4 address in another spelling and port", "http://0xa.1:80/x"],
    ["too many characters", `https://allowed.example/callback/${"a".repeat(2048)}`],
    ["no text", ""],
  ])("is refused with %s", (_, text) => expect(urlOf(text)).toBeNull());

  it("is refused with a message that names the variable and no part of the address", () => {
    expect(read({ ...named, callbackUrl: "https://evil.example/canary" })).toBe(
      "callbackUrl is not below an address of SUBSCRIPTION_CALLBACK_URLS.",
    );
    expect(read({ ...named, callbackUrl: "https://allowed.example/callback" }, [])).toMatch(
      /^The gateway calls no router: SUBSCRIPTION_CALLBACK_URLS is not set\. .*text\/event-stream/,
    );
  });
});

describe("The extension of a callback request", () => {
  const callbackUrl = "https://allowed.example/callback";

  it("has the target of the subscription's messages", () => {
    const target = { url: callbackUrl, id: "one", verifier: "v" };
    expect(read({ ...named, callbackUrl, more: true })).toEqual({ ...target, heartbeatMs: 5000 });
    expect(read({ ...named, callbackUrl, heartbeatIntervalMs: undefined })).toEqual({ ...target, heartbeatMs: 5000 });
    expect(read({ ...named, callbackUrl, heartbeatIntervalMs: 0 })).toEqual({ ...target, heartbeatMs: 0 });
    // setTimeout takes no longer interval.
    expect(read({ ...named, callbackUrl, heartbeatIntervalMs: 1e15 })).toEqual({ ...target, heartbeatMs: 86_400_000 });
  });

  it.each([
    ["is null", null],
    ["is a text", "canary"],
    ["has no URL", named],
    ["has no ID", { ...named, callbackUrl, subscriptionId: undefined }],
    ["has an empty ID", { ...named, callbackUrl, subscriptionId: "" }],
    ["has a long ID", { ...named, callbackUrl, subscriptionId: "a".repeat(257) }],
    ["has a verifier that is no text", { ...named, callbackUrl, verifier: 1 }],
    ["has a long verifier", { ...named, callbackUrl, verifier: "a".repeat(1025) }],
    ["has a heartbeat too often", { ...named, callbackUrl, heartbeatIntervalMs: 999 }],
    ["has a negative heartbeat", { ...named, callbackUrl, heartbeatIntervalMs: -1 }],
  ])("is refused if it %s", (_, subscription) =>
    expect(read(subscription)).toMatch(/^extensions\.subscription needs a callbackUrl, /),
  );
});

describe("Accept of a callback request", () => {
  it.each([
    ["application/json;callbackSpec=1.0", true],
    ["application/json;callbackSpec=1.0; charset=utf-8", true],
    ['application/json; callbackspec="1.0"', true],
    ["application/json, application/json;callbackSpec=1.0", true],
    ["application/json;callbackSpec=2.0", false],
    ["application/json", false],
    [undefined, false],
  ])("%s: %s", (accept, expected) => expect(acceptsCallback(accept)).toBe(expected));
});
