// First cursors of readers.
import { describe, expect, it } from "vitest";
import { databases } from "../databases.ts";
import { tempStore } from "../tempStore.ts";

describe.each(databases)("A reader on %s", (_, { create }) => {
  it("has one first cursor where two begin it at the same time, and keeps it", async () => {
    const { readers } = await tempStore((await create()).url);
    const begin = async (cursor: string) => readers.begin("test", () => cursor);
    const [first, second] = await Promise.all([begin("a"), begin("b")]);
    expect(second).toBe(first);
    expect(await begin("c")).toBe(first);
    expect(await readers.readCursor("test")).toBe(first);
  });
});
