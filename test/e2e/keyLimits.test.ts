import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryDirectory } from "../support/gateway.ts";
import { bearer, keyOf, sha256Of } from "../support/keys.ts";
import { startTraced } from "../tracing/tracedGateway.ts";
import { emptyPage, isProbe, json } from "../upstream/service.ts";
import { taskInputFor } from "./submitting.ts";

const LIMITS = { numbersPerDay: 3, prefixes: ["+1"], callingHours: { from: "09:00", to: "20:00" } };
const CREATE = `mutation($input: CreateTaskInput!) { createTask(input: $input) {
  submission { status } errors { code path limit { limit size used left freeAt } } } }`;
const CHECK = `mutation($input: CheckTaskInput!) { checkTask(input: $input) {
  people countries { countryCode people } schedule { timeZone periods { from to } } limits { limit left needed } errors { code path } } }`;
const VIEWER = `{ viewer { limits { lineIds prefixes callingHours { from to } counts { limit size used left freeAt } } } }`;

/** The keys "web" with limits, and "reader" without limits and without the scope tasks:create. */
async function start() {
  const directory = await temporaryDirectory();
  onTestFinished(() => directory[Symbol.asyncDispose]());
  const file = join(directory.path, "keys.json");
  const keys = [
    { name: "web", sha256: sha256Of(keyOf("web")), scopes: ["tasks:create"], limits: LIMITS },
    { name: "reader", sha256: sha256Of(keyOf("reader")), scopes: ["calls:read"] },
  ];
  await writeFile(file, JSON.stringify(keys));
  const gateway = await startTraced(
    { AUTH: "", OTEL_EXPORTER_OTLP_ENDPOINT: "", API_KEYS_FILE: file },
    (response, asked, request) => json(isProbe(asked) ? emptyPage : {})(response, asked, request),
  );
  const as = (viewer: string) => ({ authorization: bearer(viewer) });
  return { ...gateway, as, created: () => gateway.asked.filter(({ method }) => method === "POST").length };
}

describe("The limits of a key over HTTP", () => {
  it("refuse a task as data, and are shown with what is left", async () => {
    const { ask, as, created, lines } = await start();
    const create = async (own: Record<string, unknown> = {}) =>
      (await ask(CREATE, { input: taskInputFor("11", own) }, as("web"))).data;
    expect(await create()).toEqual({ createTask: { submission: { status: "ACCEPTED" }, errors: [] } });
    const limit = { limit: "NUMBERS_PER_DAY", size: 3, used: 2, left: 1, freeAt: expect.any(String) as string };
    const exceeded = { code: "LIMIT_EXCEEDED", path: [], limit };
    expect(await create()).toEqual({ createTask: { submission: null, errors: [exceeded] } });
    const foreign = await create({ numbers: [{ number: "+8613800010001" }] });
    const notAllowed = { code: "NOT_ALLOWED", path: ["numbers", "0", "number"], limit: null };
    expect(foreign).toEqual({ createTask: { submission: null, errors: [notAllowed] } });
    expect(created()).toBe(1);
    const { prefixes, callingHours } = LIMITS;
    const shown = { limits: { lineIds: null, prefixes, callingHours, counts: [limit] } };
    expect((await ask(VIEWER, {}, as("web"))).data).toEqual({ viewer: shown });
    expect((await ask(VIEWER, {}, as("reader"))).data).toEqual({ viewer: { limits: null } });
    expect(JSON.stringify(lines)).not.toContain("13800010001");
  });

  it("are checked by checkTask, which sends nothing, needs a scope and is refused by GET", async () => {
    const { ask, as, created, url } = await start();
    const { idempotencyKey: _, ...input } = taskInputFor("11");
    expect((await ask(CHECK, { input }, as("web"))).data).toEqual({
      checkTask: {
        people: 2,
        countries: [{ countryCode: "1", people: 2 }],
        schedule: { timeZone: "Asia/Shanghai", periods: [{ from: "09:00", to: "18:00" }] },
        limits: [{ limit: "NUMBERS_PER_DAY", left: 3, needed: 2 }],
        errors: [],
      },
    });
    const twice = { ...input, numbers: [{ number: "+12" }, { number: "+1 2" }] };
    const mistakes = { errors: [{ code: "INVALID_INPUT", path: ["numbers", "1", "number"] }], people: null };
    expect((await ask(CHECK, { input: twice }, as("web"))).data).toMatchObject({ checkTask: mistakes });
    expect((await ask(CHECK, { input }, as("reader"))).errors).toMatchObject([{ extensions: { code: "FORBIDDEN" } }]);
    const query = new URLSearchParams({ query: CHECK, variables: JSON.stringify({ input }) });
    expect((await fetch(`${url}/graphql?${query}`, { headers: as("web") })).status).toBe(405);
    expect(created()).toBe(0);
  });
});
