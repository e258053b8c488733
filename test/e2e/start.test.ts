import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MAIN, temporaryDirectory } from "../support/gateway.ts";
import { startProgram } from "../support/program.ts";
import { openSse } from "../support/streams.ts";
import { until } from "../support/until.ts";

const readme = () => readFile(new URL("../../README.md", import.meta.url), "utf8");

/** The first block of that language in the README after the heading. */
async function printed(language: string, heading: string): Promise<string> {
  const text = await readme();
  const block = new RegExp(`## ${heading}[^]*?\`\`\`${language}\n([^]*?)\`\`\``).exec(text)?.[1];
  if (!block) throw new Error(`the README has no ${language} block under ${heading}`);
  return block;
}

async function startAlone(env: Record<string, string> = {}) {
  const directory = await temporaryDirectory();
  const program = startProgram([MAIN], { PORT: "0", SANDBOX_PORT: "0", ...env }, directory.path);
  const line = await program.line((line) => line["msg"] === "the gateway listens");
  return {
    ...program,
    directory,
    url: String(line["url"]),
    sandboxUrl: String(line["sandbox"]),
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

describe("npm start without a service", () => {
  it("answers the README's query, and prints the addresses to open", async () => {
    await using gateway = await startAlone();
    await until(() => gateway.stderr().includes(gateway.sandboxUrl));
    expect(gateway.stderr()).toContain(`${gateway.url}/graphql`);

    const query = await printed("graphql", "Query");
    // The calls of the last hour are in the list when their events were answered.
    const { errors } = await until(async () => {
      const response = await fetch(`${gateway.url}/graphql`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ query }),
      });
      const answer = (await response.json()) as { data: { callLogs: { nodes: object[] } }; errors?: unknown };
      return answer.data.callLogs.nodes.length > 0 && answer;
    });
    expect(errors).toBeUndefined();
  });

  it("sends events to the README's subscription without further action", async () => {
    await using gateway = await startAlone({ SANDBOX_SPEED: "20" });
    const query = await printed("graphql", "A live list");
    await using stream = await openSse<{ callEnded: { sessionId: string } }>(gateway.url, { query });
    const first = await stream.next();
    expect(first.errors).toBeUndefined();
    expect(first.data?.callEnded.sessionId).toBeTruthy();
  });

  it("serves GraphiQL without requests to other sites", async () => {
    await using gateway = await startAlone();
    const page = await fetch(`${gateway.url}/graphql`, { headers: { accept: "text/html" } });
    expect(page.headers.get("content-type")).toContain("text/html");
    const html = await page.text();
    expect(html).toContain("Switchboard");
    expect(html.match(/<(?:script|link|img)[^>]+(?:src|href)="(?:https?:)?\/\/[^"]+"/g) ?? []).toEqual([]);
  });

  it("mentions GraphiQL only if it serves it: not with TRUSTED_DOCUMENTS or INTROSPECTION=off", async () => {
    await using directory = await temporaryDirectory();
    const manifest = join(directory.path, "documents.json");
    await writeFile(manifest, JSON.stringify({ zone: "{ serviceTimeZone }" }));
    for (const [env, status] of [
      [{}, 200],
      [{ TRUSTED_DOCUMENTS: manifest }, 403],
      [{ INTROSPECTION: "off" }, 403],
    ] as const) {
      await using gateway = await startAlone(env);
      await until(() => gateway.stderr().includes("Ctrl+C"));
      const page = await fetch(`${gateway.url}/graphql`, { headers: { accept: "text/html" } });
      expect([page.status, gateway.stderr().includes("GraphiQL in a browser")]).toEqual([status, status === 200]);
    }
  });

  it("is alive and ready, and exits with 0 after SIGTERM", async () => {
    await using gateway = await startAlone();
    expect((await fetch(`${gateway.url}/livez`)).status).toBe(200);
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200);
    gateway.process.kill("SIGTERM");
    expect(await gateway.exited).toBe(0);
  });
});

describe("a gateway that cannot start", () => {
  it("names every bad variable in one message without values, and exits with 78", async () => {
    await using program = startProgram([MAIN], {
      PORT: "canary-port",
      UPSTREAM_URL: "ftp://canary-url",
      UPSTREAM_TIME_ZONE: "Canary/Zone",
      API_KEYS_FILE: "/nowhere/canary-file.json",
      DATABASE_URL: "canary-database",
    });
    expect(await program.exited).toBe(78);
    for (const name of ["PORT", "UPSTREAM_URL", "UPSTREAM_TOKEN", "UPSTREAM_TIME_ZONE", "WEBHOOK_AUTHORIZATION"]) {
      expect(program.stderr()).toContain(name);
    }
    expect(program.stderr()).toContain("API_KEYS_FILE");
    expect(program.stderr()).toContain("DATABASE_URL");
    expect(program.stderr()).not.toMatch(/canary/i);
  });

  it("requires keys on an address that other machines can reach", async () => {
    await using program = startProgram([MAIN], { HOST: "0.0.0.0", PORT: "0", SANDBOX_PORT: "0" });
    expect(await program.exited).toBe(78);
    expect(program.stderr()).toContain("API_KEYS_FILE");
  });
});
