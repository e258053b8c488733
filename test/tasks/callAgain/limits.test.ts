// People who may not be called by the limits of today are left out of a round and counted: they stop nobody else.
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../../src/auth/scopes.ts";
import type { ViewerAccess, ViewerLimits } from "../../../src/auth/viewerPolicy.ts";
import { databases } from "../../store/databases.ts";
import { tempStore } from "../../store/tempStore.ts";
import { callWorld, numbersOf, PROPOSER, type CallWorld } from "./callWorld.ts";

const CHINESE = "+8613800010001";
const AMERICAN = "+12025550101";
const ONLY_CHINA: ViewerLimits = { prefixes: ["+86"] };

describe.each(databases)("The limits of a round (%s)", (_, { create }) => {
  async function world(own: Parameters<typeof callWorld>[1] = {}): Promise<CallWorld> {
    const made = await callWorld(await tempStore((await create()).url), own);
    made.statuses.set("7", "done");
    for (const callee of [CHINESE, AMERICAN]) await made.call({ callee });
    return made;
  }
  const leftOut = [{ reason: "NOT_ALLOWED", people: 1 }];

  it("leave out a number that the viewer may not call, and call the others", async () => {
    const { again, check, sent } = await world();
    const limits = ONLY_CHINA;
    expect(await check("7", {}, { limits })).toMatchObject({ errors: [], people: 1, calledAgain: { leftOut } });
    const { submission, errors } = await again("a", "7", {}, { limits });
    expect([errors, submission]).toMatchObject([[], { numberCount: 1, leftOutCount: 0, calledAgain: { leftOut } }]);
    expect(sent.map(numbersOf)).toEqual([[CHINESE]]);
  });

  it("leave out people whose hours do not hold all periods", async () => {
    const { again, sent } = await world();
    const rule = { prefix: "+1", timeZone: "America/New_York", from: "09:00", to: "18:00" };
    const { submission } = await again("a", "7", {}, { limits: { calledHours: [rule] } });
    expect(submission?.calledAgain?.leftOut).toEqual(leftOut);
    expect(sent.map(numbersOf)).toEqual([[CHINESE]]);
  });

  it("name the hours where these leave nobody, and not a number", async () => {
    const { again, sent } = await world();
    const rule = { timeZone: "America/New_York", from: "09:00", to: "18:00" };
    const calledHours = ["+1", "+86"].map((prefix) => ({ prefix, ...rule }));
    const { errors } = await again("a", "7", {}, { limits: { calledHours } });
    expect(errors).toMatchObject([{ code: "NOT_ALLOWED", path: ["from"] }]);
    expect(errors[0]?.message).toContain("from 09:00 to 18:00 by the clock of America/New_York");
    expect(errors[0]?.message).not.toMatch(/\d{5}/);
    expect(sent).toEqual([]);
  });

  it("leave those who are left out to another viewer that may call them", async () => {
    const { again, sent } = await world();
    await again("a", "7", {}, { limits: ONLY_CHINA });
    const { submission } = await again("b", "7", {}, { name: "other" });
    expect(submission?.calledAgain?.leftOut).toEqual([{ reason: "ALREADY_BEING_CALLED", people: 1 }]);
    expect(sent.map(numbersOf)).toEqual([[CHINESE], [AMERICAN]]);
  });

  it("say why nobody is left where none may be called, and refuse a line that is not allowed", async () => {
    const { again, check, sent } = await world();
    const nobody = { prefixes: ["+44"] };
    const message = expect.stringMatching(/: 2 of .* the number begins with no prefix/);
    const refused = { errors: [{ code: "NOT_ALLOWED", path: ["from"], message }] };
    expect(await again("a", "7", {}, { limits: nobody })).toMatchObject(refused);
    expect(await check("7", {}, { limits: nobody })).toMatchObject({
      people: 0,
      calledAgain: { leftOut: [{ reason: "NOT_ALLOWED", people: 2 }] },
    });
    expect(await again("b", "7", {}, { limits: { ...ONLY_CHINA, lineIds: ["9"] } })).toMatchObject({
      submission: null,
      errors: [{ code: "NOT_ALLOWED", path: ["option", "lineIds", "0"] }, { code: "NOT_ALLOWED" }],
    });
    expect(sent).toEqual([]);
  });

  it("count only the people who are called", async () => {
    const { again } = await world();
    const limits = { ...ONLY_CHINA, numbersPerTask: 1 };
    expect(await again("a", "7", {}, { limits })).toMatchObject({ errors: [], submission: { numberCount: 1 } });
    const one = { numbersPerTask: 1 };
    const refused = await again("b", "7", {}, { name: "other", limits: one });
    expect(refused).toMatchObject({ errors: [], submission: { numberCount: 1 } });
  });

  it("are those of the key when its proposal is approved, and each reason counts all people", async () => {
    let key: Viewer = { ...PROPOSER, tokenEndsAt: undefined as never };
    delete key.tokenEndsAt;
    const { propose, approve, list, call, sent } = await world({ viewerOfKey: () => key });
    const listed = "+8613800010003";
    await call({ callee: listed });
    await call({ callee: "+8613800010004" });
    await list([listed]);
    const { submission } = await propose("a", "7", {}, key);
    expect(submission).toMatchObject({ numberCount: 3, calledAgain: { leftOut: [{ reason: "DO_NOT_CALL" }] } });
    key = { ...key, limits: ONLY_CHINA };
    await list(["+8613800010004"]);
    const approved = await approve(submission?.id ?? "");
    expect(approved).toMatchObject({
      errors: [],
      submission: {
        numberCount: 1,
        leftOutCount: 2,
        calledAgain: { leftOut: [{ reason: "DO_NOT_CALL", people: 2 }, ...leftOut] },
      },
    });
    expect(sent.map(numbersOf)).toEqual([[CHINESE]]);
  });

  it("show a proposer with access its own tasks only, also when its proposal is approved", async () => {
    const own: ViewerAccess = { submittedBy: "self" };
    let key: Viewer = { name: "web", limits: null, access: null, scopes: PROPOSER.scopes };
    const { propose, approve, again, link, statuses, call, sent } = await world({ viewerOfKey: () => key });
    const ofOthers = (await propose("a", "7", {}, key)).submission?.id ?? "";
    key = { ...key, access: own };
    expect(await approve(ofOthers)).toMatchObject({ errors: [{ code: "INVALID_INPUT", path: ["from", "taskId"] }] });
    expect(sent).toEqual([]);
    key = { ...key, access: null };
    expect(await approve(ofOthers)).toMatchObject({ errors: [] });
    await link(ofOthers, "1000");
    statuses.set("1000", "done");
    await call({ taskId: "1000", callee: CHINESE });
    const ofOwn = (await propose("b", "1000", {}, key)).submission?.id ?? "";
    key = { ...key, access: own };
    expect(await approve(ofOwn)).toMatchObject({ errors: [], submission: { numberCount: 1 } });
    expect(await again("c", "7", { outcomes: ["BUSY"] })).toMatchObject({ errors: [{ code: "NOBODY_TO_CALL" }] });
  });

  it("are not looked at where a page of people is older than the log: nothing is sent", async () => {
    const { again, sent } = await world({
      waitMs: 5000,
      reading: (real) => ({
        ...real,
        page: async (owner, page) => ({ ...(await real.page(owner, page)), upTo: "0" }),
      }),
    });
    await expect(again("a")).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    expect(sent).toEqual([]);
  });
});
