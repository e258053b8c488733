import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { SANDBOX_TOKEN, WEBHOOK_AUTHORIZATION } from "../../src/commands/sandboxCommand.ts";
import { faultSchema } from "../../sandbox/src/control/faults.ts";
import { DEFAULT_QUIRKS } from "../../sandbox/src/control/quirks.ts";
import { NO_WEBHOOK_FAULTS } from "../../sandbox/src/webhook/webhookFaults.ts";
import { openSandbox, TOKEN } from "./support.ts";

const text = readFileSync(new URL("../../docs/sandbox.md", import.meta.url), "utf8");
/** `| name | default |` of a table's rows. */
const rows = new Map(
  [...text.matchAll(/^\| `(\w+)` \| `?([^`|]*)`? \|/gm)].map(([, name, value]) => [name, value?.trim()]),
);

describe("docs/sandbox.md", () => {
  it.each(Object.entries({ ...DEFAULT_QUIRKS, ...NO_WEBHOOK_FAULTS }))("lists %s with its default", (name, value) => {
    expect(rows.get(name)).toBe(typeof value === "object" ? JSON.stringify(value) : String(value));
  });

  it.each(faultSchema.options.map(({ shape }) => shape.kind.value))("lists the fault %s", (kind) => {
    expect(text).toContain(`| \`${kind}\` |`);
  });

  it("lists the default token and webhook value, and its examples use the token", () => {
    expect(rows.get("SANDBOX_TOKEN")).toBe(SANDBOX_TOKEN);
    expect(rows.get("SANDBOX_WEBHOOK_AUTHORIZATION")).toBe(WEBHOOK_AUTHORIZATION);
    expect(text).toContain(`\nexport SANDBOX_TOKEN=${SANDBOX_TOKEN}\n`);
    expect(text.indexOf(`\nexport SANDBOX_TOKEN=${SANDBOX_TOKEN}\n`)).toBeLessThan(text.indexOf("\ncurl"));
  });

  const examples = [...text.replaceAll("\\\n", " ").matchAll(/^curl .*?127\.0\.0\.1:4010(\S+)(.*)$/gm)];
  it("has examples", () => expect(examples.length).toBeGreaterThan(8));

  it.each(examples.map(([, path = "", rest = ""]) => [path, rest]))(
    "has an example of %s that works",
    async (path, rest) => {
      await using service = await openSandbox();
      const body = /-d '(.*)'/.exec(rest)?.[1] ?? null;
      const method = /-X (\w+)/.exec(rest)?.[1] ?? (body === null ? "GET" : "POST");
      const reply = await service.call(path, { method, body, headers: { authorization: `Bearer ${TOKEN}` } });
      expect(reply.status, reply.text).toBe(200);
    },
  );
});
