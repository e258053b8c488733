import { describe, expect, it } from "vitest";
import { determined, undetermined } from "../../src/doctor/finding.ts";
import { settingsOf } from "../../src/doctor/settings.ts";

const SET = /^# UPSTREAM_TIME_ZONE is set to a zone that contradicts what was seen/;
const ASK = /^# UPSTREAM_TIME_ZONE: undetermined/;
const zones = ["Asia/Shanghai", "Asia/Tokyo"];
const set = (timeZone: string | null) => ({ timeZone, assistantIds: null });

describe("a zone that is set is held against what was found", () => {
  it("and told to contradict it where several offsets are left, and none is its own", () => {
    const finding = { ...undetermined("timeZone", "It leaves +08:00 +09:00."), zones };
    const [first, second] = settingsOf([finding], set("Europe/Berlin"));
    expect(first).toMatch(SET);
    expect(second).toMatch(ASK);
    // Another name of one that is left.
    for (const other of ["Asia/Tokyo", "PRC", null]) expect(settingsOf([finding], set(other))[0]).toMatch(ASK);
  });

  it("and told to contradict it where one offset is left, which it does not keep", () => {
    const finding = { ...determined("timeZone", "+08:00", ""), zones: ["Asia/Shanghai"] };
    expect(settingsOf([finding], set("Europe/Berlin"))[0]).toMatch(SET);
    expect(settingsOf([finding], set("PRC"))[0]).toBe("UPSTREAM_TIME_ZONE=PRC   # it is set, and agrees");
  });

  it("and left alone where nothing was ruled out", () => {
    expect(settingsOf([undetermined("timeZone", "")], set("Europe/Berlin"))[0]).toMatch(ASK);
    expect(settingsOf([], set("Europe/Berlin"))[0]).toMatch(ASK);
  });
});

describe("what a service ignores is refused by the gateway", () => {
  it("by the names that the filters have in the graph", () => {
    const findings = [
      determined("direction", "honoured", ""),
      determined("description", "ignored", ""),
      determined("phone", "ignored", ""),
      undetermined("taskId", ""),
    ];
    expect(settingsOf(findings, set(null))).toContain("UPSTREAM_IGNORES=phone,kind");
    expect(settingsOf([], set(null)).join()).not.toContain("UPSTREAM_IGNORES");
  });

  it("prints UPSTREAM_RANGE_FIELD where the filtered field was determined", () => {
    expect(settingsOf([determined("rangeField", "endAt", "")], set(null))).toContain("UPSTREAM_RANGE_FIELD=endAt");
    expect(settingsOf([], set(null))).toContain("# UPSTREAM_RANGE_FIELD: undetermined.");
  });
});
