// The subject of a message for NATS: its template, and what fields of the event make of it.
import { describe, expect, it } from "vitest";
import { subjectOf, templateFault } from "../../../src/destinations/brokers/natsSubject.ts";

describe("The subject of a message", () => {
  it.each([
    ["calls.ended", "calls.ended"],
    ["calls.{direction}.{taskId}.{source}", "calls.OUTBOUND.a_b__c.none"],
  ])("%s has the event's fields as words", (template, subject) => {
    expect(templateFault(template)).toBeNull();
    const data = { direction: "OUTBOUND", taskId: "a.b>*c", source: null };
    expect(subjectOf(template, data)).toEqual({ subject });
    expect(subjectOf(template, null)).toEqual({ subject: template.replaceAll(/\{\w+\}/g, "none") });
  });

  it.each([
    "",
    "calls..ended",
    ".calls",
    "calls.*",
    "calls.>",
    "calls ended",
    "$JS.API.STREAM.DELETE",
    "calls.{",
    "x".repeat(256),
  ])("%j is no template", (template) => {
    expect(templateFault(template)).toBe("must be words with dots between, such as calls.ended");
  });

  it("is none where the event is shown without a field of it, as by a document of one's own", () => {
    expect(subjectOf("calls.{taskId}", { event: { taskId: "1" } })).toEqual({ missing: "taskId" });
  });

  it("has no field that tells of a person", () => {
    expect(templateFault("calls.{callee}")).toBe("has {callee}, which is none of {direction}, {source}, {taskId}");
  });
});
