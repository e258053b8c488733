// The order of the assistants and lines that a new task can name.
import { describe, expect, it } from "vitest";
import { inOrder } from "../../console/src/views/tasks/choiceOrder.ts";

const node = (id: string, name: string | null, ...knownFrom: string[]) => ({ id, name, knownFrom });
const idsOf = (nodes: ReturnType<typeof node>[]) => inOrder(nodes).map(({ id }) => id);

describe("The choices of a new task", () => {
  it("keep those of the settings in their order, and the others by their ids, whatever was met last", () => {
    const named = [node("60", "Berlin", "SETTING"), node("7", "Aachen", "SETTING", "TASK")];
    const others = [node("900", null, "TASK"), node("9007199254740993123", null, "TASK"), node("81", "Named", "TASK")];
    const expected = ["60", "7", "81", "900", "9007199254740993123"];
    expect(idsOf([...named, ...others])).toEqual(expected);
    expect(idsOf([...named, ...others.toReversed()])).toEqual(expected);
  });
});
