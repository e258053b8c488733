import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { problems } from "./environment.ts";

describe("The check of FEDERATION", () => {
  it("refuses it with TRUSTED_DOCUMENTS, because a router writes its own documents", () => {
    expect(problems({ FEDERATION: "on", TRUSTED_DOCUMENTS: "documents.json" })).toEqual([
      "FEDERATION=on and TRUSTED_DOCUMENTS exclude each other: the router's documents are its own",
    ]);
  });

  it("needs it for callbacks of routers, whose addresses are kept without the last slash", () => {
    const SUBSCRIPTION_CALLBACK_URLS = "https://Router.example:443/callback/, http://10.0.0.1:8080";
    expect(problems({ SUBSCRIPTION_CALLBACK_URLS })).toEqual([
      "FEDERATION=on is needed with SUBSCRIPTION_CALLBACK_URLS: only routers use callbacks",
    ]);
    expect(readConfig({ FEDERATION: "on", SUBSCRIPTION_CALLBACK_URLS }).callbackUrls).toEqual([
      "https://router.example/callback",
      "http://10.0.0.1:8080",
    ]);
    expect(readConfig({}).callbackUrls).toEqual([]);
  });

  it("is off by default", () => {
    expect(readConfig({}).federation).toBe(false);
    expect(readConfig({ FEDERATION: "on" }).federation).toBe(true);
  });
});
