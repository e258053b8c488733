import { describe, expect, it } from "vitest";
import { until } from "../../support/until.ts";
import type { ReactPage } from "./browser.ts";
import { createWorld, hasBrowser } from "./world.ts";

interface Form {
  state: {
    name: string;
    result?: { submission: { id: string; status: string } | null; replayed: boolean; idempotencyKey: string };
    errors?: { code: string; path: string[] }[];
    error?: { code: string } | null;
  };
}

const inputOf = (name: string) => ({
  name,
  assistantId: "11",
  option: {
    lineIds: ["60"],
    periods: [["09:00", "18:00"]],
    startDate: "2030-01-15",
    retryCount: 0,
    retryIntervalSeconds: 600,
    numberFileMeta: { number: 0, name: 1, gender: 2, salesPersonName: 3 },
  },
  numbers: [{ number: "+12025550101" }],
});

describe.skipIf(!hasBrowser)("useCreateTask under StrictMode", () => {
  const world = createWorld();
  const form = async (page: ReactPage) => ((await page.run("result")) as Form).state;
  const reaches = (page: ReactPage, name: string) =>
    until(async () => {
      const state = await form(page);
      return state.name === name && state;
    });
  /** The names of the tasks that the service was asked to create. */
  const created = () =>
    world.sandbox.control
      .requests()
      .filter(({ method, path }) => method === "POST" && path === "/openapi/tasks")
      .map(({ body }) => (body as { name: string }).name);
  const click = (page: ReactPage, input: object, times = 1) =>
    page.browser.evaluate(
      ([input, times]) => {
        const { page } = globalThis as unknown as { page: { call(method: string, input: unknown): void } };
        for (let count = 0; count < times; count += 1) page.call("create", input);
      },
      [input, times] as const,
    );
  /** Requests reach the gateway; their answers are lost until this is ended. */
  async function loseAnswers(page: ReactPage): Promise<{ lost: () => number; end: () => Promise<void> }> {
    let lost = 0;
    await page.browser.route("**/graphql", async (route) => {
      await route.fetch();
      lost += 1;
      await route.abort();
    });
    return { lost: () => lost, end: () => page.browser.unroute("**/graphql") };
  }

  it("sends one task for two clicks, and tells idle, sending and done", async () => {
    await using page = await world.open();
    await page.run("mount", "form");
    expect(await form(page)).toEqual({ name: "idle" });
    let sent = 0;
    page.browser.on("request", (request) => (sent += request.postData()?.includes("createTask") ? 1 : 0));
    await click(page, inputOf("two clicks"), 2);
    const { result } = await reaches(page, "done");
    expect(sent).toBe(1);
    expect(result).toMatchObject({ submission: { status: "ACCEPTED" }, replayed: false });
    await click(page, inputOf("two clicks"));
    await until(async () => (await form(page)).result?.replayed);
    expect(created().filter((name) => name === "two clicks")).toHaveLength(1);
    expect(page.problems).toEqual([]);
  });

  it("sends one task from an effect that runs twice", async () => {
    await using page = await world.open();
    await page.run("sendOnMount", inputOf("effect") as never);
    expect((await reaches(page, "done")).result?.replayed).toBe(false);
    expect(created().filter((name) => name === "effect")).toHaveLength(1);
  });

  it("creates one task when the answer is lost and the page is loaded again", async () => {
    await using page = await world.open();
    await page.run("mount", "form", { name: "reload-form" });
    const answers = await loseAnswers(page);
    await click(page, inputOf("reload"));
    await until(() => answers.lost() > 0);
    expect((await form(page)).name).toBe("sending");
    await page.browser.reload();
    await answers.end();
    await page.browser.waitForFunction(() => "page" in globalThis);
    await page.run("mount", "form", { name: "reload-form" });
    await click(page, inputOf("reload"));
    expect((await reaches(page, "done")).result).toMatchObject({ replayed: true, submission: { status: "ACCEPTED" } });
    expect(created().filter((name) => name === "reload")).toHaveLength(1);
  });

  it("refuses another task under the key of one whose outcome is unknown", async () => {
    await using page = await world.open();
    await page.run("mount", "form", { name: "unknown-form" });
    const answers = await loseAnswers(page);
    await click(page, inputOf("unknown"));
    await until(() => answers.lost() > 0);
    await page.browser.reload();
    await answers.end();
    await page.browser.waitForFunction(() => "page" in globalThis);
    await page.run("mount", "form", { name: "unknown-form" });
    await click(page, inputOf("changed"));
    expect((await reaches(page, "failed")).errors).toMatchObject([{ code: "IDEMPOTENCY_CONFLICT" }]);
    expect(created().filter((name) => name === "unknown" || name === "changed")).toEqual(["unknown"]);
  });

  it("shows what is wrong with the input, and sends it when it is mended", async () => {
    await using page = await world.open();
    await page.run("mount", "form");
    await click(page, { ...inputOf("mended"), numbers: [] });
    const { errors, error } = await reaches(page, "failed");
    expect(errors).toMatchObject([{ code: "INVALID_INPUT", path: ["numbers"] }]);
    expect(error).toBeNull();
    await click(page, inputOf("mended"));
    await reaches(page, "done");
  });

  it("creates an equal task only after reset", async () => {
    await using page = await world.open();
    await page.run("mount", "form");
    await click(page, inputOf("again"));
    await reaches(page, "done");
    await page.run("call", "reset");
    await reaches(page, "idle");
    await click(page, inputOf("again"));
    expect((await reaches(page, "done")).result?.replayed).toBe(false);
    expect(created().filter((name) => name === "again")).toHaveLength(2);
  });

  it("keeps the key of a task whose outcome is unknown after reset, so that an equal task is none more", async () => {
    await using page = await world.open();
    await page.run("mount", "form");
    const keys: string[] = [];
    await page.browser.route("**/graphql", async (route) => {
      const { variables } = route.request().postDataJSON() as { variables: { input: { idempotencyKey: string } } };
      keys.push(variables.input.idempotencyKey);
      const submission = { id: "1", idempotencyKey: variables.input.idempotencyKey, status: "UNCONFIRMED" };
      await route.fulfill({
        json: { data: { createTask: { submission, replayed: false, errors: [] } } },
        headers: { "access-control-allow-origin": "*" },
      });
    });
    await click(page, inputOf("unconfirmed"));
    expect((await reaches(page, "done")).result?.submission?.status).toBe("UNCONFIRMED");
    await page.run("call", "reset");
    await reaches(page, "idle");
    await click(page, inputOf("unconfirmed"));
    await reaches(page, "done");
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  it("shows an answer that did not come as an error, whose repetition is safe", async () => {
    await using page = await world.open();
    await page.run("mount", "form");
    await page.browser.route("**/graphql", (route) =>
      route.fulfill({
        status: 403,
        contentType: "text/plain",
        body: "no",
        headers: { "access-control-allow-origin": "*" },
      }),
    );
    await click(page, inputOf("refused"));
    const { error } = await reaches(page, "failed");
    expect(error?.code).toEqual(expect.any(String));
    await page.browser.unroute("**/graphql");
    await click(page, inputOf("refused"));
    await reaches(page, "done");
    expect(created().filter((name) => name === "refused")).toHaveLength(1);
  });
});
