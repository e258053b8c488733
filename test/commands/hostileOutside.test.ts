// What the command line does with answers and files that mean harm, or are wrong ones (A95).
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sourcesIn } from "../house/sources.ts";
import { serve } from "../server/serve.ts";
import { temporaryDirectory, type Directory } from "../support/gateway.ts";
import { startProgram, type Environment } from "../support/program.ts";
import { CLI } from "../support/sandbox.ts";

let directory: Directory;
beforeAll(async () => {
  directory = await temporaryDirectory();
});
afterAll(() => directory[Symbol.asyncDispose]());

async function run(args: string[], env: Environment = {}) {
  await using program = startProgram([CLI, ...args], env, directory.path);
  return { code: await program.exited, out: program.output.join("\n"), stderr: program.stderr() };
}

/** A colour, a bell, a C1 introducer, DEL, a mark that turns the direction, and one that isolates. */
const HARMFUL = "\u001b[31m\u0007\u009b2J\u007f\u202e\u2066";
const HARMLESS = /^[\n\u0020-\u007e]*$/;

function serveJson(body: object) {
  return serve((_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body)),
  );
}

describe("A text of the gateway that would steer the terminal", () => {
  it("is printed as an escape, with the same meaning", async () => {
    const node = { id: "1", actor: `ops${HARMFUL}`, action: "x", subjectId: null, count: 1 };
    const auditEvents = { nodes: [node], pageInfo: { hasNextPage: false, endCursor: null } };
    await using gateway = await serveJson({ data: { auditEvents } });
    const { code, out } = await run(["audit", "--url", gateway.url]);
    expect(code).toBe(0);
    expect(out).toMatch(HARMLESS);
    expect(JSON.parse(out)).toEqual(node);
  });

  it("is an escape in errors, on one line", async () => {
    await using gateway = await serveJson({ errors: [{ message: `no${HARMFUL}\nswitchboard: all is well` }] });
    const { code, stderr } = await run(["audit", "--url", gateway.url]);
    expect([code, stderr.split("\n")]).toEqual([1, [expect.stringContaining("\\u009b2J"), ""]]);
    expect(stderr).toMatch(HARMLESS);
  });

  it("is an escape in reasons, on one line", async () => {
    const change = { changed: 0, unreadable: [0], reasons: [`must${HARMFUL}\nLine 2 was read`] };
    await using gateway = await serveJson({ data: { addToDoNotCall: change } });
    await writeFile(join(directory.path, "one.csv"), "+12025550101\n");
    const { stderr } = await run(["do-not-call", "import", "one.csv", "--url", gateway.url]);
    expect(stderr.split("\n")).toEqual([expect.stringContaining("\\u202e"), ""]);
    expect(stderr).toMatch(HARMLESS);
  });

  it("is cleaned in one place: no other file of a command writes to the terminal", () => {
    const writers = [...sourcesIn("src/commands"), ...sourcesIn("src").filter(({ path }) => path === "src/cli.ts")]
      .filter(({ text }) => /std(?:out|err)\.write\(|console\./.test(text))
      .map(({ path }) => path);
    expect(writers).toEqual(["src/commands/output.ts"]);
  });
});

it.each([301, 302, 303, 307, 308])(
  "A redirect with %i to another address gets nothing of a request",
  async (status) => {
    let isReached = false;
    await using other = await serve((_, response) => {
      isReached = true;
      response.end("{}");
    });
    await using gateway = await serve((request, response) => {
      request.resume();
      void once(request, "end").then(() => response.writeHead(status, { location: `${other.url}/graphql` }).end());
    });
    await writeFile(join(directory.path, "list.csv"), "+12025550101\n");
    const { code, stderr } = await run(["do-not-call", "import", "list.csv", "--url", gateway.url]);
    expect(stderr).toContain(`HTTP ${status}`);
    expect([code, isReached]).toEqual([1, false]);
  },
);

describe("A file without an end", () => {
  const ENDLESS = "/dev/zero";
  const settings = { UPSTREAM_URL: "http://127.0.0.1:9", UPSTREAM_TIME_ZONE: "UTC", AUTH: "none" };

  it("is no list of numbers", async () => {
    const { code, stderr } = await run(["do-not-call", "import", ENDLESS]);
    expect([code, stderr]).toEqual([1, "/dev/zero has more than 268435456 bytes: split it.\n"]);
  });

  it("is no secret, and no list of keys or policies", async () => {
    const files = { UPSTREAM_TOKEN_FILE: ENDLESS, API_KEYS_FILE: ENDLESS, TOKEN_POLICY_FILE: ENDLESS };
    const { code, stderr } = await run(["check"], { ...settings, ...files });
    expect(code).toBe(78);
    expect(stderr).toContain("UPSTREAM_TOKEN_FILE names a file that has more than 65536 bytes");
    expect(stderr).toContain("API_KEYS_FILE has more than 33554432 bytes");
    expect(stderr).toContain("TOKEN_POLICY_FILE has more than 33554432 bytes");
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it("is no manifest of trusted documents", async () => {
    const secrets = { UPSTREAM_TOKEN: "token", WEBHOOK_AUTHORIZATION: "canary-webhook-0123456789" };
    const { code, out } = await run(["check"], { ...settings, ...secrets, TRUSTED_DOCUMENTS: ENDLESS });
    expect(code).toBe(78);
    expect(out).toContain("TRUSTED_DOCUMENTS has more than 33554432 bytes");
  });

  it("is no backup", async () => {
    const { code, stderr } = await run(["restore", ENDLESS], { DATABASE_URL: "file:restored.db" });
    expect([code, stderr]).toEqual([1, "/dev/zero cannot be restored: it is not a SQLite database.\n"]);
  });
});
