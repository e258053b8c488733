import { describe, expect, it } from "vitest";
import { keepEach } from "../../src/destinations/keepEach.ts";
import { until } from "../support/until.ts";

interface Entry {
  name: string;
  text: string;
}

/** A list of entries such as `a1`: the name and the text. */
function kept(first: string) {
  const seen: string[] = [];
  const entriesOf = (names: string): Entry[] =>
    names
      .split(" ")
      .filter(Boolean)
      .map(([name = "", text = ""]) => ({ name, text }));
  let current = entriesOf(first);
  let changed: () => void = () => undefined;
  const list = {
    current: () => current,
    onChange: (listener: () => void) => {
      changed = listener;
      return () => void (changed = () => undefined);
    },
  };
  const work = keepEach(list, {
    textOf: ({ text }) => text,
    start({ name, text }) {
      seen.push(`+${name}${text}`);
      return {
        async [Symbol.asyncDispose]() {
          await new Promise((resolve) => setImmediate(resolve));
          seen.push(`-${name}${text}`);
        },
      };
    },
    ended: (name) => void seen.push(`${name} ended`),
  });
  return {
    seen,
    to(names: string) {
      current = entriesOf(names);
      changed();
    },
    stop: () => Promise.resolve(work[Symbol.asyncDispose]()),
  };
}

describe("What runs for each entry of a list", () => {
  it("begins with the entry, begins anew where it changes after the former has ended, and ends with it", async () => {
    const { seen, to, stop } = kept("a1 b1");
    await until(() => seen.length === 2);
    to("a2 b1 c1");
    await until(() => seen.length === 5);
    to("a2 c1");
    await until(() => seen.length === 7);
    expect(seen).toEqual(["+a1", "+b1", "-a1", "+a2", "+c1", "-b1", "b ended"]);
    await stop();
    expect(seen.slice(7)).toEqual(["-a2", "-c1"]);
  });

  it("is that of the newest list where changes come faster than it ends, and none begins after the stop", async () => {
    const { seen, to, stop } = kept("a1");
    for (const names of ["a2", "a3", "", "a4"]) to(names);
    const stopped = stop();
    to("a5");
    await stopped;
    const begun = seen.filter((text) => text.startsWith("+")).map((text) => text.slice(1));
    expect(seen.filter((text) => text.startsWith("-")).map((text) => text.slice(1))).toEqual(begun);
    expect(begun).not.toContain("a5");
  });
});
