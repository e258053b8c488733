// A task may be cached with unread parts. It must not keep any other text of the service in memory.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { parseTask, readTask } from "../../src/upstream/models/readTask.ts";
import type { TaskRecord } from "../../src/upstream/upstream.ts";
import { wholeTask } from "./service.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

type Parsed = Record<string, unknown> & { assistant: Record<string, unknown> };
/** A value of the parsed task that no model names. */
type Beside = { of: string; in: (task: Parsed) => unknown };

const beside: readonly Beside[] = [
  { of: "the task", in: (task) => (task["internal"] = ["hidden"]) },
  { of: "the option", in: (task) => ((task["option"] as Parsed)["numberFile"] = ["hidden"]) },
  { of: "the assistant", in: ({ assistant }) => (assistant["apiSecrets"] = ["hidden"]) },
  { of: "its creator", in: ({ assistant }) => ((assistant["creator"] as Parsed)["sessions"] = ["hidden"]) },
  { of: "a question", in: ({ assistant }) => ((assistant["collect"] as Parsed[])[0]!["audit"] = ["hidden"]) },
  { of: "an address that is none", in: ({ assistant }) => (assistant["websocketUrl"] = { url: "hidden" }) },
];

/** A function of its own, because objects that the test's own frame has referenced are not collected. */
function keep(place: Beside["in"], use: (task: TaskRecord) => unknown) {
  const parsed = parseTask(JSON.stringify(wholeTask())) as Parsed;
  const left = new WeakRef(place(parsed) as object);
  const task = readTask(parsed, "7", "Asia/Shanghai");
  use(task);
  return { task, left };
}

async function isCollected(left: WeakRef<object>): Promise<boolean> {
  // A target that a WeakRef returned stays alive until the end of the event loop's turn.
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  return left.deref() === undefined;
}

describe.each(beside)("a cached task holds nothing of $of that the models do not name", ({ in: place }) => {
  it.each<[string, (task: TaskRecord) => unknown]>([
    ["before its parts are read", () => undefined],
    ["after its parts are read", (task) => [task.assistant(), task.option(), task.unread()]],
  ])("is collected %s", async (_when, use) => {
    const { task, left } = keep(place, use);
    expect(await isCollected(left)).toBe(true);
    expect(task.name).toBe("November");
    expect(task.assistant()).toMatchObject({ name: "Ada", creatorEmail: "ada@example.com" });
  });
});

it("a cached task holds no assistant that is not an object", async () => {
  const { task, left } = keep(
    (parsed) => ((parsed as Record<string, unknown>)["assistant"] = [{ websocketToken: "hidden" }]),
    () => undefined,
  );
  expect(await isCollected(left)).toBe(true);
  expect(task.assistant).toThrow("The service's task has no readable assistant.");
});
