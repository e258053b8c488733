import { describe, expect, it } from "vitest";
import { databaseUrl } from "../../src/config/variableRules.ts";
import { databaseUrls, displayedDatabase } from "../../src/config/databaseUrls.ts";

describe("databaseUrls", () => {
  it.each([
    ["file:a,b.db", ["file:a,b.db"]],
    ["postgres://one/calls", ["postgres://one/calls"]],
    ["postgres://u,v:w@one:1,two/c?x=1,2", ["postgres://u,v:w@one:1/c?x=1,2", "postgres://u,v:w@two/c?x=1,2"]],
    ["postgresql://[::1]:5432,[::2]/calls", ["postgresql://[::1]:5432/calls", "postgresql://[::2]/calls"]],
    ["postgres://u:w@/calls", ["postgres://u:w@/calls"]],
  ])("makes one address for each host of %s", (url, urls) => {
    expect(databaseUrls(url)).toEqual(urls);
  });

  it("accepts several hosts of which the gateway uses the writable one", () => {
    const url = "postgres://user:word@one:5432,two:5433/calls?target_session_attrs=read-write";
    expect(databaseUrl.parse(url)).toBe(url);
  });

  it("displays all hosts without credentials", () => {
    expect(displayedDatabase("postgres://user:word@one:5432,two/calls")).toBe("one:5432,two");
  });
});
