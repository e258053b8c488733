import { describe, expect, it } from "vitest";
import { determined, undetermined } from "../../src/doctor/finding.ts";
import { recommendSettings } from "../../src/doctor/report.ts";

const CONTRADICTED = /^# UPSTREAM_TIME_ZONE is set to a zone that contradicts the findings/;
const UNDETERMINED = /^# UPSTREAM_TIME_ZONE: undetermined/;
const zones = ["Asia/Shanghai", "Asia/Tokyo"];
const set = (timeZone: string | null) => ({ timeZone, assistantIds: null });

describe("recommendSettings", () => {
  it("warns about a configured zone that has none of several remaining offsets", () => {
    const finding = { ...undetermined("timeZone", "It leaves +08:00 +09:00."), zones };
    const [first, second] = recommendSettings([finding], set("Europe/Berlin"));
    expect(first).toMatch(CONTRADICTED);
    expect(second).toMatch(UNDETERMINED);
    // Another name of one that is left.
    for (const other of ["Asia/Tokyo", "PRC", null])
      expect(recommendSettings([finding], set(other))[0]).toMatch(UNDETERMINED);
  });

  it("warns about a configured zone that does not have the one remaining offset", () => {
    const finding = { ...determined("timeZone", "+08:00", ""), zones: ["Asia/Shanghai"] };
    expect(recommendSettings([finding], set("Europe/Berlin"))[0]).toMatch(CONTRADICTED);
    expect(recommendSettings([finding], set("PRC"))[0]).toBe("UPSTREAM_TIME_ZONE=PRC   # already set, and it agrees");
  });

  it("does not warn about a configured zone if no zone was excluded", () => {
    expect(recommendSettings([undetermined("timeZone", "")], set("Europe/Berlin"))[0]).toMatch(UNDETERMINED);
    expect(recommendSettings([], set("Europe/Berlin"))[0]).toMatch(UNDETERMINED);
  });

  it("lists ignored filters in UPSTREAM_IGNORES by their names in the graph", () => {
    const findings = [
      determined("direction", "applied", ""),
      determined("description", "ignored", ""),
      determined("phone", "ignored", ""),
      undetermined("taskId", ""),
    ];
    expect(recommendSettings(findings, set(null))).toContain("UPSTREAM_IGNORES=phone,kind");
    expect(recommendSettings([], set(null)).join()).not.toContain("UPSTREAM_IGNORES");
  });

  it("prints UPSTREAM_RANGE_FIELD only if the filtered field was determined", () => {
    expect(recommendSettings([determined("rangeField", "endAt", "")], set(null))).toContain(
      "UPSTREAM_RANGE_FIELD=endAt",
    );
    expect(recommendSettings([], set(null))).toContain("# UPSTREAM_RANGE_FIELD: undetermined.");
  });
});
