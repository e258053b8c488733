import { Client } from "pg";
import { describe, expect, it } from "vitest";
import { fileOf } from "./samples.ts";
import { secretsOf } from "../../src/commands/wholeConfig.ts";
import { readConfig } from "../../src/config/config.ts";
import { createLogger } from "../../src/logger.ts";
import { databaseUrl } from "../../src/config/variableRules.ts";
import {
  databasePasswords,
  databaseUrls,
  displayedDatabase,
  isSameDatabase,
  skipsCertificate,
} from "../../src/config/databaseUrls.ts";

describe("databasePasswords", () => {
  it.each([
    ["postgres://user:canary%40one@one:5432,two/calls", ["canary%40one", "canary@one"]],
    ["postgresql://one/calls?user=u&password=canary%2Fone", ["canary%2Fone", "canary/one"]],
    ["postgres://user:canary%@one/calls", ["canary%"]],
    ["postgres://user@/calls?host=/var/run", []],
    // To mask it would make every line of the log unreadable.
    ["postgres://user:abc@one/calls", []],
    ["file:./canary:word@x.db", []],
  ])("finds those of %s as they are written and as they are sent", (url, passwords) => {
    expect([...new Set(databasePasswords(url))]).toEqual(passwords);
  });

  it("are masked in every line of the log, also that of PGPASSWORD", () => {
    const lines: string[] = [];
    const config = readConfig({ DATABASE_URL: "postgres://user:canary%40one@db.example/calls" });
    const secrets = secretsOf(config, { PGPASSWORD: "canary-two" });
    const log = createLogger({ level: "info", secrets, write: (line) => lines.push(line) });
    log.info({ url: config.databaseUrl, sent: "canary@one" }, "password canary-two");
    expect(lines.join()).not.toContain("canary");
  });
});

describe("PGPASSWORD", () => {
  it.each([
    ["postgres://user@one,two/calls", "postgres://user@one,two/calls?password=w%40rd%2F%3F%23%25"],
    ["postgres:///calls?host=/run&user=u", "postgres:///calls?host=/run&user=u&password=w%40rd%2F%3F%23%25"],
    ["postgres://user:@one/calls", "postgres://user:@one/calls?password=w%40rd%2F%3F%23%25"],
    ["postgres://user:own@one/calls", "postgres://user:own@one/calls"],
    ["postgres://one/calls?password=own", "postgres://one/calls?password=own"],
  ])("is the password of %s: %s", (DATABASE_URL, expected) => {
    const config = readConfig({ DATABASE_URL, PGPASSWORD: "w@rd/?#%\r\n" });
    expect(config.databaseUrl).toBe(expected);
    // As the driver reads it.
    for (const connectionString of databaseUrls(config.databaseUrl))
      expect(["w@rd/?#%", "own"]).toContain(new Client({ connectionString }).password);
  });

  it("may stand in a file, and is not looked at with a database in a file", () => {
    const DATABASE_URL = "postgres://user@one/calls";
    expect(readConfig({ DATABASE_URL, PGPASSWORD_FILE: fileOf("pgpassword", "word\n") }).databaseUrl).toBe(
      "postgres://user@one/calls?password=word",
    );
    expect(readConfig({ PGPASSWORD: '"word"' }).databaseUrl).toBe("file:./data/switchboard.db");
    expect(() => readConfig({ DATABASE_URL, PGPASSWORD: '"canary"' })).toThrow(
      /^(?![^]*canary)[^]*PGPASSWORD must not/,
    );
  });
});

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

  it.each([
    ["postgres://u:w@one:5432,two/calls", "one:5432,two"],
    ["postgres:///calls?host=/run/postgresql", "/run/postgresql"],
    ["postgres://u@%2Frun%2Fpostgresql/calls", "/run/postgresql"],
    ["file:/var/calls.db", "/var/calls.db"],
  ])("are shown to people as their hosts or the folder of their socket: %s", (url, shown) => {
    expect(displayedDatabase(url)).toBe(shown);
  });

  it.each([
    ["postgres://a:b@one,two/calls?ssl=true", "postgres://c:d@one,two/calls?ssl=true", true],
    ["postgres:///calls?user=a&host=/run&password=b", "postgres:///calls?user=c&host=/run&password=d", true],
    ["postgres://a:b@one/calls", "postgres://a:b@one/others", false],
    ["postgres://a:b@one/calls", "postgres://a:b@one:5433/calls", false],
    ["postgres://a:b@one/calls", "postgres://a:b@one/calls?sslmode=no-verify", false],
    ["postgres://a:b@one/calls", "file:calls.db", false],
    ["file:calls.db", "file:others.db", false],
  ])("%s and %s are the same database: %s", (one, other, isSame) => {
    expect(isSameDatabase(one, other)).toBe(isSame);
  });

  it("accepts several hosts of which the gateway uses the writable one", () => {
    const url = "postgres://user:word@one:5432,two:5433/calls?target_session_attrs=read-write";
    expect(databaseUrl.parse(url)).toBe(url);
  });

  it.each(["prefer", "require", "verify-ca"])("makes sslmode=%s check the certificate and its host", (mode) => {
    const url = `postgres://one,two/calls?sslmode=${mode}&sslrootcert=ca.crt`;
    const checked = "calls?sslmode=verify-full&sslrootcert=ca.crt";
    expect(databaseUrls(url)).toEqual([`postgres://one/${checked}`, `postgres://two/${checked}`]);
    expect(databaseUrls("postgres://one/calls?sslmode=no-verify")).toEqual(["postgres://one/calls?sslmode=no-verify"]);
  });

  it.each([
    ["postgres://one/calls?sslmode=no-verify", true],
    ["postgres://one/calls?ssl=no-verify", true],
    ["postgres://one/calls?uselibpqcompat=true&sslmode=require", true],
    ["postgres://one/calls?sslmode=require", false],
    ["postgres://one/calls", false],
  ])("knows whether %s skips the certificate", (url, skips) => {
    expect(skipsCertificate(url)).toBe(skips);
  });

  it.each([
    "postgres://user:canary@canary/x@one/calls",
    "postgres://user:1#canary@one/calls",
    "postgres://user:1?canary@one/calls",
    "postgres://user:canary/canary@one/calls",
  ])("displays no part of the password of %s", (url) => {
    expect(displayedDatabase(url)).toBe("at an address that is not valid");
  });

  it("displays all hosts without credentials", () => {
    expect(displayedDatabase("postgres://user:word@one:5432,two/calls")).toBe("one:5432,two");
  });
});
