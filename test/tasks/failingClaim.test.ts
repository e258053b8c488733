import { describe, expect, it } from "vitest";
import { CodedError } from "../../src/errors.ts";
import type { Submission } from "../../src/store/tasks/submissionRow.ts";
import { until } from "../support/until.ts";
import { createTaskInput } from "./input.ts";
import { office } from "./office.ts";

const noAnswer = () => new CodedError("STORE_UNAVAILABLE", "The commit was not heard of.");

describe("A key whose claim fails", () => {
  it("is free as soon as the store works again", async () => {
    let fails = true;
    const { submit, sent, submissions } = await office(undefined, (real) => ({
      async claim(submission, quota) {
        const claim = await real.claim(submission, quota);
        if (!fails) return claim;
        fails = false;
        throw noAnswer();
      },
    }));
    await expect(submit("web", createTaskInput())).rejects.toThrow("not heard of");
    await until(async () => (await submissions.byKey("web", "key-1")) === null);
    expect(await submit("web", createTaskInput())).toMatchObject({
      replayed: false,
      submission: { status: "ACCEPTED" },
      errors: [],
    });
    expect(sent).toHaveLength(1);
  });

  it("rejects waiting requests too", async () => {
    const claimed = Promise.withResolvers<Submission>();
    const failing = Promise.withResolvers<never>();
    let asked = 0;
    const { submit, sent } = await office(undefined, (real) => ({
      async byKey(...of) {
        const found = await real.byKey(...of);
        asked += 1;
        return found;
      },
      async claim(submission, quota) {
        await real.claim(submission, quota);
        claimed.resolve(submission);
        return failing.promise;
      },
    }));
    const first = submit("web", createTaskInput()).catch((error: Error) => error.message);
    await claimed.promise;
    const second = submit("web", createTaskInput()).catch((error: Error) => error.message);
    await until(() => asked === 2);
    failing.reject(noAnswer());
    expect(await first).toMatch("not heard of");
    expect(await second).toMatch("not heard of");
    expect(sent).toEqual([]);
  });
});
