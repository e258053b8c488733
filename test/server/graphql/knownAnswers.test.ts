import { describe, expect, it } from "vitest";
import { createKnownAnswers } from "../../../src/server/graphql/knownAnswers.ts";
import { createChangingSource } from "../../../src/util/freshness.ts";

function open() {
  const clock = { now: 1000 };
  return { clock, answers: createKnownAnswers(() => clock.now) };
}

describe("A known answer", () => {
  it("is known until the first of its parts ends", () => {
    const { clock, answers } = open();
    answers.remember("question", "tag", [{ endsAt: 5000 }, { endsAt: 2000 }]);
    expect(answers.find("question")).toEqual({ etag: "tag", endsAt: 2000 });
    expect(answers.find("other")).toBeNull();
    clock.now = 2000;
    expect(answers.find("question")).toBeNull();
  });

  it("is forgotten at once when a part has changed, and is not remembered if it changed before", () => {
    const { answers } = open();
    const events = createChangingSource();
    const before = events.freshness();
    answers.remember("question", "tag", [{ endsAt: 5000 }, before]);
    expect(answers.find("question")).not.toBeNull();
    events.changed();
    expect(answers.find("question")).toBeNull();
    answers.remember("question", "tag", [{ endsAt: 5000 }, before]);
    expect(answers.find("question")).toBeNull();
    answers.remember("question", "new", [{ endsAt: 5000 }, events.freshness()]);
    expect(answers.find("question")).toEqual({ etag: "new", endsAt: 5000 });
  });

  it("makes room for newer ones: by their number, and by the number of their parts", () => {
    const { answers } = open();
    const known = (count: number) => Array.from({ length: count }, (_, at) => answers.find(`q${at}`)).filter(Boolean);
    for (let at = 0; at < 6000; at += 1) answers.remember(`q${at}`, "tag", [{ endsAt: 5000 }]);
    expect(known(6000)).toHaveLength(5000);
    answers.forget();
    expect(known(6000)).toHaveLength(0);
    const parts = Array.from({ length: 1000 }, () => ({ endsAt: 5000 }));
    for (let at = 0; at < 100; at += 1) answers.remember(`q${at}`, "tag", parts);
    expect(known(100)).toHaveLength(50);
  });
});
